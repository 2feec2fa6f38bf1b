//! What may be spent, and what models cost: flags and the configuration file's tables.

use std::collections::BTreeMap;

use anyhow::bail;
use clap::Args;
use serde::Deserialize;
use teammate::{Budget, Budgets, Decimal, Price, Prices};

/// How much the whole team may spend. A flag comes before the file's `[budget]`.
#[derive(Args, Clone, Default)]
pub(super) struct Flags {
    /// The most tokens that the team may use in its whole life, in and out
    #[arg(long, global = true, value_name = "N")]
    budget_tokens: Option<u64>,

    /// The most money that the team may cost in its whole life; models need [prices] in the configuration
    #[arg(long, global = true, value_name = "AMOUNT")]
    budget_money: Option<Decimal>,

    /// The most turns of all members together
    #[arg(long, global = true, value_name = "N")]
    budget_turns: Option<u64>,

    /// The most minutes in which anybody works
    #[arg(long, global = true, value_name = "N")]
    budget_minutes: Option<u64>,
}

/// `[budget]` with `[budget.member]`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct BudgetTable {
    tokens: Option<u64>,
    money: Option<Decimal>,
    turns: Option<u64>,
    minutes: Option<u64>,
    /// Of each member.
    member: Budget,
}

impl Flags {
    pub(super) fn budgets(&self, file: &BudgetTable) -> Budgets {
        Budgets {
            team: Budget {
                tokens: self.budget_tokens.or(file.tokens),
                money: self.budget_money.or(file.money),
                turns: self.budget_turns.or(file.turns),
                minutes: self.budget_minutes.or(file.minutes),
            },
            member: file.member,
        }
    }
}

/// The price table. A name that can fit no model is a slip that would leave money unknown.
pub(super) fn prices(
    currency: Option<String>,
    table: BTreeMap<String, Price>,
) -> anyhow::Result<Prices> {
    if let Some(name) = table.keys().find(|name| !name.contains([':', '*'])) {
        bail!(
            "prices: '{name}' names no model; write PROVIDER:NAME, or how it begins followed by *"
        );
    }
    let currency = currency.unwrap_or_else(|| Prices::default().currency);
    Ok(Prices { currency, table })
}
