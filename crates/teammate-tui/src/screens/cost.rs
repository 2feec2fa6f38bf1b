//! Tokens and money: by member, by task.

use ratatui::text::{Line, Span};
use teammate_core::Timestamp;
use teammate_view::t;
use teammate_view::{
    screens::{
        cost::{CostLine, CostScreen},
        spark::{SparkScreen, bars},
    },
    short,
};

use super::{filled, scrolled};
use crate::{
    app::App,
    row::{Row, rows as rows_of},
    text::{column, fit, right, rule, width},
};

/// The columns of a line beside its member's name and without its bars, and of the bars.
const OTHER_COLUMNS: usize = 56;
const SPARK_COLUMNS_MIN: usize = 8;
const SPARK_COLUMNS: usize = 64;

/// The rows of the chart below the tables with its title and its times, at least and at most.
const CHART_ROWS_MIN: usize = 6;
const CHART_ROWS_MAX: usize = 16;

/// The columns of a step there, at most.
const CHART_STEP_COLUMNS: usize = 4;

/// The screen as it was drawn.
#[derive(Debug)]
pub(crate) struct CostDrawn {
    pub(crate) rows: Vec<Row>,
    /// How many of its rows can be scrolled past.
    pub(crate) scroll_max: usize,
}

pub(crate) fn cost(app: &App, columns: usize, rows: usize) -> CostDrawn {
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
    let spark_columns = columns
        .saturating_sub(name + OTHER_COLUMNS)
        .min(SPARK_COLUMNS);
    lines.extend(members.iter().zip(&cost.members).map(|(cells, line)| {
        let mut row = row(cells, name, columns);
        let time = line.over_time.as_ref();
        let time = time.filter(|_| spark_columns >= SPARK_COLUMNS_MIN);
        let spark = time.map(|time| time.cells(spark_columns, cost.over_time.most));
        if let Some(spark) = spark {
            row.push_span(Span::styled(format!("  {spark}"), theme.name));
        }
        row
    }));
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
    let left = rows.saturating_sub(lines.len() + CHART_ROWS_MIN);
    if left > 0 {
        lines.extend(chart(app, &cost.over_time, columns, rows - lines.len()));
    }
    CostDrawn {
        scroll_max: lines.len().saturating_sub(rows),
        rows: rows_of(filled(
            scrolled(lines, app.places.cost_top, rows, theme),
            rows,
        )),
    }
}

/// The tokens of all members over time, in what is left of the screen.
fn chart(app: &App, time: &SparkScreen, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let Some(begin) = time.begin else {
        return Vec::new();
    };
    let most = time.all.iter().copied().max().unwrap_or(0);
    let rows = rows.min(CHART_ROWS_MAX).saturating_sub(2);
    // Each step is as wide as all of them have room for.
    let room = columns.saturating_sub(2);
    let wide = (room / time.all.len().max(1)).clamp(1, CHART_STEP_COLUMNS);
    let steps = time.all.iter();
    let counts: Vec<u64> = steps
        .flat_map(|count| std::iter::repeat_n(*count, wide))
        .collect();
    let bars = bars(&counts, room, rows, most).into_iter();
    let bars = bars.map(|row| Line::styled(format!(" {row}"), theme.name));
    let end = Timestamp(begin.0 + time.step.saturating_mul(time.all.len() as u64));
    let (begin, end) = (
        app.clock(begin),
        app.clock(end.min(app.view().now().max(begin))),
    );
    let times = column(&begin, counts.len().min(room).saturating_sub(width(&end)));
    let times = Line::styled(format!(" {times} {end}"), theme.dim);
    let title = rule(&time.title(), columns, theme.dim);
    std::iter::once(title).chain(bars).chain([times]).collect()
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
