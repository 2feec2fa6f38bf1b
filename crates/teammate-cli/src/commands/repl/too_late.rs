//! Answers to the question of the prompt that have no effect.

use teammate::request::RequestId;

use crate::{commands::typed::TypedTeam, screen::clean};

/// That the answer was typed for a question that was settled elsewhere.
pub(super) fn too_late(team: &TypedTeam<'_>, id: RequestId, shown: Option<RequestId>) -> String {
    let how = team.request(id).map_or_else(
        |error| error.to_string(),
        |request| format!("{id} is already settled ({})", request.describe()),
    );
    let now = shown.map_or_else(
        || "no question is open".to_owned(),
        |shown| format!("now asking: {shown}"),
    );
    format!("Not answered: {}; {now}", clean(&how))
}
