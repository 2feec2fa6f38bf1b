//! The screen: turns events into lines for a person, and lets nothing through to the terminal but text and its own colours.

mod board;
mod clean;
mod clock;
mod cost;
mod lines;
mod output;
mod printed;
mod requests;
mod rules;
mod sink;
mod style;
mod tasks;
mod wrap;

pub(crate) use clean::{clean, clean_json, clean_line};
pub(crate) use clock::{Local, moment};
pub(crate) use cost::{cost_json, cost_line, cost_lines, money_json};
pub(crate) use lines::{Lines, Shown, job_line};
pub(crate) use output::{JobResult, Live, OutputFormat, summary, why};
pub(crate) use requests::{Answering, Question, request_lines, whole_request};
pub(crate) use rules::{origin, rule_lines};
pub(crate) use sink::{lost_output, put, put_out, shown, tame_panics, write};
pub(crate) use style::Style;
pub(crate) use tasks::{ago, board_lines, in_hand, report_lines, task_line};
pub(crate) use wrap::{Wrap, fit};
