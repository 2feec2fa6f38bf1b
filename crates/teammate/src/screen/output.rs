//! Where events go while a job runs: lines on standard error and the lead's words on standard output, or JSON.

use std::io::IsTerminal;

use clap::ValueEnum;
use serde_json::json;
use teammate::{Ending, Event, EventFeed, How, Prices, Tally, What, platform::terminal_width};

use super::{Lines, Shown, Style, clean_json, money_json, put};

/// What a program that calls us gets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// The lead's words on standard output, who does what on standard error
    #[default]
    Text,
    /// One JSON object at the end
    Json,
    /// One JSON object per event, one a line, then the result
    StreamJson,
}

/// A live output.
pub(crate) struct Live {
    format: OutputFormat,
    lines: Lines,
    /// Pieces of the lead's answer are for people; a program gets each answer whole, and no half one.
    streams: bool,
    is_mid_line: bool,
}

impl Live {
    pub(crate) fn new(format: OutputFormat) -> Self {
        let stderr = std::io::stderr();
        let width = stderr
            .is_terminal()
            .then(|| terminal_width(&stderr))
            .flatten();
        Self {
            format,
            lines: Lines::new(Style::for_stderr(), width),
            streams: std::io::stdout().is_terminal(),
            is_mid_line: false,
        }
    }

    /// Shows everything until the feed ends.
    pub(crate) async fn follow(mut self, mut feed: EventFeed) {
        while let Some(event) = feed.next().await {
            self.take(&event);
        }
        self.end_line();
    }

    fn take(&mut self, event: &Event) {
        match self.format {
            OutputFormat::Json => {}
            OutputFormat::StreamJson => {
                if let Ok(line) = serde_json::to_string(event) {
                    put(&mut std::io::stdout(), &format!("{}\n", clean_json(&line)));
                }
            }
            OutputFormat::Text if is_piece(event) && !self.streams => {}
            OutputFormat::Text => {
                for shown in self.lines.show(event) {
                    self.text(&shown);
                }
            }
        }
    }

    fn text(&mut self, shown: &Shown) {
        match shown {
            Shown::Lead(piece) => {
                put(&mut std::io::stdout(), piece);
                self.is_mid_line = !piece.ends_with('\n');
            }
            Shown::LeadEnd => self.end_line(),
            Shown::Line(line) => {
                self.end_line();
                put(&mut std::io::stderr(), &format!("{line}\n"));
            }
        }
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.is_mid_line) {
            put(&mut std::io::stdout(), "\n");
        }
    }
}

fn is_piece(event: &Event) -> bool {
    matches!(event.what, What::Text { .. })
}

/// The result as JSON formats show it.
pub(crate) fn result(
    ending: &Ending,
    prices: &Prices,
    exit_code: u8,
    millis: u128,
) -> serde_json::Value {
    let (how, why) = match &ending.how {
        How::Done => ("done", None),
        How::Failed(why) => ("failed", Some(why)),
        How::Limit(why) => ("limit", Some(why)),
        How::Interrupted => ("interrupted", None),
    };
    let total = ending.tally.total();
    json!({
        "event": "result",
        "ending": how,
        "why": why,
        "exit_code": exit_code,
        "result": ending.text,
        "duration_ms": u64::try_from(millis).unwrap_or(u64::MAX),
        "total": total,
        "money": money_json(&prices.bill(&ending.spent.models()), prices),
        "members": ending.tally,
    })
}

/// The result in words: what it took, by member.
pub(crate) fn summary(tally: &Tally, seconds: f64) -> String {
    let total = tally.total();
    let parts: Vec<String> = tally
        .members()
        .filter(|(_, member)| member.model_calls > 0)
        .map(|(name, member)| format!("{name} {}", member.model_calls))
        .collect();
    format!(
        "{} model calls ({}), {} tool calls, {} messages, {} tokens in, {} out, {seconds:.1} s",
        total.model_calls,
        parts.join(", "),
        total.tool_calls,
        total.mail_sent,
        total.usage.input + total.usage.cache_read + total.usage.cache_write,
        total.usage.output,
    )
}
