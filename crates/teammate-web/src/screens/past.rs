//! Troubles that the user should look at and nobody answers, and what was answered lately.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::Timestamp;
use teammate_view::TeamView;

use super::{
    part::{Part, heading, moment},
    room::{PAGE_MAX, line},
};
use crate::html::Html;

/// So many answers are shown.
const ANSWERS_MAX: usize = 20;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PastScreen {
    troubles: Vec<String>,
    /// How many more there are.
    more_troubles: usize,
    /// The last answer first.
    answered: Vec<Answered>,
    /// How many earlier ones are known.
    more_answered: usize,
}

/// A request that was settled by the user, or by nobody in time.
#[derive(Debug, Serialize, JsonSchema)]
struct Answered {
    request: String,
    /// When it was answered, or its time was over.
    at: u64,
    from: String,
    about: String,
    answer: &'static str,
}

impl PastScreen {
    pub(super) fn of(view: &TeamView) -> Self {
        let answered = view.answered().take(ANSWERS_MAX).map(|answered| Answered {
            request: answered.request.id.to_string(),
            at: answered.at.0,
            from: answered.request.from.to_string(),
            about: line(&answered.request.summary()),
            answer: answered.word,
        });
        let troubles = view.troubles();
        Self {
            more_troubles: troubles.len().saturating_sub(PAGE_MAX),
            more_answered: view.answered().len().saturating_sub(ANSWERS_MAX),
            troubles: troubles
                .iter()
                .take(PAGE_MAX)
                .map(|trouble| line(&trouble.in_a_sentence(view.now())))
                .collect(),
            answered: answered.collect(),
        }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        vec![
            Part::new("div", "past.troubles", "", |html| {
                heading(html, "To look at");
                if self.troubles.is_empty() {
                    html.line("p", &[("class", "dim")], "Nothing");
                }
                for trouble in &self.troubles {
                    html.line("p", &[], trouble);
                }
                more(html, self.more_troubles);
            }),
            Part::new("div", "past.answers", "", |html| {
                heading(html, "Answered lately");
                for answered in &self.answered {
                    html.element("div", &[("class", "row")], |html| {
                        moment(html, Timestamp(answered.at));
                        let text = format!(
                            " {} {} {} {}",
                            answered.answer, answered.request, answered.from, answered.about
                        );
                        html.text(&text);
                    });
                }
                more(html, self.more_answered);
            }),
        ]
    }
}

/// How much of a list is not shown.
fn more(html: &mut Html, count: usize) {
    if count > 0 {
        html.line("p", &[("class", "dim")], &format!("{count} more"));
    }
}
