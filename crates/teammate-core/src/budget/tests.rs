use super::*;
use crate::{
    model::{Usage, UsageTotal},
    price::Price,
    spending::ActiveTime,
};

fn alice() -> MemberName {
    MemberName::teammate("alice").unwrap()
}

/// The lead spent 70 tokens, alice 30; alice worked a minute and a half of two in all.
fn spent() -> Spending {
    let mut spending = Spending::default();
    let sum = |input, cache_read| {
        UsageTotal::one(Usage {
            input,
            cache_read,
            ..Usage::default()
        })
    };
    spending.add(&MemberName::lead(), "a:one", sum(60, 10));
    spending.add(&alice(), "a:one", sum(30, 0));
    spending.add_active_time(
        &MemberName::lead(),
        ActiveTime {
            member: 90_000,
            team: 120_000,
        },
    );
    spending.add_active_time(
        &alice(),
        ActiveTime {
            member: 90_000,
            team: 0,
        },
    );
    spending
}

fn prices() -> Prices {
    let price = Price {
        input: "1000".parse().unwrap(),
        output: "1".parse().unwrap(),
        cache_read: None,
        cache_write: None,
        cache_write_long: None,
    };
    Prices {
        table: [("a:*".to_owned(), price)].into(),
        ..Prices::default()
    }
}

fn standings(team: Budget, member: Budget) -> Vec<String> {
    Budgets { team, member }
        .statuses(&spent(), &prices(), &alice())
        .iter()
        .map(|standing| match standing.is_reached {
            true => standing.refusal(),
            false => standing.notice(),
        })
        .collect()
}

fn tokens(tokens: u64) -> Budget {
    Budget {
        tokens: Some(tokens),
        ..Budget::default()
    }
}

#[test]
fn a_limit_is_far_near_and_reached() {
    let none = Budget::default();
    let (far, near, reached) = (tokens(126), tokens(125), tokens(100));
    assert!(standings(far, none).is_empty());
    assert_eq!(
        standings(near, none),
        ["the team's budget is nearly spent: 100 of 125 tokens"]
    );
    assert_eq!(
        standings(reached, none),
        ["the team's budget is spent: 100 of 100 tokens"]
    );
    // Nothing may be spent: also before the first request.
    let nothing = Budgets {
        team: tokens(0),
        member: none,
    };
    let standings = nothing.statuses(&Spending::default(), &prices(), &alice());
    assert!(standings[0].is_reached);
}

#[test]
fn a_members_limit_is_its_own() {
    let none = Budget::default();
    assert!(standings(none, tokens(40)).is_empty());
    let stopped = standings(none, tokens(30));
    assert!(
        stopped[0].starts_with("alice's budget is spent: 30 of 30 tokens"),
        "{stopped:?}"
    );
}

#[test]
fn money_and_time_are_limited_too() {
    let none = Budget::default();
    let money = Budget {
        money: Some("0.1".parse().unwrap()),
        ..none
    };
    let stopped = standings(money, none);
    assert!(stopped[0].contains("0.1000 of 0.1000 USD"), "{stopped:?}");
    let minutes = Budget {
        minutes: Some(2),
        ..none
    };
    assert!(standings(minutes, none)[0].contains("2 of 2 minutes"));
    assert!(
        standings(none, minutes).is_empty(),
        "alice worked for one whole minute"
    );
}

#[test]
fn estimates_stop_as_counts_do_and_say_what_they_are() {
    let mut spent = spent();
    let guessed = Usage {
        input: 100,
        estimated: 100,
        ..Usage::default()
    };
    spent.add(&alice(), "a:one", UsageTotal::one(guessed));
    let of = |budget| {
        let budgets = Budgets {
            team: budget,
            member: Budget::default(),
        };
        let standings = budgets.statuses(&spent, &prices(), &alice());
        standings[0].refusal()
    };
    assert_eq!(
        of(tokens(200)),
        "the team's budget is spent: ~200 of 200 tokens (~ estimated: the server or agent did not report the tokens)"
    );
    let money = Budget {
        money: Some("0.2".parse().unwrap()),
        ..Budget::default()
    };
    assert_eq!(
        of(money),
        "the team's budget is spent: ~0.2000 of 0.2000 USD (~ estimated: the server or agent did not report the tokens)"
    );
}

#[test]
fn a_tab_is_due_when_the_budget_would_be_near_with_as_much_of_everybody() {
    // 100 tokens are counted.
    let item = |input| UsageItem {
        at: 9,
        model: "a:one".to_owned(),
        usage: Usage {
            input,
            ..Usage::default()
        },
    };
    let of = |limit| Budgets {
        team: tokens(limit),
        member: Budget::default(),
    };
    let is_near = |limit: u64, tab: &[UsageItem], members| {
        of(limit).is_near_if(&spent(), &prices(), tab, members)
    };
    assert!(!is_near(1_000, &[item(69)], 10), "790 of 1,000");
    assert!(is_near(1_000, &[item(70)], 10), "800 of 1,000");
    assert!(is_near(1_000, &[item(40), item(30)], 10), "both together");
    assert!(!is_near(1_000, &[item(70)], 9));
    assert!(is_near(125, &[], 1), "it is near without");
    assert!(!Budgets::default().is_near_if(&spent(), &prices(), &[item(70)], 99));
}

#[test]
fn thousands_stand_apart() {
    let shown = [0u64, 999, 1_000, 1_234_567].map(with_thousands);
    assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
}
