//! Answers to the question of the prompt that have no effect.

use teammate::{Team, request::RequestId};

use super::printer::Printer;
use crate::screen::clean;

/// Reports that the answer was typed for a question that was settled elsewhere.
pub(super) fn print_too_late(
    team: &Team,
    id: RequestId,
    shown: Option<RequestId>,
    print: &Printer,
) {
    let how = team.request(id).map_or_else(
        |error| error.to_string(),
        |request| format!("{id} is already settled ({})", request.describe()),
    );
    let now = shown.map_or_else(
        || "no question is open".to_owned(),
        |shown| format!("now asking: {shown}"),
    );
    print.answer(&format!("Not answered: {}; {now}", clean(&how)));
}
