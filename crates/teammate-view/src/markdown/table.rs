//! A table as lines: drawn with `|` where it fits, else one line for each cell, behind the name of its column.

use super::{
    ColumnSide, TextTable,
    flow::{Flow, LineFlow, Margin},
    inline::spans,
};
use crate::text::{Span, TextLine, TextRole};

/// A cell ready to be drawn.
struct DrawnCell {
    spans: Vec<Span>,
    columns: usize,
}

pub(super) fn draw_table(
    table: &TextTable,
    page: LineFlow,
    margin: &mut Margin,
    lines: &mut Vec<TextLine>,
) {
    let head = drawn(&table.head, TextRole::Strong, page);
    let rows: Vec<Vec<DrawnCell>> = table
        .rows
        .iter()
        .map(|row| drawn(row, TextRole::Plain, page))
        .collect();
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|at| {
            let cells = rows.iter().chain([&head]).filter_map(|row| row.get(at));
            cells.map(|cell| cell.columns).max().unwrap_or(0).max(1)
        })
        .collect();
    let whole = widths.iter().map(|wide| wide + 3).sum::<usize>() + 1;
    if whole + margin.columns(page) > page.width {
        return list(&head, &rows, page, margin, lines);
    }
    lines.push(row(&head, &widths, &table.columns, margin.take()));
    lines.push(ruler(&widths, &table.columns, margin.take()));
    for cells in &rows {
        lines.push(row(cells, &widths, &table.columns, margin.take()));
    }
}

fn drawn(cells: &[super::Cell], role: TextRole, page: LineFlow) -> Vec<DrawnCell> {
    let drawn = cells.iter().map(|cell| {
        let spans = spans(cell, role);
        let columns = spans.iter().map(|span| page.policy.text(&span.text)).sum();
        DrawnCell { spans, columns }
    });
    drawn.collect()
}

fn row(
    cells: &[DrawnCell],
    widths: &[usize],
    sides: &[ColumnSide],
    mut line: TextLine,
) -> TextLine {
    let nothing = DrawnCell {
        spans: Vec::new(),
        columns: 0,
    };
    line.push("|", TextRole::Dim);
    for (at, (width, side)) in widths.iter().zip(sides).enumerate() {
        let cell = cells.get(at).unwrap_or(&nothing);
        let blanks = width - cell.columns;
        let before = match side {
            ColumnSide::Left => 0,
            ColumnSide::Middle => blanks / 2,
            ColumnSide::Right => blanks,
        };
        line.push(&" ".repeat(before + 1), TextRole::Plain);
        line.extend(&cell.spans);
        line.push(&" ".repeat(blanks - before + 1), TextRole::Plain);
        line.push("|", TextRole::Dim);
    }
    line
}

fn ruler(widths: &[usize], sides: &[ColumnSide], mut line: TextLine) -> TextLine {
    let mut drawn = "|".to_owned();
    for (width, side) in widths.iter().zip(sides) {
        let (left, right) = match side {
            ColumnSide::Left => ("-", "-"),
            ColumnSide::Middle => (":", ":"),
            ColumnSide::Right => ("-", ":"),
        };
        drawn.push_str(&format!("{left}{}{right}|", "-".repeat(*width)));
    }
    line.push(&drawn, TextRole::Dim);
    line
}

/// One line for each cell that says something, an empty one between the rows.
fn list(
    head: &[DrawnCell],
    rows: &[Vec<DrawnCell>],
    page: LineFlow,
    margin: &mut Margin,
    lines: &mut Vec<TextLine>,
) {
    let name_only = rows.is_empty().then_some(head);
    for (n, row) in rows.iter().map(Vec::as_slice).chain(name_only).enumerate() {
        if n > 0 {
            lines.push(margin.empty_line());
        }
        for (at, cell) in row.iter().enumerate().filter(|(_, cell)| cell.columns > 0) {
            let mut flow = Flow::new(page, margin, lines);
            if let Some(name) = head
                .get(at)
                .filter(|name| name.columns > 0 && !rows.is_empty())
            {
                for span in &name.spans {
                    flow.put(&span.text, span.role);
                }
                flow.put(": ", TextRole::Strong);
            }
            for span in &cell.spans {
                flow.put(&span.text, span.role);
            }
            flow.finish();
        }
    }
}
