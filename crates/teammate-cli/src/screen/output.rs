//! Where events go while a job runs: lines on standard error and the lead's words on standard output, or JSON.

use std::{io::IsTerminal, time::Duration};
use teammate_view::t;

use clap::ValueEnum;
use serde_json::{Value, json};
use teammate::{
    Event, EventFeed, Prices, RunOutcome, RunReport, RunStats, UsageTotal,
    contained::may_fail_here, platform::terminal_width,
};
use teammate_view::tokens;

use super::{EventRenderer, Rendered, Style, clean_json, money_json, print, write_clean};

/// The form of the output, for programs that call this one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// The lead's answers on standard output, what members do on standard error
    #[default]
    Text,
    /// One JSON object at the end
    Json,
    /// One JSON object per line for each event, then the result
    StreamJson,
}

/// A live output.
pub(crate) struct EventPrinter {
    format: OutputFormat,
    renderer: EventRenderer,
    /// Pieces of the lead's answer are for the user; a program gets each answer whole, and no half one.
    streams: bool,
    /// The lead's words go where the others' do: standard output is for something else.
    is_wordless: bool,
    is_mid_line: bool,
}

impl EventPrinter {
    pub(crate) fn new(format: OutputFormat) -> Self {
        let stderr = std::io::stderr();
        let width = stderr
            .is_terminal()
            .then(|| terminal_width(&stderr))
            .flatten();
        Self {
            format,
            renderer: EventRenderer::new(Style::for_stderr(), width),
            streams: std::io::stdout().is_terminal(),
            is_wordless: false,
            is_mid_line: false,
        }
    }

    /// This form without the lead's words on standard output.
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
            may_fail_here("output");
            self.print(&event);
        }
        self.end_line();
    }

    fn print(&mut self, event: &Event) {
        match self.format {
            OutputFormat::Json => {}
            OutputFormat::StreamJson => {
                if let Ok(line) = serde_json::to_string(event) {
                    print(&format!("{}\n", clean_json(&line)));
                }
            }
            OutputFormat::Text if is_delta(event) && !self.streams => {}
            OutputFormat::Text => {
                for shown in self.renderer.render(event) {
                    self.text(&shown);
                }
            }
        }
    }

    fn text(&mut self, shown: &Rendered) {
        match shown {
            Rendered::Lead(words) if self.is_wordless => {
                write_clean(&mut std::io::stderr(), &format!("{words}\n"));
            }
            Rendered::Lead(piece) => {
                print(piece);
                self.is_mid_line = !piece.ends_with('\n');
            }
            Rendered::LeadEnd => self.end_line(),
            Rendered::Line(line) => {
                self.end_line();
                write_clean(&mut std::io::stderr(), &format!("{line}\n"));
            }
        }
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.is_mid_line) {
            print("\n");
        }
    }
}

fn is_delta(event: &Event) -> bool {
    event.what.is_piece()
}

/// The result as JSON formats show it.
pub(crate) struct JobResult {
    pub(crate) report: RunReport,
    pub(crate) prices: Prices,
    pub(crate) exit_code: u8,
    pub(crate) took: Duration,
    /// The lead's result as a value, if a schema was given and it fits.
    pub(crate) output: Option<Value>,
}

impl JobResult {
    pub(crate) fn json(self) -> Value {
        let ending = &self.report;
        let mut json = json!({
            "event": "result",
            "run": ending.run,
            "ending": word(&ending.outcome),
            "why": why(&ending.outcome),
            "exit_code": self.exit_code,
            "result": ending.text,
            "duration_ms": u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX),
            "total": ending.stats.total(),
            "money": money_json(&ending.spent.models(), &self.prices),
            "members": ending.stats,
        });
        if let Some(output) = self.output {
            json["output"] = output;
        }
        json
    }
}

fn word(how: &RunOutcome) -> &'static str {
    match how {
        RunOutcome::Done => "done",
        RunOutcome::Failed(_) => "failed",
        RunOutcome::Limit(_) => "limit",
        RunOutcome::Unfinished(_) => "unfinished",
        RunOutcome::GoalMissed(_) => "goal_missed",
        RunOutcome::Storage(_) => "storage",
        RunOutcome::TimedOut(_) => "timeout",
        RunOutcome::Interrupted => "interrupted",
    }
}

/// More about how a job ended, with what to do about it if no event has said so.
pub(crate) fn why(how: &RunOutcome) -> Option<String> {
    match how {
        RunOutcome::Done | RunOutcome::Interrupted => None,
        RunOutcome::Failed(why) | RunOutcome::Limit(why) => Some(why.clone()),
        RunOutcome::Unfinished(what) => Some(t!(
            "{what}. See `teammate team` and `teammate tasks`; continue with `teammate send lead \"...\"` and `teammate resume`",
            what
        )),
        RunOutcome::GoalMissed(what) => Some(t!(
            "{what}. See `teammate goal`; continue with `teammate run --continue --until ...`",
            what
        )),
        RunOutcome::Storage(what) => Some(t!(
            "{what}. Everything written before is kept, and no member works any more. Free some space, or repair the disk; then continue with `teammate resume`",
            what
        )),
        RunOutcome::TimedOut(after) => Some(t!(
            "not done after {time}; `teammate resume` continues",
            time = written(*after)
        )),
    }
}

/// A time as one would write it.
fn written(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds > 0 && seconds % 60 == 0 => t!("{minutes} min", minutes = seconds / 60),
        _ => format!("{} s", time.as_secs_f64()),
    }
}

/// The result in words: what it took, by member.
pub(crate) fn summary(tally: &RunStats, seconds: f64) -> String {
    let total = tally.total();
    let parts: Vec<String> = tally
        .members()
        .filter(|(_, member)| member.model_calls > 0)
        .map(|(name, member)| format!("{name} {}", member.model_calls))
        .collect();
    let sum = UsageTotal {
        requests: total.model_calls,
        usage: total.usage,
    };
    let shown = |count| {
        tokens(sum.known(count), sum.is_estimated(), |count| {
            count.to_string()
        })
    };
    format!(
        "{} model calls ({}), {} tool calls, {} messages, {} tokens in, {} out, {seconds:.1} s",
        total.model_calls,
        parts.join(", "),
        total.tool_calls,
        total.mail_sent,
        shown(sum.input()),
        shown(sum.usage.output),
    )
}
