//! Tokens and money in words. An unknown price is never zero.

use std::collections::BTreeMap;

use teammate_core::{
    price::{Money, Prices},
    team::UsageTotal,
};

/// What one has to divide by for cents.
const PICOS_IN_A_CENT: u128 = 10_000_000_000;

/// What these answers cost, if it is known and more than nothing.
pub(super) fn money(prices: &Prices, models: &BTreeMap<String, UsageTotal>) -> Option<String> {
    let known = prices.cost_of(models.iter()).known()?;
    (known.picos() > 0).then(|| amount(&prices.currency, known))
}

/// What they cost, or their tokens.
pub(super) fn money_or_tokens(prices: &Prices, models: &BTreeMap<String, UsageTotal>) -> String {
    money(prices, models).unwrap_or_else(|| {
        let sum: UsageTotal = models.values().sum();
        format!("{} tokens", tokens(sum.tokens()))
    })
}

/// To the cent, rounded up, so that something never looks like nothing.
pub(super) fn amount(currency: &str, money: Money) -> String {
    let cents = money.picos().div_ceil(PICOS_IN_A_CENT);
    let sign = match currency {
        "USD" | "" => "$".to_owned(),
        other => format!("{other} "),
    };
    format!("{sign}{}.{:02}", cents / 100, cents % 100)
}

/// So many tokens, in few characters.
pub(super) fn tokens(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{}k", count / 1_000),
        _ => format!("{}.{}M", count / 1_000_000, count / 100_000 % 10),
    }
}
