//! Answers to the question of the prompt that have no effect.

use teammate::{TeamState, handle::known_request, request::RequestId};

use crate::screen::clean;

/// That the answer was typed for a question that was settled elsewhere.
pub(super) fn too_late(team: &TeamState, id: RequestId, shown: Option<RequestId>) -> String {
    let how = known_request(team, id).map_or_else(
        |error| error.to_string(),
        |request| format!("{id} is already settled ({})", request.describe()),
    );
    let now = shown.map_or_else(
        || "no question is open".to_owned(),
        |shown| format!("now asking: {shown}"),
    );
    format!("Not answered: {}; {now}", clean(&how))
}
