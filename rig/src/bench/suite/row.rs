//! One measure with its target.

use serde_json::json;

/// What is aimed at.
#[derive(Clone, Copy)]
pub(super) enum Target {
    AtMost(f64),
    AtLeast(f64),
    /// Shown beside the others, to judge them by.
    Nothing,
}

/// One measure.
pub(super) struct Row {
    pub(super) what: String,
    pub(super) unit: &'static str,
    pub(super) target: Target,
    pub(super) measured: f64,
    /// How it spreads, or what it is compared with.
    pub(super) note: String,
}

impl Row {
    pub(super) fn new(what: &str, unit: &'static str, target: Target, measured: f64) -> Self {
        Self {
            what: what.to_owned(),
            unit,
            target,
            measured,
            note: String::new(),
        }
    }

    pub(super) fn note(self, note: impl Into<String>) -> Self {
        Self {
            note: note.into(),
            ..self
        }
    }

    fn is_met(&self) -> Option<bool> {
        match self.target {
            Target::AtMost(most) => Some(self.measured <= most),
            Target::AtLeast(least) => Some(self.measured >= least),
            Target::Nothing => None,
        }
    }

    fn cells(&self) -> [String; 5] {
        let target = match self.target {
            Target::AtMost(most) => format!("<= {} {}", number(most), self.unit),
            Target::AtLeast(least) => format!(">= {} {}", number(least), self.unit),
            Target::Nothing => String::new(),
        };
        let verdict = match self.is_met() {
            Some(true) => "met",
            Some(false) => "MISSED",
            None => "",
        };
        [
            self.what.clone(),
            target.trim_end().to_owned(),
            format!("{} {}", number(self.measured), self.unit)
                .trim_end()
                .to_owned(),
            verdict.to_owned(),
            self.note.clone(),
        ]
    }
}

/// As many digits as mean something.
fn number(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 || size.fract() == 0.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    format!("{value:.digits$}")
}

/// The rows as a Markdown table, its columns aligned.
pub(super) fn table(rows: &[Row]) -> String {
    let head = ["what", "target", "measured", "verdict", "note"].map(str::to_owned);
    let cells: Vec<[String; 5]> = std::iter::once(head)
        .chain(rows.iter().map(Row::cells))
        .collect();
    let widths: Vec<usize> = (0..4)
        .map(|column| {
            cells
                .iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut lines = Vec::new();
    for (at, row) in cells.iter().enumerate() {
        let mut line = String::from("|");
        for (cell, width) in row.iter().zip(widths.iter().chain([&0])) {
            line.push_str(&format!(" {cell:<width$} |"));
        }
        lines.push(line);
        if at == 0 {
            let rules: Vec<String> = widths
                .iter()
                .chain([&4])
                .map(|width| "-".repeat(width + 2))
                .collect();
            lines.push(format!("|{}|", rules.join("|")));
        }
    }
    lines.join("\n")
}

/// The rows for programs.
pub(super) fn json(machine: &str, rows: &[Row]) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            let target = match row.target {
                Target::AtMost(most) => json!({"at_most": most}),
                Target::AtLeast(least) => json!({"at_least": least}),
                Target::Nothing => json!(null),
            };
            json!({"what": row.what, "unit": row.unit, "target": target, "measured": row.measured,
                "met": row.is_met(), "note": row.note})
        })
        .collect();
    format!("{:#}\n", json!({"machine": machine, "rows": rows}))
}
