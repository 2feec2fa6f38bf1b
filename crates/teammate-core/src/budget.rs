//! Budgets: how much a team and each member may spend, in all runs. Compared with what was spent before every
//! request, so each member goes beyond one by the request that reached it at most.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    MemberName, estimate,
    model::UsageTotal,
    price::{Cost, Decimal, Money, Prices},
    spending::{Spending, UsageItem, by_model},
};

/// The percentage of a limit from which the user gets a warning.
const NEAR_PERCENT: u128 = 80;

const MINUTE_MS: u64 = 60_000;

/// The most that a team or a member may spend. What is not named has no limit. A turn that reaches one is out of budget, and
/// continues when the budget is raised.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Budget {
    /// Tokens, in and out, those of caches included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Money, in the currency of the prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub money: Option<Decimal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<u64>,
    /// Minutes in turns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u64>,
}

impl Budget {
    /// Of each limit the lower one.
    #[must_use]
    pub fn tightened_by(self, other: Self) -> Self {
        Self {
            tokens: lower(self.tokens, other.tokens),
            money: lower(self.money, other.money),
            turns: lower(self.turns, other.turns),
            minutes: lower(self.minutes, other.minutes),
        }
    }
}

fn lower<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

/// The budgets of a team.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budgets {
    /// Of all together. Minutes count while at least one member is in a turn.
    pub team: Budget,
    pub member: Budget,
}

/// Whose budget it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum BudgetScope {
    Team,
    Member(MemberName),
}

impl fmt::Display for BudgetScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Team => f.write_str("the team's"),
            Self::Member(name) => write!(f, "{name}'s"),
        }
    }
}

/// The unit of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BudgetUnit {
    Tokens,
    Money,
    Turns,
    Minutes,
}

impl fmt::Display for BudgetUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tokens => "tokens",
            Self::Money => "money",
            Self::Turns => "turns",
            Self::Minutes => "minutes",
        })
    }
}

/// A limit that is near or reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetStatus {
    pub scope: BudgetScope,
    /// Of what.
    pub kind: BudgetUnit,
    /// Whether nothing is left.
    pub is_reached: bool,
    /// How much of how much, for the user.
    pub amount: String,
}

impl BudgetStatus {
    /// Why a turn stops here.
    pub fn refusal(&self) -> String {
        let (whose, amount) = (&self.scope, &self.amount);
        format!("{whose} budget is spent: {amount}")
    }

    /// The notice that not much is left.
    pub fn notice(&self) -> String {
        let (whose, amount) = (&self.scope, &self.amount);
        format!("{whose} budget is nearly spent: {amount}")
    }
}

impl Budgets {
    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Of each limit the lower one.
    #[must_use]
    pub fn tightened_by(self, other: Self) -> Self {
        Self {
            team: self.team.tightened_by(other.team),
            member: self.member.tightened_by(other.member),
        }
    }

    /// Whether money is limited, and so every model needs a price.
    pub fn limits_money(&self) -> bool {
        self.team.money.is_some() || self.member.money.is_some()
    }

    /// The limits of a member and of its team that are near or reached.
    pub fn statuses(
        &self,
        spent: &Spending,
        prices: &Prices,
        name: &MemberName,
    ) -> Vec<BudgetStatus> {
        let own = spent.member(name);
        let team = Spent {
            sum: spent.sum(),
            cost: prices.cost_of(&spent.models()),
            turns: spent.turns(),
            worked: spent.worked,
        };
        let own = Spent {
            sum: own.sum(),
            cost: prices.cost_of(&own.models),
            turns: own.turns,
            worked: own.worked,
        };
        let mut standings = team.against(&self.team, prices, &BudgetScope::Team);
        standings.extend(own.against(&self.member, prices, &BudgetScope::Member(name.clone())));
        standings
    }

    /// Whether the team's budget would be near if so many members had as much beyond `counted` as `tab` has.
    ///
    /// Where each hands its tab over as soon as this is true, either the budget is not near or everything is counted.
    pub fn is_near_if(
        &self,
        counted: &Spending,
        prices: &Prices,
        tab: &[UsageItem],
        members: usize,
    ) -> bool {
        let mut models = counted.models();
        for (model, total) in by_model(tab) {
            let model = models.entry(model).or_default();
            (0..members).for_each(|_| *model += total);
        }
        let team = Spent {
            sum: models.values().sum(),
            cost: prices.cost_of(&models),
            turns: counted.turns(),
            worked: counted.worked,
        };
        !team
            .against(&self.team, prices, &BudgetScope::Team)
            .is_empty()
    }
}

/// Amounts that are compared with a budget.
struct Spent {
    sum: UsageTotal,
    cost: Cost,
    turns: u64,
    worked: u64,
}

impl Spent {
    fn against(&self, budget: &Budget, prices: &Prices, whose: &BudgetScope) -> Vec<BudgetStatus> {
        let money = budget.money.map(|limit| {
            let (spent, limit) = (self.cost.money, Money::from(limit));
            let (shown, legend) = explained(spent, self.cost.is_estimated);
            let amount = format!("{shown} of {limit} {}{legend}", prices.currency);
            (BudgetUnit::Money, spent.picos(), limit.picos(), amount)
        });
        let count = |kind: BudgetUnit, spent: u64, is_estimated: bool, limit: Option<u64>| {
            let limit = limit?;
            let (shown, legend) = explained(with_thousands(spent), is_estimated);
            let amount = format!("{shown} of {} {kind}{legend}", with_thousands(limit));
            Some((kind, u128::from(spent), u128::from(limit), amount))
        };
        let (tokens, is_estimated) = (self.sum.tokens(), self.sum.is_estimated());
        let minutes = self.worked / MINUTE_MS;
        let limits = [
            money,
            count(BudgetUnit::Tokens, tokens, is_estimated, budget.tokens),
            count(BudgetUnit::Turns, self.turns, false, budget.turns),
            count(BudgetUnit::Minutes, minutes, false, budget.minutes),
        ];
        let near = limits.into_iter().flatten().filter(|(_, spent, limit, _)| {
            spent.saturating_mul(100) >= limit.saturating_mul(NEAR_PERCENT)
        });
        near.map(|(kind, spent, limit, amount)| BudgetStatus {
            scope: whose.clone(),
            kind,
            is_reached: spent >= limit,
            amount,
        })
        .collect()
    }
}

/// An amount that was spent, with a remark if it is estimated.
fn explained(amount: impl fmt::Display, is_estimated: bool) -> (String, String) {
    let legend = match is_estimated {
        true => format!(" ({})", estimate::LEGEND),
        false => String::new(),
    };
    (estimate::marked(amount, is_estimated), legend)
}

/// A number with its thousands apart.
pub fn with_thousands(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests;
