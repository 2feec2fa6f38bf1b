//! Tokens and money: by member, by task.

use ratatui::text::{Line, Span};
use teammate_core::{MemberName, budget::Budget, estimate, team::UsageTotal};
use teammate_view::{all_tokens, amount, known_amount, short, tokens};

use super::filled_or_cut;
use crate::{
    app::App,
    text::{column, fit, rule},
};

pub(crate) fn cost(app: &App, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let view = app.view();
    let spending = view.costs().spending(view.team());
    let mut lines = vec![rule(&title(app), columns, theme.dim)];
    let head = format!(
        " {:<10} {:>8} {:>9} {:>11} {:>8} {:>10}",
        "member", "requests", "in", "from cache", "out", "money"
    );
    lines.push(Line::styled(fit(&head, columns), theme.strong));
    for (name, member) in spending.members() {
        let sum = member.sum();
        let money = money(
            app,
            member.models.iter().map(|(model, total)| (model, *total)),
        );
        lines.push(row(name.as_str(), &sum, &money, columns));
    }
    let money_all = money(
        app,
        spending
            .models()
            .iter()
            .map(|(model, total)| (model, *total)),
    );
    lines.push(row("all", &spending.sum(), &money_all, columns).style(theme.strong));
    let tasks: Vec<_> = view.costs().by_task().collect();
    if !tasks.is_empty() {
        lines.push(rule(
            "By task, as far as this view has seen it",
            columns,
            theme.dim,
        ));
    }
    let subject = |id| view.team().board().task(id).map(|task| &*task.subject);
    let rest = view.costs().without_task(view.team());
    let rest = (!tasks.is_empty() && !rest.is_empty()).then(|| (" no task".to_owned(), &rest));
    let by_task = tasks.iter().map(|(id, models)| {
        (
            format!(" {id} {}", subject(*id).unwrap_or_default()),
            *models,
        )
    });
    for (text, models) in by_task.chain(rest) {
        let money = money(app, models.iter().map(|(model, total)| (model, *total)));
        lines.push(Line::from(vec![
            Span::raw(column(&text, columns.saturating_sub(14))),
            Span::raw(format!("{money:>12}")),
        ]));
    }
    if spending.sum().is_estimated() {
        let text = format!(" {}", estimate::LEGEND);
        lines.push(Line::styled(fit(&text, columns), theme.dim));
    }
    if let Some(day) = app.setup.prices.as_of(spending.models().keys()) {
        let text =
            format!(" Prices of the catalogue as of {day}; your own are in the configuration");
        lines.push(Line::styled(fit(&text, columns), theme.dim));
    }
    filled_or_cut(lines, rows, theme)
}

fn title(app: &App) -> String {
    let limits = limits(app);
    match limits.is_empty() {
        true => format!("Cost: {}", money_line(app)),
        false => format!("Cost: {}, at most {}", money_line(app), limits.join(", ")),
    }
}

/// The limits of all spending: each one that there is, the one on money first.
fn limits(app: &App) -> Vec<String> {
    let Budget {
        tokens: most_tokens,
        money,
        turns,
        minutes,
    } = app.setup.limits;
    let limits = [
        money.map(|most| amount(&app.setup.prices.currency, most.into())),
        most_tokens.map(|most| format!("{} tokens", short(most))),
        turns.map(|most| format!("{most} turns")),
        minutes.map(|most| format!("{most} minutes")),
    ];
    limits.into_iter().flatten().collect()
}

fn row(name: &str, sum: &UsageTotal, money: &str, columns: usize) -> Line<'static> {
    let cached = match sum.input() {
        0 => String::new(),
        all => format!("{} %", sum.usage.cache_read * 100 / all),
    };
    let shown = |count| tokens(sum.known(count), sum.is_estimated(), short);
    let text = format!(
        " {} {:>8} {:>9} {:>11} {:>8} {:>10}",
        column(name, 10),
        sum.requests,
        shown(sum.input()),
        cached,
        shown(sum.usage.output),
        money
    );
    Line::raw(fit(&text, columns))
}

/// The spending of a member, for a column.
pub(crate) fn money_of(app: &App, member: &MemberName) -> String {
    let view = app.view();
    let spent = view.costs().of_member(view.team(), member);
    money(
        app,
        spent.models.iter().map(|(model, total)| (model, *total)),
    )
}

/// The spending of all.
pub(crate) fn money_line(app: &App) -> String {
    let view = app.view();
    let spending = view.costs().spending(view.team());
    let models = spending.models();
    let text = money(app, models.iter().map(|(model, total)| (model, *total)));
    match text.is_empty() {
        true => all_tokens(&spending.sum(), short),
        false => text,
    }
}

/// Money, if it is known; never zero for what has no price.
fn money<'a>(app: &App, models: impl Iterator<Item = (&'a String, UsageTotal)>) -> String {
    let models: Vec<_> = models.collect();
    let models = models.iter().map(|(model, total)| (*model, total));
    known_amount(&app.setup.prices, models).unwrap_or_default()
}
