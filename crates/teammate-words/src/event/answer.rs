//! An answer of a model as the event stream has it: its price, and how full the model's context is after it.

use serde::{Deserialize, Serialize};

use crate::price::Money;

/// A price that was paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paid {
    /// How much: every digit, as text.
    pub amount: Money,
    /// Of which money.
    pub currency: String,
    /// Whether it is the price of tokens of which some are estimated: the server did not report them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

/// How much of a model's context a conversation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextUse {
    /// The tokens of the last request and its answer.
    pub used: u64,
    /// The tokens that the model takes; nothing if neither a setting nor the model's server or catalogue says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Whether `used` is estimated: the server did not report it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}
