//! Tokens and money in words. An unknown price is never zero.

use std::collections::BTreeMap;

use teammate_core::{price::Prices, team::UsageTotal};
use teammate_view::known_amount;

/// What these answers cost, if it is known and more than nothing.
pub(super) fn money(prices: &Prices, models: &BTreeMap<String, UsageTotal>) -> Option<String> {
    known_amount(prices, models)
}

/// What they cost, or their tokens.
pub(super) fn money_or_tokens(prices: &Prices, models: &BTreeMap<String, UsageTotal>) -> String {
    money(prices, models).unwrap_or_else(|| {
        let sum: UsageTotal = models.values().sum();
        format!("{} tokens", tokens(sum.tokens()))
    })
}

/// So many tokens, in few characters.
pub(super) fn tokens(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{}k", count / 1_000),
        _ => format!("{}.{}M", count / 1_000_000, count / 100_000 % 10),
    }
}
