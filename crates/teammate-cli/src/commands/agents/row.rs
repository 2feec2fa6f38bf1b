//! The measurements of an agent, in lines for people.

use teammate::agents::{Asked, CostReport, Ending, Finding, Gated, Loaded, Row, Steering};

/// A line for each finding.
pub(super) fn lines(row: &Row) -> Vec<String> {
    let product = match row.product.is_empty() {
        true => String::new(),
        false => format!(" ({})", row.product),
    };
    let modes = match &row.modes.first {
        Some(first) => format!("{}; begins in {first}", row.modes.all.join(", ")),
        None => "none".to_owned(),
    };
    let uses = |found: &teammate::agents::Uses| {
        format!("{} MB, {} processes", found.memory_mb, found.processes)
    };
    let mut lines = vec![format!("{}{product}: {}", row.name, row.command)];
    for (what, found) in [
        (
            "start",
            format!(
                "{:.1} s, first session {:.1} s",
                row.start.start_seconds, row.start.session_seconds
            ),
        ),
        ("memory", said(&row.uses, uses)),
        ("modes", modes),
        ("shell command", said(&row.asks_for_shell, asked)),
        ("edit", said(&row.asks_for_edit, asked)),
        ("tool", said(&row.asks_for_tool, asked)),
        ("steering", said(&row.steering, steering)),
        (
            "cancel",
            said(&row.cancel, |found| {
                let answered = match found.answered_after_seconds {
                    Some(after) => format!("answered after {after:.1} s"),
                    None => "not answered".to_owned(),
                };
                match found.left_running {
                    0 => format!("{answered}, nothing left running"),
                    left => format!("{answered}, {left} processes left running"),
                }
            }),
        ),
        ("load after kill", said(&row.load, loaded)),
        ("cost told", said(&row.cost, cost)),
        ("end", said(&row.end, ending)),
        ("read-only workspace", said(&row.gated_write, gated)),
    ] {
        lines.push(format!("  {what:<20} {found}"));
    }
    for oddity in &row.oddities {
        lines.push(format!("  {:<20} {oddity}", "noted"));
    }
    lines
}

fn said<T>(finding: &Finding<T>, say: impl FnOnce(&T) -> String) -> String {
    match finding {
        Finding::Seen(found) => say(found),
        Finding::NotMeasured(why) => format!("not measured: {why}"),
    }
}

fn asked(found: &Asked) -> String {
    match found {
        Asked::Asked => "asks before",
        Asked::Unasked => "does not ask",
    }
    .to_owned()
}

fn steering(found: &Steering) -> String {
    match found {
        Steering::NotOffered => "not offered".to_owned(),
        Steering::Injected => "reaches the running turn".to_owned(),
        Steering::Other(word) => format!("answered with {word}"),
    }
}

fn loaded(found: &Loaded) -> String {
    match found {
        Loaded::NotOffered => "not offered".to_owned(),
        Loaded::Failed(why) => format!("failed: {why}"),
        Loaded::Loaded {
            updates,
            has_prompt,
        } => {
            let prompt = match has_prompt {
                true => "with the prompt",
                false => "without the prompt",
            };
            format!("{updates} updates, {prompt}")
        }
    }
}

fn cost(found: &CostReport) -> String {
    match found {
        CostReport::Money => "money",
        CostReport::Tokens => "tokens",
        CostReport::Nothing => "nothing",
    }
    .to_owned()
}

fn ending(found: &Ending) -> String {
    match found {
        Ending::ByEof(after) => format!("when its input ends, after {after:.1} s"),
        Ending::Asked(after) => format!("only when asked to stop, after {after:.1} s"),
        Ending::Killed => "only when killed".to_owned(),
    }
}

fn gated(found: &Gated) -> String {
    match found {
        Gated::Held => "nothing was written, with everything allowed",
        Gated::Written => "written: nothing holds it here",
    }
    .to_owned()
}
