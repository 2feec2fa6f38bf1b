//! What may be spent, and what models cost: flags and the configuration file's tables.

use std::collections::BTreeMap;

use anyhow::bail;
use clap::Args;
use serde::Deserialize;
use teammate::{Budget, Budgets, Decimal, Price, Prices};

/// `[budget]` with `[budget.member]`, and the flags for the team's.
#[derive(Args, Deserialize, Clone, Default)]
#[serde(deny_unknown_fields, default)]
#[group(skip)]
pub(super) struct Limits {
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

impl Limits {
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

/// The price table. A name that can fit no model is a slip that would leave money unknown.
pub(super) fn prices(
    currency: Option<String>,
    table: BTreeMap<String, Price>,
) -> anyhow::Result<Prices> {
    if let Some(name) = table.keys().find(|name| !name.contains([':', '*'])) {
        bail!(
            "prices: '{name}' names no model; write PROVIDER:NAME, or its beginning followed by *"
        );
    }
    let currency = currency.unwrap_or_else(|| Prices::default().currency);
    Ok(Prices { currency, table })
}
