//! `/approve` and `/deny`: answers to requests by their ids.

use teammate::request::{Answer, RequestId};

use super::{TypedCall, TypedCommand, TypedTeam, requests::named};
use crate::{commands::repl::ShownQuestion, screen::clean};

pub(super) const APPROVE: TypedCommand = TypedCommand {
    word: "/approve",
    usage: "ID [NOTE]",
    about: "say yes to a plan or a permission question",
    run: |call| Box::pin(run(call, yes)),
};

pub(super) const DENY: TypedCommand = TypedCommand {
    word: "/deny",
    usage: "ID [WHY]",
    about: "say no to one",
    run: |call| Box::pin(run(call, |why| Answer::no(why))),
};

fn yes(note: &str) -> Answer {
    Answer::Approve {
        note: note.to_owned(),
        mode: None,
        always: false,
    }
}

async fn run(mut call: TypedCall<'_>, answer: fn(&str) -> Answer) -> anyhow::Result<String> {
    let words = call.words.split_once(char::is_whitespace);
    let (id, text) = words.unwrap_or((call.words, ""));
    let id = named(&call.team, id)?;
    let answered = answer_with(&mut call.team, id, answer(text.trim()), call.asked).await;
    answered.map_err(anyhow::Error::msg)?;
    Ok(String::new())
}

/// Answers a request, which is not the question of the prompt any more then.
///
/// Errors: why the answer has no effect.
pub(in crate::commands) async fn answer_with(
    team: &mut TypedTeam<'_>,
    id: RequestId,
    answer: Answer,
    asked: &ShownQuestion,
) -> Result<(), String> {
    asked.answer(id);
    let answered = team.answer(id, answer).await;
    answered.map_err(|error| {
        asked.mark_unanswered();
        clean(&error.to_string()).into_owned()
    })
}
