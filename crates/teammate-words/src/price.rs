//! Prices and money, in integers. What the user configures counts before what the catalogue knows, which has a date: prices
//! change.

use std::{collections::BTreeMap, fmt, ops::AddAssign, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::model::{Usage, UsageTotal};

/// Digits after the point that a price or an amount may have.
const DIGITS: usize = 6;
/// The money in which external agents report what they cost.
const REPORTED_IN: &str = "USD";
/// Millionths in one.
const MICRO: u128 = 1_000_000;

/// A decimal that is not negative, exact to a millionth: what the user writes as `3`, `0.25` or `"1.10"`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal {
    micros: u64,
}

/// As it is written: `3`, `0.25`.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.micros / 1_000_000, self.micros % 1_000_000);
        let part = format!("{part:0DIGITS$}");
        match part.trim_end_matches('0') {
            "" => write!(f, "{whole}"),
            part => write!(f, "{whole}.{part}"),
        }
    }
}

/// Why a text is no decimal number, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not an amount; write a number like 5 or 0.25, with at most {DIGITS} digits after the point"
)]
pub struct DecimalError(String);

/// As it is written, as text: no reader computes with floats.
impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Decimal {
    type Err = DecimalError;

    fn from_str(text: &str) -> Result<Self, DecimalError> {
        let error = || DecimalError(text.chars().take(40).collect());
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let part = part.trim_end_matches('0');
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_plain(whole) || !is_plain(part) || part.len() > DIGITS {
            return Err(error());
        }
        let whole: u64 = whole.parse().map_err(|_| error())?;
        let part: u64 = format!("{part:0<DIGITS$}").parse().map_err(|_| error())?;
        let micros = whole
            .checked_mul(1_000_000)
            .and_then(|m| m.checked_add(part));
        micros.map(|micros| Self { micros }).ok_or_else(error)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    /// A number is read by the digits it was written with; nothing is computed with floats.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;
        impl de::Visitor<'_> for Written {
            type Value = Decimal;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an amount like 5 or 0.25")
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Decimal, E> {
                value.to_string().parse().map_err(E::custom)
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Decimal, E> {
                value.to_string().parse().map_err(E::custom)
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Decimal, E> {
                // The shortest digits that mean this number: those that were written.
                value.to_string().parse().map_err(E::custom)
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<Decimal, E> {
                value.parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Written)
    }
}

/// An amount of money, exact: in millionths of a millionth, which is what one token costs at a price for a million.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Money {
    picos: u128,
}

impl From<Decimal> for Money {
    fn from(amount: Decimal) -> Self {
        Self {
            picos: u128::from(amount.micros) * MICRO,
        }
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        self.picos = self.picos.saturating_add(other.picos);
    }
}

impl Money {
    /// In millionths of a millionth.
    pub fn picos(self) -> u128 {
        self.picos
    }

    /// Reads an amount that [`exact`](Self::exact) wrote.
    fn read_exact(text: &str) -> Option<Self> {
        const PLACES: usize = 2 * DIGITS;
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !is_plain(whole) || !is_plain(part) || part.len() > PLACES {
            return None;
        }
        let part: u128 = format!("{part:0<PLACES$}").parse().ok()?;
        let whole: u128 = whole.parse().ok()?;
        let picos = whole.checked_mul(MICRO * MICRO)?.checked_add(part)?;
        Some(Self { picos })
    }

    /// Every digit that is not zero, and two after the point at least.
    pub fn exact(self) -> String {
        let (whole, part) = (self.picos / (MICRO * MICRO), self.picos % (MICRO * MICRO));
        let part = format!("{part:012}");
        let part = part.trim_end_matches('0');
        format!("{whole}.{part:0<2}")
    }
}

/// As [`Money::exact`] gives it, as text: no reader computes with floats.
impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.exact())
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::read_exact(&text)
            .ok_or_else(|| de::Error::custom(format!("'{text}' is no amount of money")))
    }
}

/// For people: four digits after the point, rounded up, so that something never looks like nothing.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.picos.div_ceil(MICRO * 100);
        write!(f, "{}.{:04}", shown / 10_000, shown % 10_000)
    }
}

/// The price of a million tokens of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Input that no cache had a part in.
    pub input: Decimal,
    pub output: Decimal,
    /// Input read from a cache; with `None`, costs as much as other input.
    #[serde(default)]
    pub cache_read: Option<Decimal>,
    /// Input written to a cache; with `None`, costs as much as other input.
    #[serde(default)]
    pub cache_write: Option<Decimal>,
    /// Input written to a cache that lasts an hour; with `None`, costs as much as one that lasts minutes.
    #[serde(default)]
    pub cache_write_long: Option<Decimal>,
}

impl Price {
    /// The price of this use.
    pub fn of(&self, usage: &Usage) -> Money {
        let cost = |tokens: u64, price: Decimal| u128::from(tokens) * u128::from(price.micros);
        let write = self.cache_write.unwrap_or(self.input);
        let long = usage.cache_write_long.min(usage.cache_write);
        let costs = [
            cost(usage.input, self.input),
            cost(usage.output, self.output),
            cost(usage.cache_read, self.cache_read.unwrap_or(self.input)),
            cost(usage.cache_write - long, write),
            cost(long, self.cache_write_long.unwrap_or(write)),
        ];
        let mut money = Money::default();
        for picos in costs {
            money += Money { picos };
        }
        money
    }
}

/// Prices of models: the user's, or else the catalogue's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    /// The name of the money: only ever shown.
    pub currency: String,
    /// The user's prices: by model, or by how a model's name begins, followed by `*`.
    pub table: BTreeMap<String, Price>,
    /// Those of the catalogue, in the same money.
    pub known: KnownPrices,
}

/// Prices that somebody looked up on a day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownPrices {
    /// That day, as `2026-11-24`.
    pub as_of: String,
    /// By pattern, as in [`Prices::table`]; the first that fits counts. `None`: the model is known, its price is not.
    pub list: Vec<(String, Option<Price>)>,
}

impl Default for Prices {
    fn default() -> Self {
        Self {
            currency: "USD".to_owned(),
            table: BTreeMap::new(),
            known: KnownPrices::default(),
        }
    }
}

impl Prices {
    /// The price of a model: the user's for its name, or for the longest pattern that fits, or else the catalogue's.
    pub fn of(&self, model: &str) -> Option<&Price> {
        self.configured(model).or_else(|| self.known.of(model))
    }

    fn configured(&self, model: &str) -> Option<&Price> {
        self.table.get(model).or_else(|| {
            let patterns = self.table.keys().filter(|pattern| fits(pattern, model));
            self.table
                .get(patterns.max_by_key(|pattern| pattern.len())?)
        })
    }

    /// The charge for an answer: by the model's price, or else by the word of an external agent, if the money here is what
    /// agents report. `None` where nobody knows: a model without a price, or tokens that nobody counted or estimated.
    pub fn paid(&self, model: &str, usage: &Usage) -> Option<Charge> {
        let reported = || Charge {
            money: Money {
                picos: u128::from(usage.reported_micros) * MICRO,
            },
            is_estimated: false,
        };
        let is_reported = usage.reported_micros > 0 && self.currency == REPORTED_IN;
        let price = self.of(model).filter(|_| usage.total() > 0);
        let priced = price.map(|price| Charge {
            money: price.of(usage),
            is_estimated: usage.estimated > 0,
        });
        priced.or_else(|| is_reported.then(reported))
    }

    /// The day of the catalogue, if any of these models has its price from there.
    pub fn as_of<'a>(&self, models: impl IntoIterator<Item = &'a String>) -> Option<&str> {
        let mut models = models.into_iter();
        let is_known =
            models.any(|model| self.configured(model).is_none() && self.known.of(model).is_some());
        is_known.then_some(self.known.as_of.as_str())
    }

    /// The cost of all these uses, as far as prices are known.
    pub fn cost_of<'a>(
        &self,
        models: impl IntoIterator<Item = (&'a String, &'a UsageTotal)>,
    ) -> Cost {
        let mut bill = Cost::default();
        for (model, sum) in models {
            match self.paid(model, &sum.usage) {
                Some(paid) => {
                    bill.priced = bill.priced.saturating_add(sum.tokens());
                    bill.money += paid.money;
                    bill.is_estimated |= paid.is_estimated;
                }
                None if sum.is_unknown() => bill.uncounted += sum.requests,
                None => bill.unpriced = bill.unpriced.saturating_add(sum.tokens()),
            }
        }
        bill
    }
}

impl KnownPrices {
    fn of(&self, model: &str) -> Option<&Price> {
        let (_, price) = self.list.iter().find(|(pattern, _)| fits(pattern, model))?;
        price.as_ref()
    }
}

/// Whether a model has this name, or begins so if a `*` follows.
fn fits(pattern: &str, model: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => model.starts_with(start),
        None => pattern == model,
    }
}

/// The charge for some answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    pub money: Money,
    /// Whether it is the price of tokens of which some are estimated.
    pub is_estimated: bool,
}

/// A cost, as far as it is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cost {
    /// The cost of the tokens that have a price.
    pub money: Money,
    /// How many these are.
    pub priced: u64,
    /// Whether some of these are estimated, and so is the money.
    pub is_estimated: bool,
    /// Tokens of models without a price: what they cost is not known.
    pub unpriced: u64,
    /// Answers whose tokens nobody counted or estimated: what they cost is not known.
    pub uncounted: u64,
}

impl Cost {
    /// The money, if any of it is known, or nothing was spent.
    pub fn known(&self) -> Option<Money> {
        (self.priced > 0 || !self.has_unknown()).then_some(self.money)
    }

    /// Whether there is something whose cost is not known.
    pub fn has_unknown(&self) -> bool {
        self.unpriced > 0 || self.uncounted > 0
    }
}

#[cfg(test)]
mod tests;
