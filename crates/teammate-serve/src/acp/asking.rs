//! Questions of members to the user, asked by the editor: a yes or a no for exactly what was shown, this once.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use teammate::{
    Team,
    request::{PermissionRequest, Request, RequestId, RequestKind},
};
use teammate_protocols::rpc;
use teammate_view::{AnswerChoice, clean::clean_line};

use crate::{
    acp::{outbox::Outbox, session_id::SessionId, shown::kind, update},
    door::questions::{self, Questions},
};

/// Why nothing is done in the mode `plan`.
pub(crate) const PLANS_ONLY: &str = "the editor is in plan mode, in which nothing is changed or run: say what you would do, and the user \
changes the mode to have it done";

/// The questions that the editor has.
#[derive(Debug, Default)]
pub(crate) struct Asking(Questions<Asked, Came>);

#[derive(Debug)]
struct Asked {
    /// As the editor knows it.
    number: u64,
    /// The call of the editor's that shows it, if it was made for that.
    own_call: Option<String>,
}

/// An answer of the editor; nothing if it has not asked, or shows it no longer.
#[derive(Debug)]
pub(crate) struct Came {
    request: Arc<Request>,
    verdict: Option<AnswerChoice>,
}

/// The answers that an editor offers, both for this once: each with its id and kind there.
const OFFERED: [(AnswerChoice, &str, &str); 2] = [
    (AnswerChoice::Once, "allow", "allow_once"),
    (AnswerChoice::No, "reject", "reject_once"),
];

impl Asking {
    /// Asks what is new, and withdraws what was settled elsewhere. `call_of` is the call that a request is about.
    pub(crate) async fn keep_up(
        &mut self,
        team: &Team,
        (outbox, session): (&Outbox, &SessionId),
        call_of: impl Fn(&Request) -> Option<String>,
    ) {
        let questions = team.questions();
        for (id, asked) in self.0.settled(&questions) {
            outbox.withdraw(asked.number).await;
            settle_own_call(team, id, &asked, outbox, session).await;
        }
        for request in questions {
            if !self.0.has(request.id) {
                let call = call_of(&request);
                self.ask(request, call, outbox, session).await;
            }
        }
    }

    async fn ask(
        &mut self,
        request: Arc<Request>,
        call: Option<String>,
        outbox: &Outbox,
        session: &SessionId,
    ) {
        let own_call = call.is_none().then(|| request.id.to_string());
        let call = call.or_else(|| own_call.clone()).unwrap_or_default();
        let params = question(&request, &call, session);
        let id = request.id;
        let (number, answer) = outbox.ask("session/request_permission", &params).await;
        self.0.add(id, Asked { number, own_call }, async move {
            let verdict = answer.await.ok().and_then(verdict);
            Came { request, verdict }
        });
    }

    /// The next answer of the editor; never, if nothing is asked.
    pub(crate) async fn next(&mut self) -> Came {
        self.0.next().await
    }

    /// Takes an answer to the team; nothing, if the editor has left it open, so that a terminal may answer until its deadline.
    pub(crate) async fn take(
        &mut self,
        came: Came,
        team: &Team,
        (outbox, session): (&Outbox, &SessionId),
    ) {
        let Came { request, verdict } = came;
        let Some(choice) = verdict else { return };
        let answer = choice.answer("the user said no in the editor");
        // If somebody else was faster, that answer is shown.
        questions::answer(team, &request, answer).await;
        if let Some(asked) = self.0.remove(request.id) {
            settle_own_call(team, request.id, &asked, outbox, session).await;
        }
    }

    /// Withdraws everything.
    pub(crate) async fn end(&mut self, outbox: &Outbox) {
        for asked in self.0.take_all() {
            outbox.withdraw(asked.number).await;
        }
    }
}

/// A call that was made up for a question ends with it.
async fn settle_own_call(
    team: &Team,
    id: RequestId,
    asked: &Asked,
    outbox: &Outbox,
    session: &SessionId,
) {
    let Some(call) = &asked.own_call else { return };
    let settled = team.request(id).ok();
    let is_yes = settled
        .is_some_and(|one| matches!(one.state, teammate::request::RequestState::Approved(_)));
    let status = if is_yes { "completed" } else { "failed" };
    let update =
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": call, "status": status });
    outbox.update(session, update).await;
}

/// A request as a question with two answers: both for this once.
fn question(request: &Request, call: &str, session: &SessionId) -> Value {
    let who = request.from.to_string();
    let (kind, does) = match request.request_kind() {
        RequestKind::Permission => {
            let asked = request.permission();
            let tool = asked.map_or("permission", |asked| &*asked.tool);
            (kind(tool), tool)
        }
        RequestKind::Plan => ("switch_mode", "plan"),
        RequestKind::Shutdown => ("other", "shutdown"),
    };
    let is_plan = request.plan().is_some();
    let title = clean_line(&format!("{who}: {does}: {}", request.summary()));
    let title: String = title.chars().take(200).collect();
    // Nothing of it may be invisible, or taken for Markdown.
    let mut shows = teammate::visible(&request.shows());
    for (name, text) in request
        .permission()
        .map_or_else(Vec::new, PermissionRequest::reasons)
    {
        shows.push_str(&format!("\n\n{name}: {}", clean_line(&text)));
    }
    let content = json!([{ "type": "content", "content": update::verbatim(&shows) }]);
    json!({
        "sessionId": session.as_str(),
        "toolCall": {
            "toolCallId": call,
            "title": title,
            "kind": kind,
            "status": "pending",
            "content": content,
        },
        "options": OFFERED.map(|(choice, id, kind)| {
            json!({ "optionId": id, "name": choice.label(is_plan), "kind": kind })
        }),
    })
}

#[derive(Deserialize)]
struct Answered {
    outcome: Outcome,
}

#[derive(Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
enum Outcome {
    Selected {
        #[serde(rename = "optionId")]
        option: String,
    },
    Cancelled,
}

fn verdict(answer: rpc::RpcAnswer) -> Option<AnswerChoice> {
    // One that refuses cannot ask its user.
    let answer = answer.ok().map(Answered::deserialize)?;
    let chosen = match answer {
        Ok(Answered {
            outcome: Outcome::Cancelled,
        }) => return None,
        Ok(Answered {
            outcome: Outcome::Selected { option },
        }) => OFFERED.into_iter().find(|(_, id, _)| *id == option),
        Err(_) => None,
    };
    // What was not offered is no yes.
    Some(chosen.map_or(AnswerChoice::No, |(choice, ..)| choice))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_offered_yes_is_a_yes() {
        let selected = |id: &str| json!({ "outcome": { "outcome": "selected", "optionId": id } });
        for (answer, is) in [
            (selected("allow"), Some(AnswerChoice::Once)),
            (selected("reject"), Some(AnswerChoice::No)),
            (selected("allow_always"), Some(AnswerChoice::No)),
            (json!({ "outcome": { "outcome": "cancelled" } }), None),
            (json!({ "outcome": "allow" }), Some(AnswerChoice::No)),
            (json!("allow"), Some(AnswerChoice::No)),
            (Value::Null, Some(AnswerChoice::No)),
        ] {
            assert_eq!(verdict(Ok(answer.clone())), is, "{answer}");
        }
        let error = serde_json::from_value(json!({ "code": -32601, "message": "no" }));
        assert_eq!(verdict(Err(error.unwrap())), None);
    }
}
