//! Typed answers that answer nothing: words that only look like an answer, and those that come too late.

use teammate::{TeamState, handle::known_request, request::RequestId};
use teammate_view::t;

use crate::screen::clean;

/// Whether a line means only yes or no, but in words that are not an answer here.
pub(super) fn looks_like_an_answer(line: &str) -> bool {
    const FIRST: [&str; 12] = [
        "y", "n", "yes", "no", "yep", "yeah", "nope", "ok", "okay", "sure", "always", "never",
    ];
    const BESIDES: [&str; 7] = ["please", "thanks", "thank", "you", "do", "it", "that"];
    let line = line.to_lowercase();
    let mut words = line
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.next().is_some_and(|word| FIRST.contains(&word))
        && words.all(|word| FIRST.contains(&word) || BESIDES.contains(&word))
}

/// That the answer was typed for a question that was settled elsewhere.
pub(super) fn too_late(team: &TeamState, id: RequestId, shown: Option<RequestId>) -> String {
    let how = known_request(team, id).map_or_else(
        |error| error.to_string(),
        |request| {
            t!(
                "{id} is already settled ({how})",
                id,
                how = request.describe()
            )
        },
    );
    let now = shown.map_or_else(
        || t("no question is open").to_owned(),
        |shown| t!("now asking: {shown}", shown),
    );
    t!("Not answered: {why}; {now}", why = clean(&how), now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_consent_looks_like_an_answer_and_talk_does_not() {
        for line in [
            "y",
            "Yes please",
            "ok",
            "no!",
            "Yes, do it",
            "no thank you",
            "sure.",
        ] {
            assert!(looks_like_an_answer(line), "{line}");
        }
        for line in [
            "yes, but use tokio",
            "no idea what that is",
            "okra",
            "please",
            "do it",
            "?",
        ] {
            assert!(!looks_like_an_answer(line), "{line}");
        }
    }
}
