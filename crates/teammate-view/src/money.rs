//! Money in words: the same digits in every list and sum, so that parts add up to what stands below them.

use teammate_core::{
    price::{Money, Prices},
    team::UsageTotal,
};

/// What these answers cost, if it is known and more than nothing: an unknown price is never zero.
pub fn known_amount<'a>(
    prices: &Prices,
    models: impl IntoIterator<Item = (&'a String, &'a UsageTotal)>,
) -> Option<String> {
    let known = prices.cost_of(models).known()?;
    (known.picos() > 0).then(|| amount(&prices.currency, known))
}

/// An amount with its currency, with the digits of [`Money`] for people; without the last two where they are zero.
pub fn amount(currency: &str, money: Money) -> String {
    let money = money.to_string();
    let money = money.strip_suffix("00").unwrap_or(&money);
    match currency {
        "USD" | "" => format!("${money}"),
        other => format!("{other} {money}"),
    }
}

#[cfg(test)]
mod tests {
    use teammate_core::price::Decimal;

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
}
