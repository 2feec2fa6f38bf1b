//! The cost of a team, as a table and as JSON.

use std::collections::BTreeMap;
use teammate_view::t;

use serde_json::{Value, json};
use teammate::{MemberSpending, Money, Prices, Spending, UsageTotal, estimate, with_thousands};
use teammate_view::{
    all_tokens, amount_or_unknown, cache_percent,
    screens::cost::{CostLine, cost_notes, cost_table},
};

use super::caches::cache_lines;

/// The table, line by line: each member, the lead first, then all together.
pub(crate) fn cost_lines(spending: &Spending, prices: &Prices) -> Vec<String> {
    let (members, all) = cost_table(spending, prices);
    let lines = members.iter().chain([&all]);
    let rows = lines.map(|line| line.cells(with_thousands));
    let rows: Vec<_> = [CostLine::HEADS.map(|head| t(head).to_owned())]
        .into_iter()
        .chain(rows)
        .collect();
    let mut lines = columns(&rows);
    lines.extend(cache_lines(spending));
    lines.extend(cost_notes(spending, prices));
    lines
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

/// A job's cost in a line, where its price is known.
pub(crate) fn cost_line(spending: &Spending, prices: &Prices) -> Option<String> {
    let (sum, models) = (spending.sum(), spending.models());
    (prices.cost_of(&models).priced > 0).then(|| {
        let requests = match sum.requests {
            1 => t("1 request").to_owned(),
            many => t!("{count} requests", count = with_thousands(many)),
        };
        let legend = match sum.is_estimated() {
            true => format!("; {}", estimate::LEGEND),
            false => String::new(),
        };
        t!(
            "cost: {amount} ({requests}, {tokens}{legend})",
            amount = amount_or_unknown(prices, &models),
            requests,
            tokens = all_tokens(&sum, with_thousands),
            legend
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
