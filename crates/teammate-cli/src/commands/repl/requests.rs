//! `/requests`, `/approve`, `/deny`, `/shutdown` and `/plan` at the prompt.

use std::time::Duration;

use teammate::{
    Breadth, PlanRequired, Team, TeamError,
    platform::now,
    request::{Answer, RequestId},
};

use super::{printer::Printer, question::ShownQuestion};
use crate::screen::{Style, clean, request_lines, whole_request};

/// `/requests [ID]`.
pub(super) fn list(team: &Team, id: &str, print: &Printer) {
    let (style, now) = (Style::for_stdout(), now());
    if !id.is_empty() {
        return match named(team, id) {
            Ok(id) => match team.request(id) {
                Ok(request) => print.answer(&whole_request(&request, now, style).join("\n")),
                Err(error) => print.answer(&clean(&error.to_string())),
            },
            Err(why) => print.answer(&why),
        };
    }
    let requests = team.requests();
    if requests.is_empty() {
        return print.answer("No request is open");
    }
    print.answer(&request_lines(&requests, now, style).join("\n"));
}

/// `/approve ID [NOTE]`, of a permission question also `/approve ID always [exact|prefix|tool]`.
pub(super) async fn approve(team: &Team, words: &str, asked: &ShownQuestion, print: &Printer) {
    let answer = |id: RequestId, note: &str| {
        let request = team.request(id).ok();
        let is_question = request.is_some_and(|request| request.permission().is_some());
        match always(note).filter(|_| is_question) {
            Some(breadth) => Answer::always(breadth),
            None => Answer::Approve {
                note: note.to_owned(),
                mode: None,
                always: None,
            },
        }
    };
    by_name(team, words, answer, asked, print).await;
}

/// What `always` and a word after it mean.
fn always(words: &str) -> Option<Breadth> {
    let rest = words.strip_prefix("always")?;
    match rest.trim_start() {
        "" => Some(Breadth::Exact),
        word if rest.starts_with(char::is_whitespace) => Breadth::parse(word),
        _ => None,
    }
}

/// `/deny ID [WHY]`.
pub(super) async fn deny(team: &Team, words: &str, asked: &ShownQuestion, print: &Printer) {
    by_name(team, words, |_, why| Answer::no(why), asked, print).await;
}

async fn by_name(
    team: &Team,
    words: &str,
    answer_with: impl Fn(RequestId, &str) -> Answer,
    asked: &ShownQuestion,
    print: &Printer,
) {
    let (id, text) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    match named(team, id) {
        Ok(id) => answer(team, id, answer_with(id, text.trim()), asked, print).await,
        Err(why) => print.answer(&why),
    }
}

/// Answers, or prints why the answer has no effect.
pub(super) async fn answer(
    team: &Team,
    id: RequestId,
    answer: Answer,
    asked: &ShownQuestion,
    print: &Printer,
) {
    asked.answer(id);
    if let Err(error) = team.answer(id, answer).await {
        asked.mark_unanswered();
        print.answer(&clean(&error.to_string()));
    }
}

/// Reports that the answer was typed for a question that was settled elsewhere.
pub(super) fn too_late(team: &Team, id: RequestId, shown: Option<RequestId>, print: &Printer) {
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

/// `/shutdown NAME [now]`.
pub(super) async fn shut_down(team: &Team, words: &str, print: &Printer) {
    let mut words = words.split_whitespace();
    let (name, within) = match (words.next(), words.next(), words.next()) {
        (Some("lead"), ..) => {
            return print.answer("The lead cannot be shut down alone: /quit closes the team");
        }
        (Some(name), None, None) => (name, team.shutdown_within()),
        (Some(name), Some("now"), None) => (name, Duration::ZERO),
        _ => return print.answer("Write: /shutdown NAME [now]"),
    };
    if let Err(error) = team.request_shutdown(name, within).await {
        print.answer(&clean(&error.to_string()));
    }
}

/// `/plan NAME ABOUT` and `/plan NAME off`.
pub(super) async fn plan(team: &Team, words: &str, print: &Printer) {
    let Some((name, about)) = words.split_once(char::is_whitespace) else {
        return print.answer("Write: /plan NAME ABOUT (what the plan is for), or /plan NAME off");
    };
    let done = match about.trim() {
        "off" => lift_plan(team, name).await,
        about => require_plan(team, name, about).await,
    };
    print.answer(&done.unwrap_or_else(|error| clean(&error.to_string()).into_owned()));
}

async fn require_plan(team: &Team, name: &str, about: &str) -> Result<String, TeamError> {
    let PlanRequired { member, ended } = team.require_plan(name, about).await?;
    let ended: Vec<String> = ended
        .iter()
        .map(|job| clean(&job.named()).into_owned())
        .collect();
    let ended = if ended.is_empty() {
        String::new()
    } else {
        format!("; ended its background jobs: {}", ended.join(", "))
    };
    Ok(format!(
        "{member} may only read until you approve its plan, for each new piece of work, until /plan {member} off{ended}"
    ))
}

async fn lift_plan(team: &Team, name: &str) -> Result<String, TeamError> {
    let member = team.lift_plan(name).await?;
    Ok(format!("{member} no longer needs an approved plan"))
}

/// A request by what was typed; otherwise what is open.
fn named(team: &Team, id: &str) -> Result<RequestId, String> {
    id.parse().map_err(|error| {
        let open: Vec<String> = team
            .requests()
            .iter()
            .map(|request| format!("{} ({})", request.id, request.request_kind()))
            .collect();
        let open = if open.is_empty() {
            "no request is open".to_owned()
        } else {
            format!("open: {}", open.join(", "))
        };
        format!("{error}; {open}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn always_is_a_word_of_its_own_and_anything_else_is_a_note() {
        for (words, breadth) in [
            ("always", Some(Breadth::Exact)),
            ("always exact", Some(Breadth::Exact)),
            ("always  prefix", Some(Breadth::Prefix)),
            ("always tool", Some(Breadth::Tool)),
            ("", None),
            ("alwaysprefix", None),
            ("always prefix please", None),
            ("always run the tests", None),
        ] {
            assert_eq!(always(words), breadth, "{words}");
        }
    }
}
