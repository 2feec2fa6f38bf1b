//! Entries of the log as people read them: each with its time, a line for each new day.

use teammate::{Event, Timestamp};

use crate::screen::{EventRenderer, Local, Rendered, Style};

/// Columns that a time takes.
const TIME_COLUMNS: usize = 9;

/// A line to print.
pub(super) enum LogEntry {
    /// As it is in the file.
    Json(String),
    /// For people, perhaps in several lines.
    Text { at: Timestamp, text: String },
}

/// Renders events as they are read later.
pub(super) fn log_lines(style: Style, width: Option<usize>) -> EventRenderer {
    let room = width.map(|width| width.saturating_sub(TIME_COLUMNS));
    EventRenderer::new(style, room).for_log()
}

/// The lines of an event; none if it is not shown.
pub(super) fn entry(lines: &mut EventRenderer, event: &Event) -> Option<LogEntry> {
    let shown = lines
        .render(event)
        .into_iter()
        .filter_map(|shown| match shown {
            Rendered::Line(text) => Some(text),
            Rendered::Lead(text) => Some(lines.by_lead(&text)),
            Rendered::LeadEnd => None,
        });
    let texts: Vec<String> = shown.collect();
    let text = texts.join("\n").trim_end().to_owned();
    (!text.is_empty()).then_some(LogEntry::Text { at: event.at, text })
}

/// Puts times before entries.
pub(super) struct Stamps {
    style: Style,
    day: Option<String>,
}

impl Stamps {
    pub(super) fn new(style: Style) -> Self {
        Self { style, day: None }
    }

    /// The entry with its time, below a line with the day if that is another one.
    pub(super) fn stamped(&mut self, entry: LogEntry) -> String {
        let (at, text) = match entry {
            LogEntry::Json(line) => return line,
            LogEntry::Text { at, text } => (at, text),
        };
        let local = Local::at(at);
        let day = local.day();
        let mut stamped = String::new();
        if self.day.as_ref() != Some(&day) {
            stamped = format!("{}\n", self.style.dim(&day));
            self.day = Some(day);
        }
        let below = format!("\n{}", " ".repeat(TIME_COLUMNS));
        let time = self.style.dim(&local.to_string());
        stamped.push_str(&format!("{time} {}", text.replace('\n', &below)));
        stamped
    }
}
