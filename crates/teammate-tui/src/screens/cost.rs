//! Tokens and money: by member, by task.

use ratatui::text::{Line, Span};
use teammate_view::t;
use teammate_view::{
    screens::cost::{CostLine, CostScreen},
    short,
};

use super::filled_or_cut;
use crate::{
    app::App,
    text::{column, fit, right, rule, width},
};

pub(crate) fn cost(app: &App, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let cost = CostScreen::of(app.view(), &app.setup.facts);
    let heads = CostLine::HEADS.map(|head| t(head).to_owned());
    let members: Vec<_> = cost.members.iter().map(|line| line.cells(short)).collect();
    let longest = members.iter().map(|[name, ..]| width(name)).max();
    let name = longest.unwrap_or(0).clamp(10, (columns / 5).max(10));
    let mut lines = vec![
        rule(&cost.title(), columns, theme.dim),
        row(&heads, name, columns).style(theme.strong),
    ];
    lines.extend(members.iter().map(|line| row(line, name, columns)));
    lines.push(row(&cost.all.cells(short), name, columns).style(theme.strong));
    if !cost.tasks.is_empty() {
        lines.push(rule(t(CostScreen::BY_TASK), columns, theme.dim));
    }
    lines.extend(cost.tasks.iter().map(|task| {
        let text = format!(" {}", task.subject());
        Line::from(vec![
            Span::raw(column(&text, columns.saturating_sub(14))),
            Span::raw(right(&task.spent, 12)),
        ])
    }));
    let notes = cost.notes.iter();
    lines.extend(notes.map(|note| Line::styled(fit(&format!(" {note}"), columns), theme.dim)));
    filled_or_cut(lines, rows, theme)
}

/// A line of the table; there is no column for turns.
fn row(
    [name, requests, _turns, input, cached, output, money]: &[String; 7],
    name_columns: usize,
    columns: usize,
) -> Line<'static> {
    let name = column(name, name_columns);
    let numbers = [
        (requests, 8),
        (input, 9),
        (cached, 11),
        (output, 8),
        (money, 10),
    ];
    let numbers = numbers.map(|(text, columns)| right(text, columns));
    let text = format!(" {name} {}", numbers.join(" "));
    Line::raw(fit(&text, columns))
}
