//! `/approve` and `/deny`: answers to requests by their ids.

use teammate::{
    TeamHandle, TeamState,
    handle::{AnswerRequest, known_request},
    request::{Answer, RequestId},
};

use teammate_view::{AnswerChoice, answer_receipt};

use super::{TypedAnswer, TypedCall, TypedCommand, requests::named};
use crate::{commands::shown_question::ShownQuestion, screen::clean};

pub(super) const APPROVE: TypedCommand = TypedCommand {
    word: "/approve",
    usage: "ID [NOTE | always [exact|prefix|tool]]",
    about: "say yes to a plan or a permission question",
    run: |call| Box::pin(run(call, yes)),
};

pub(super) const DENY: TypedCommand = TypedCommand {
    word: "/deny",
    usage: "ID [WHY]",
    about: "say no to one",
    run: |call| Box::pin(run(call, |_, _, why| Answer::no(why))),
};

/// Makes an answer to a request of the words after its id.
type MakeAnswer = fn(&TeamState, RequestId, &str) -> Answer;

fn yes(team: &TeamState, id: RequestId, note: &str) -> Answer {
    let request = known_request(team, id).ok();
    let is_question = request.is_some_and(|request| request.permission().is_some());
    AnswerChoice::typed_yes(note, is_question)
}

async fn run(call: TypedCall<'_>, make: MakeAnswer) -> anyhow::Result<TypedAnswer> {
    let words = call.words.split_once(char::is_whitespace);
    let (id, text) = words.unwrap_or((call.words, ""));
    let id = named(&call.state, id)?;
    let answer = make(&call.state, id, text.trim());
    let receipt = receipt(&call.state, id, &answer);
    let answered = answer_with(call.team, id, answer, call.asked).await;
    answered.map_err(anyhow::Error::msg)?;
    Ok(TypedAnswer::Answered(receipt))
}

/// The receipt of this answer once it counts.
pub(in crate::commands) fn receipt(team: &TeamState, id: RequestId, answer: &Answer) -> String {
    match known_request(team, id) {
        Ok(request) => answer_receipt(&request, answer),
        // Its answer is refused.
        Err(_) => id.to_string(),
    }
}

/// Answers a request, which is not the question of the prompt any more then.
///
/// Errors: why the answer has no effect.
pub(in crate::commands) async fn answer_with(
    team: &TeamHandle,
    request: RequestId,
    answer: Answer,
    asked: &ShownQuestion,
) -> Result<(), String> {
    asked.answer(request);
    let verb = AnswerRequest {
        request,
        saw: None,
        answer,
    };
    match team.ask(verb).await {
        Ok(_) => Ok(()),
        Err(error) => {
            asked.mark_unanswered();
            Err(clean(&error.to_string()).into_owned())
        }
    }
}
