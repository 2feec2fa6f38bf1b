//! Where events go while a job runs: lines on standard error and the lead's words on standard output, or JSON.

use std::{io::IsTerminal, time::Duration};

use clap::ValueEnum;
use serde_json::{Value, json};
use teammate::{Ending, Event, EventFeed, How, Prices, Tally, What, platform::terminal_width};

use super::{Lines, Shown, Style, clean_json, money_json, put, put_out};

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
    /// The lead's words go where the others' do: standard output is for something else.
    is_wordless: bool,
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
            is_wordless: false,
            is_mid_line: false,
        }
    }

    /// The same, but nothing of the lead's words comes on standard output.
    pub(crate) fn without_words(self) -> Self {
        Self {
            is_wordless: true,
            streams: false,
            ..self
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
                    put_out(&format!("{}\n", clean_json(&line)));
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
            Shown::Lead(words) if self.is_wordless => {
                put(&mut std::io::stderr(), &format!("{words}\n"));
            }
            Shown::Lead(piece) => {
                put_out(piece);
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
            put_out("\n");
        }
    }
}

fn is_piece(event: &Event) -> bool {
    matches!(event.what, What::Text { .. })
}

/// The result as JSON formats show it.
pub(crate) struct JobResult {
    pub(crate) ending: Ending,
    pub(crate) prices: Prices,
    pub(crate) exit_code: u8,
    pub(crate) took: Duration,
    /// The lead's last word as a value, where a schema was given for it and it fits.
    pub(crate) output: Option<Value>,
}

impl JobResult {
    pub(crate) fn json(self) -> Value {
        let ending = &self.ending;
        let mut json = json!({
            "event": "result",
            "run": ending.run,
            "ending": word(&ending.how),
            "why": why(&ending.how),
            "exit_code": self.exit_code,
            "result": ending.text,
            "duration_ms": u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX),
            "total": ending.tally.total(),
            "money": money_json(&self.prices.bill(&ending.spent.models()), &self.prices),
            "members": ending.tally,
        });
        if let Some(output) = self.output {
            json["output"] = output;
        }
        json
    }
}

fn word(how: &How) -> &'static str {
    match how {
        How::Done => "done",
        How::Failed(_) => "failed",
        How::Limit(_) => "limit",
        How::Unfinished(_) => "unfinished",
        How::Storage(_) => "storage",
        How::TimedOut(_) => "timeout",
        How::Interrupted => "interrupted",
    }
}

/// More about how a job ended, with what to do about it where the events have not said so.
pub(crate) fn why(how: &How) -> Option<String> {
    match how {
        How::Done | How::Interrupted => None,
        How::Failed(why) | How::Limit(why) => Some(why.clone()),
        How::Unfinished(what) => Some(format!(
            "{what}. See `teammate team` and `teammate tasks`; `teammate send lead \"...\"` and `teammate resume` go on"
        )),
        How::Storage(what) => Some(format!(
            "{what}. What was written before is kept, and nobody works any more. Make room, or mend the disk; then `teammate \
             resume` goes on"
        )),
        How::TimedOut(after) => Some(format!(
            "not done after {}; `teammate resume` goes on",
            written(*after)
        )),
    }
}

/// A time as one would write it.
fn written(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds > 0 && seconds % 60 == 0 => format!("{} min", seconds / 60),
        _ => format!("{} s", time.as_secs_f64()),
    }
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
