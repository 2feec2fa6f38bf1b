//! What a team has cost, as a table and as JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use teammate::{
    Cost, MemberSpending, Money, Prices, Spending, UsageTotal, estimate, with_thousands,
};
use teammate_view::{all_tokens, tokens};

use super::{caches::cache_lines, clean};

/// The table, line by line: each member, the lead first, then all together.
pub(crate) fn cost_lines(spending: &Spending, prices: &Prices) -> Vec<String> {
    let mut rows = vec![
        [
            "",
            "requests",
            "turns",
            "tokens in",
            "from cache",
            "out",
            "money",
        ]
        .map(str::to_owned),
    ];
    let mut members: Vec<_> = spending.members().collect();
    members.sort_by_key(|(name, _)| !name.is_lead());
    for (name, member) in members {
        let bill = prices.cost_of(&member.models);
        rows.push(row(
            name.as_str(),
            member.sum(),
            member.turns,
            &bill,
            prices,
        ));
    }
    let bill = prices.cost_of(&spending.models());
    rows.push(row(
        "total",
        spending.sum(),
        spending.turns(),
        &bill,
        prices,
    ));
    let mut lines = columns(&rows);
    lines.extend(cache_lines(spending));
    let models = spending.models();
    let unpriced = models
        .iter()
        .filter(|(model, sum)| sum.tokens() > 0 && prices.paid(model, &sum.usage).is_none());
    lines.extend(unpriced.map(|(model, sum)| {
        let tokens = all_tokens(sum, with_thousands);
        let model = clean(model);
        format!("The cost of {tokens} of {model} is unknown: the configuration has no [prices.\"{model}\"]")
    }));
    lines.extend(models.iter().filter(|(_, sum)| sum.is_unknown()).map(|(model, sum)| {
        let (requests, model) = (with_thousands(sum.requests), clean(model));
        format!("The tokens of {requests} requests to {model} are unknown: its server or agent did not report them")
    }));
    if spending.sum().is_estimated() {
        lines.push(estimate::LEGEND.to_owned());
    }
    if let Some(day) = prices.as_of(models.keys()) {
        lines.push(format!(
            "Prices that you have not set are the vendors' own as of {day}"
        ));
    }
    lines
}

fn row(name: &str, sum: UsageTotal, turns: u64, bill: &Cost, prices: &Prices) -> [String; 7] {
    let shown = |count| tokens(sum.known(count), sum.is_estimated(), with_thousands);
    [
        name.to_owned(),
        with_thousands(sum.requests),
        with_thousands(turns),
        shown(sum.input()),
        format!("{} %", cache_percent(sum)),
        shown(sum.usage.output),
        money(bill, prices),
    ]
}

/// The name to the left, everything else to the right of its column.
fn columns(rows: &[[String; 7]]) -> Vec<String> {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: [usize; 7] = std::array::from_fn(width);
    let line = |row: &[String; 7]| {
        let cells = row.iter().zip(widths).enumerate();
        let cells = cells.map(|(at, (cell, width))| match at {
            0 => format!("  {cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        });
        cells.collect::<String>()
    };
    rows.iter().map(line).collect()
}

/// An amount in words: what is not known is never shown as nothing.
fn money(bill: &Cost, prices: &Prices) -> String {
    let Some(money) = bill.known() else {
        return estimate::UNKNOWN.to_owned();
    };
    let shown = estimate::marked(money, bill.is_estimated);
    let rest = match bill.has_unknown() {
        true => format!(" + {}", estimate::UNKNOWN),
        false => String::new(),
    };
    format!("{shown} {}{rest}", prices.currency)
}

/// A job's cost in a line, where its price is known.
pub(crate) fn cost_line(spending: &Spending, prices: &Prices) -> Option<String> {
    let (sum, bill) = (spending.sum(), prices.cost_of(&spending.models()));
    (bill.priced > 0).then(|| {
        let (requests, tokens) = (
            with_thousands(sum.requests),
            all_tokens(&sum, with_thousands),
        );
        let plural = if sum.requests == 1 { "" } else { "s" };
        let legend = match sum.is_estimated() {
            true => format!("; {}", estimate::LEGEND),
            false => String::new(),
        };
        format!(
            "cost: {} ({requests} request{plural}, {tokens}{legend})",
            money(&bill, prices)
        )
    })
}

/// The cost as JSON: `amount` is a string of decimal digits, or null where nothing is known; `prices_as_of` is the day of the
/// catalogue if a price is from there.
pub(crate) fn money_json(models: &BTreeMap<String, UsageTotal>, prices: &Prices) -> Value {
    let bill = prices.cost_of(models);
    json!({
        "amount": bill.known().map(Money::exact),
        "currency": prices.currency,
        "estimated": bill.is_estimated,
        "unpriced_tokens": bill.unpriced,
        "prices_as_of": prices.as_of(models.keys()),
    })
}

/// Everything that is known; null where nobody counted or estimated tokens.
pub(crate) fn cost_json(spending: &Spending, prices: &Prices) -> Value {
    let models = |models: &BTreeMap<String, UsageTotal>| -> Value {
        let each = models.iter().map(|(model, sum)| {
            let one = BTreeMap::from([(model.clone(), *sum)]);
            (model.clone(), sum_json(*sum, &one, prices))
        });
        each.collect::<serde_json::Map<_, _>>().into()
    };
    let member = |member: &MemberSpending| {
        let mut value = sum_json(member.sum(), &member.models, prices);
        value["turns"] = member.turns.into();
        value["worked_ms"] = member.worked.into();
        value["models"] = models(&member.models);
        value
    };
    let members: serde_json::Map<_, _> = spending
        .members()
        .map(|(name, spent)| (name.to_string(), member(spent)))
        .collect();
    let mut total = sum_json(spending.sum(), &spending.models(), prices);
    total["turns"] = spending.turns().into();
    total["worked_ms"] = spending.worked.into();
    total["models"] = models(&spending.models());
    json!({ "total": total, "members": members })
}

fn sum_json(sum: UsageTotal, models: &BTreeMap<String, UsageTotal>, prices: &Prices) -> Value {
    json!({
        "requests": sum.requests,
        "tokens_in": sum.known(sum.input()),
        "tokens_out": sum.known(sum.usage.output),
        "tokens_estimated": sum.usage.estimated,
        "cache_read": sum.usage.cache_read,
        "cache_write": sum.usage.cache_write,
        "cache_write_long": sum.usage.cache_write_long,
        "cache_lost": sum.usage.cache_lost,
        "reasoning": sum.usage.reasoning,
        "cache_percent": cache_percent(sum),
        "money": money_json(models, prices),
    })
}

/// How much of the input was read from a cache.
fn cache_percent(sum: UsageTotal) -> u64 {
    let (read, input) = (u128::from(sum.usage.cache_read), u128::from(sum.input()));
    let percent = (read * 100).checked_div(input).unwrap_or(0);
    u64::try_from(percent).unwrap_or(100)
}
