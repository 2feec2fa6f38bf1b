//! What the user should look at and nobody answers, and what was answered lately.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{
    Timestamp,
    request::{Principal, RequestState},
};
use teammate_view::TeamView;

use super::{
    part::{Part, heading, moment},
    room::{PAGE_MAX, line},
};

/// So many answers are shown.
const ANSWERS_MAX: usize = 20;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PastScreen {
    troubles: Vec<String>,
    answered: Vec<Answered>,
}

/// A request that was settled by the user, or by nobody in time.
#[derive(Debug, Serialize, JsonSchema)]
struct Answered {
    request: String,
    at: u64,
    from: String,
    about: String,
    answer: &'static str,
}

impl PastScreen {
    pub(super) fn of(view: &TeamView) -> Self {
        let past = view.team().requests().past();
        let mut answered: Vec<Answered> = past
            .filter_map(|request| {
                let answer = match &request.state {
                    RequestState::Approved(approval) if approval.by == Principal::User => "yes",
                    RequestState::Rejected {
                        by: Principal::User,
                        ..
                    } => "no",
                    RequestState::Expired => "expired",
                    RequestState::Pending
                    | RequestState::Approved(_)
                    | RequestState::Rejected { .. }
                    | RequestState::Cancelled { .. } => return None,
                };
                Some(Answered {
                    request: request.id.to_string(),
                    at: request.opened.0,
                    from: request.from.to_string(),
                    about: line(&request.summary()),
                    answer,
                })
            })
            .collect();
        answered.sort_by_key(|answered| std::cmp::Reverse(answered.at));
        answered.truncate(ANSWERS_MAX);
        let troubles = view.troubles().into_iter();
        Self {
            troubles: troubles
                .take(PAGE_MAX)
                .map(|trouble| line(&trouble.in_a_sentence(view.now())))
                .collect(),
            answered,
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
            }),
        ]
    }
}
