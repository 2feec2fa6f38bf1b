//! Tokens and money in words. An unknown price is never zero.

use std::collections::BTreeMap;

use teammate_core::{price::Prices, team::UsageTotal};
use teammate_view::{all_tokens, known_amount, short};

/// The cost of these answers, if it is known and more than nothing.
pub(super) fn money(prices: &Prices, models: &BTreeMap<String, UsageTotal>) -> Option<String> {
    known_amount(prices, models)
}

/// The cost of these answers, or their tokens.
pub(super) fn money_or_tokens(prices: &Prices, models: &BTreeMap<String, UsageTotal>) -> String {
    money(prices, models).unwrap_or_else(|| {
        let sum: UsageTotal = models.values().sum();
        all_tokens(&sum, short)
    })
}
