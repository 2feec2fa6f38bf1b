//! Lessons about model servers: shown, and forgotten.

use serde_json::{Value, json};
use teammate::{KeptLessons, Providers};

use crate::{
    commands::{CliResult, print_json, print_line},
    screen::{ago, clean_line},
};

/// A lesson with its age: `takes no stream_options; learnt 2 h ago`.
pub(crate) fn said(kept: &KeptLessons) -> String {
    let mut phrases = kept.lessons.phrases();
    phrases.push(format!("learnt {}", ago(kept.age().as_secs())));
    phrases.join("; ")
}

/// A line below the models of a server.
pub(super) fn line(kept: &KeptLessons) -> String {
    format!("  of {}: {}", clean_line(&kept.model), said(kept))
}

pub(super) fn json(kept: &KeptLessons) -> Value {
    json!({
        "model": kept.model,
        "wire": kept.wire,
        "learnt": kept.learnt,
        "refused": kept.lessons.refused,
        "context_tokens": kept.lessons.context_tokens,
        "answer_tokens": kept.lessons.answer_tokens,
        "says": kept.lessons.phrases(),
    })
}

/// Forgets all of these providers.
pub(super) fn forget(providers: &Providers, names: &[String], as_json: bool) -> CliResult {
    let mut forgotten = 0;
    for name in names {
        forgotten += providers.forget_lessons(name)?;
    }
    match as_json {
        true => print_json(&json!({ "forgotten": forgotten })),
        false => print_line(match forgotten {
            0 => "Nothing was learnt.".to_owned(),
            1 => "Forgot what was learnt of 1 model.".to_owned(),
            more => format!("Forgot what was learnt of {more} models."),
        }),
    }
    Ok(std::process::ExitCode::SUCCESS)
}
