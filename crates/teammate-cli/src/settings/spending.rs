//! Budgets and prices: flags and the configuration file's tables.

use std::collections::BTreeMap;

use anyhow::bail;
use clap::Args;
use serde::Deserialize;
use teammate::{Budget, Budgets, Catalogue, Decimal, KnownPrices, Price, Prices, Providers};

use super::models::ModelTable;

/// `[budget]` with `[budget.member]`, and the flags for the team's.
#[derive(Args, Deserialize, Clone, Default)]
#[serde(deny_unknown_fields, default)]
#[group(skip)]
pub(super) struct BudgetLimits {
    /// Tokens that the team may use in all its runs, in and out
    #[arg(
        id = "budget_tokens",
        long = "budget-tokens",
        global = true,
        value_name = "N"
    )]
    tokens: Option<u64>,

    /// Money that the team may cost in all its runs; needs [prices] in the configuration
    #[arg(
        id = "budget_money",
        long = "budget-money",
        global = true,
        value_name = "AMOUNT"
    )]
    money: Option<Decimal>,

    /// Turns of all members together, at most
    #[arg(
        id = "budget_turns",
        long = "budget-turns",
        global = true,
        value_name = "N"
    )]
    turns: Option<u64>,

    /// Minutes in which at least one member works, at most
    #[arg(
        id = "budget_minutes",
        long = "budget-minutes",
        global = true,
        value_name = "N"
    )]
    minutes: Option<u64>,

    /// Of each member.
    #[arg(skip)]
    member: Budget,
}

impl BudgetLimits {
    /// These, and what they leave open as `file` has it.
    pub(super) fn over(self, file: &Self) -> Self {
        Self {
            tokens: self.tokens.or(file.tokens),
            money: self.money.or(file.money),
            turns: self.turns.or(file.turns),
            minutes: self.minutes.or(file.minutes),
            member: file.member,
        }
    }

    pub(super) fn budgets(&self) -> Budgets {
        let Self {
            tokens,
            money,
            turns,
            minutes,
            member,
        } = *self;
        Budgets {
            team: Budget {
                tokens,
                money,
                turns,
                minutes,
            },
            member,
        }
    }
}

/// Prices of models: the user's table and entries, and beneath them the catalogue's for these servers, if in the same money. A name that
/// can fit no model is an error: it would leave money unknown.
pub(super) fn prices(
    currency: Option<String>,
    table: &BTreeMap<String, Price>,
    models: &BTreeMap<String, ModelTable>,
    providers: &Providers,
) -> anyhow::Result<Prices> {
    if let Some(name) = table.keys().find(|name| !name.contains([':', '*'])) {
        bail!(
            "prices: '{name}' names no model; write PROVIDER:NAME, or its beginning followed by *"
        );
    }
    let of_models = models
        .iter()
        .filter_map(|(name, entry)| Some((name.clone(), entry.price()?)));
    let table = of_models.chain(table.clone()).collect();
    let catalogue = &Catalogue::built_in().currency;
    let currency = currency.unwrap_or_else(|| catalogue.clone());
    let known = match currency == *catalogue {
        true => providers.known_prices(),
        false => KnownPrices::default(),
    };
    Ok(Prices {
        currency,
        table,
        known,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_known_on_the_first_day() {
        let providers = Providers::from_env();
        let prices = |currency: Option<&str>, table: &[(&str, Price)]| {
            let table = table
                .iter()
                .map(|(name, price)| ((*name).to_owned(), *price));
            let currency = currency.map(str::to_owned);
            prices(currency, &table.collect(), &BTreeMap::new(), &providers).unwrap()
        };
        let model = "anthropic:claude-sonnet-5-5";
        let known = prices(None, &[]);
        let price = *known.of(model).unwrap();
        assert_eq!(price.input, "2".parse().unwrap());
        assert_eq!(
            known.as_of([&model.to_owned()]),
            Some(known.known.as_of.as_str())
        );
        // A gateway may ask for more.
        assert!(known.of("gateway:claude-sonnet-5-5").is_none());
        // The catalogue counts in dollars.
        assert!(prices(Some("EUR"), &[]).of(model).is_none());
        let own = Price {
            input: "9".parse().unwrap(),
            ..price
        };
        let user = prices(None, &[("anthropic:*", own)]);
        assert_eq!(user.of(model), Some(&own));
        assert_eq!(user.as_of([&model.to_owned()]), None);
    }
}
