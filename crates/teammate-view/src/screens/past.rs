//! Troubles that the user should look at and nobody answers, and what was answered lately.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::Timestamp;

use super::room::{PAGE_MAX, line};
use crate::{TeamView, wording::and_more};

/// So many answers are shown.
const ANSWERS_MAX: usize = 20;

/// Troubles and past answers.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PastScreen {
    /// The oldest first.
    pub troubles: Vec<String>,
    /// How many more there are.
    pub more_troubles: usize,
    /// The last answer first.
    pub answered: Vec<Answered>,
    /// How many earlier ones are known.
    pub more_answered: usize,
}

/// A request that was settled by the user, or by nobody in time.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Answered {
    pub request: String,
    /// When it was answered, or its time was over.
    #[schemars(with = "u64")]
    pub at: Timestamp,
    pub from: String,
    pub about: String,
    pub answer: &'static str,
    /// The device of the user's that it came from, if it was none of their terminals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// How many other questions it answered, too.
    pub besides: usize,
}

impl PastScreen {
    pub const TROUBLES: &str = "To look at";
    pub const ANSWERED: &str = "Answered lately";

    /// Those of this view, as many as are shown at once.
    pub fn of(view: &TeamView) -> Self {
        let answered = view.answered().take(ANSWERS_MAX).map(|answered| Answered {
            request: answered.request.id.to_string(),
            at: answered.at,
            from: answered.request.from.to_string(),
            about: line(&answered.request.summary()),
            answer: answered.word,
            device: answered.request.state.device().map(ToString::to_string),
            besides: answered.besides,
        });
        let troubles = view.troubles();
        let shown = troubles.iter().take(PAGE_MAX);
        Self {
            more_troubles: troubles.len().saturating_sub(PAGE_MAX),
            more_answered: view.answered().len().saturating_sub(ANSWERS_MAX),
            troubles: shown
                .map(|trouble| line(&trouble.in_a_sentence(view.now())))
                .collect(),
            answered: answered.collect(),
        }
    }
}

impl Answered {
    /// The answered question: `req_000002 bob: run cargo test`, `req_000002 bob and 98 more: run git status`.
    pub fn what(&self) -> String {
        let more = and_more(self.besides);
        let device = self.device.as_ref();
        let device = device.map_or_else(String::new, |device| format!(" (on {device})"));
        format!(
            "{} {}{more}: {}{device}",
            self.request, self.from, self.about
        )
    }
}
