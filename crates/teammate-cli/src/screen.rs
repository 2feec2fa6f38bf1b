//! The screen: gives news lines for the user, and lets nothing through to the terminal but text and its own colours.

mod caches;
mod clock;
mod cost;
mod lines;
mod output;
mod requests;
mod rules;
mod sink;
mod style;
mod tasks;
#[cfg(feature = "tui")]
mod waiting;
mod wrap;

use teammate_view::clean;

pub(crate) use clean::{clean, clean_block, clean_json, clean_line};
pub(crate) use clock::{Local, past_moment};
pub(crate) use cost::{cost_json, cost_line, cost_lines, money_json};
pub(crate) use lines::{EventRenderer, Rendered, job_line};
pub(crate) use output::{EventPrinter, JobResult, OutputFormat, summary, why};
pub(crate) use requests::{
    AnswerPlace, PrintedQuestion, deadline_text, request_lines, whole_request,
};
pub(crate) use rules::{origin, rule_lines};
pub(crate) use sink::{
    DivertedErrors, divert_errors, lose_output, lost_output, print, print_error_text,
    print_warning, redraw, sanitized, write, write_clean,
};
pub(crate) use style::Style;
pub(crate) use tasks::{ago, board_lines, in_progress_text, report_lines, task_line};
#[cfg(feature = "tui")]
pub(crate) use waiting::WaitingErrors;
pub(crate) use wrap::{Wrap, fit};
