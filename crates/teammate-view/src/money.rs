//! Money and tokens in words: the same digits in every list and sum, so that parts add up to what stands below them. What is
//! estimated has a mark, and what is unknown is never zero.

use crate::t;
use std::{collections::BTreeMap, fmt};

use teammate_core::{
    estimate::{UNKNOWN, marked},
    price::{Cost, Money, Prices},
    team::UsageTotal,
};

/// The cost of these answers, if it is known and more than nothing, with `+?` where a part is not known.
pub fn known_amount<'a>(
    prices: &Prices,
    models: impl IntoIterator<Item = (&'a String, &'a UsageTotal)>,
) -> Option<String> {
    let cost = prices.cost_of(models);
    cost_text(&cost, prices).filter(|_| cost.known().is_some_and(|money| money.picos() > 0))
}

/// The cost of these answers for a table: `$0.00` where it is nothing, `unknown` where nothing is known.
pub fn amount_or_unknown<'a>(
    prices: &Prices,
    models: impl IntoIterator<Item = (&'a String, &'a UsageTotal)>,
) -> String {
    let cost = prices.cost_of(models);
    cost_text(&cost, prices).unwrap_or_else(|| t(UNKNOWN).to_owned())
}

fn cost_text(cost: &Cost, prices: &Prices) -> Option<String> {
    let rest = if cost.has_unknown() { "+?" } else { "" };
    let text = amount(&prices.currency, cost.known()?) + rest;
    Some(marked(text, cost.is_estimated))
}

/// The cost of these answers, or their tokens where it is not known.
pub fn money_or_tokens(prices: &Prices, models: &BTreeMap<String, UsageTotal>) -> String {
    known_amount(prices, models).unwrap_or_else(|| {
        let sum: UsageTotal = models.values().sum();
        all_tokens(&sum, short)
    })
}

/// How much of the input was read from a cache, in percent.
pub fn cache_percent(sum: UsageTotal) -> u64 {
    let (read, input) = (u128::from(sum.usage.cache_read), u128::from(sum.input()));
    let percent = (read * 100).checked_div(input).unwrap_or(0);
    u64::try_from(percent).unwrap_or(100)
}

/// So many tokens, written by `digits`.
pub fn tokens(
    count: Option<u64>,
    is_estimated: bool,
    digits: impl FnOnce(u64) -> String,
) -> String {
    match count {
        Some(count) => marked(digits(count), is_estimated),
        None => t(UNKNOWN).to_owned(),
    }
}

/// All tokens of these answers, in and out, as `~12k tokens`.
pub fn all_tokens(sum: &UsageTotal, digits: impl FnOnce(u64) -> String) -> String {
    let count = sum.known(sum.tokens());
    t!(
        "{tokens} tokens",
        tokens = tokens(count, sum.is_estimated(), digits)
    )
}

/// How much of a context is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextShare {
    /// In percent, 100 at most.
    pub percent: u64,
    pub is_estimated: bool,
}

/// The number, with a mark if it is estimated.
impl fmt::Display for ContextShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&marked(self.percent, self.is_estimated))
    }
}

/// The share of the context in words: `ctx 12%`.
pub(crate) fn context_text(share: ContextShare) -> String {
    format!("ctx {share}%")
}

/// A number in few characters.
pub fn short(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..1_000_000 => format!("{}k", count / 1_000),
        _ => format!("{}.{}M", count / 1_000_000, count / 100_000 % 10),
    }
}

/// An amount with its currency, with the digits of [`Money`] for people; without the last two where they are zero.
pub(crate) fn amount(currency: &str, money: Money) -> String {
    let money = money.to_string();
    let money = money.strip_suffix("00").unwrap_or(&money);
    match currency {
        "USD" | "" => format!("${money}"),
        other => format!("{other} {money}"),
    }
}

#[cfg(test)]
mod tests {
    use teammate_core::{
        model::Usage,
        price::{Decimal, Price},
    };

    use super::*;

    #[test]
    fn parts_add_up_to_their_sum() {
        let money = |text: &str| Money::from(text.parse::<Decimal>().unwrap());
        let parts = ["0.0022", "0.0705", "1"].map(money);
        let mut sum = Money::default();
        parts.into_iter().for_each(|part| sum += part);
        assert_eq!(
            parts.map(|part| amount("USD", part)),
            ["$0.0022", "$0.0705", "$1.00"]
        );
        assert_eq!(amount("EUR", sum), "EUR 1.0727");
    }

    #[test]
    fn estimates_are_marked_and_the_unknown_is_never_zero() {
        let price = Price {
            input: "1000".parse().unwrap(),
            output: "1000".parse().unwrap(),
            cache_read: None,
            cache_write: None,
            cache_write_long: None,
        };
        let prices = Prices {
            table: [("a:*".to_owned(), price)].into(),
            ..Prices::default()
        };
        let sum = |input, estimated| {
            UsageTotal::one(Usage {
                input,
                estimated,
                ..Usage::default()
            })
        };
        let (counted, part, unknown) = (sum(12_345, 0), sum(12_345, 1), sum(0, 0));
        for (models, money, all) in [
            (vec![("a:one", counted)], Some("$12.3450"), "12k tokens"),
            (vec![("a:one", part)], Some("~$12.3450"), "~12k tokens"),
            (vec![("a:one", unknown)], None, "unknown tokens"),
            (vec![("b:two", part)], None, "~12k tokens"),
            (
                vec![("a:one", counted), ("b:two", counted)],
                Some("$12.3450+?"),
                "24k tokens",
            ),
            (
                vec![("a:one", counted), ("a:two", unknown)],
                Some("$12.3450+?"),
                "12k tokens",
            ),
            (vec![], None, "0 tokens"),
        ] {
            let models: Vec<_> = models
                .into_iter()
                .map(|(model, sum)| (model.to_owned(), sum))
                .collect();
            let shown = known_amount(&prices, models.iter().map(|(model, sum)| (model, sum)));
            assert_eq!(shown.as_deref(), money, "{models:?}");
            let sum: UsageTotal = models.iter().map(|(_, sum)| sum).sum();
            assert_eq!(all_tokens(&sum, short), all, "{models:?}");
        }
    }
}
