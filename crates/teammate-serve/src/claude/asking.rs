//! Questions of members to the user, answered by the caller's callback: a yes or a no for exactly what was shown, this once.

use std::sync::Arc;

use serde_json::{Value, json};
use teammate::{
    Team,
    request::{Answer, PermissionRequest, Request},
};
use teammate_protocols::rpc::RpcAnswer;
use teammate_view::clean::clean_line;
use tokio::sync::oneshot::error::RecvError;

use crate::{
    claude::{messages::Messages, outbox::Outbox},
    door::questions::{self, Questions},
};

/// Why nothing is done where a plan is wanted.
pub(crate) const PLANS_ONLY: &str =
    "only a plan is wanted now, and nothing is changed or run: say what you would do";

/// Why a call is refused when the caller cannot be asked any more.
const GONE: &str =
    "the program that started this team has ended its input, so that it cannot be asked";

/// The questions that the caller has, by their numbers there.
#[derive(Debug, Default)]
pub(crate) struct Asking(Questions<u64, Came>);

/// An answer of the caller.
#[derive(Debug)]
pub(crate) struct Came {
    request: Arc<Request>,
    verdict: Verdict,
}

/// What a caller's callback decided.
#[derive(Debug, PartialEq)]
enum Verdict {
    Yes,
    No {
        because: String,
        /// The turn ends, too.
        interrupts: bool,
    },
}

impl Asking {
    /// Asks what is new, and withdraws what was settled elsewhere.
    pub(crate) async fn keep_up(&mut self, team: &Team, outbox: &Outbox, messages: &Messages) {
        let questions = team.questions();
        for (_, number) in self.0.settled(&questions) {
            outbox.withdraw(number).await;
        }
        for request in questions {
            if !self.0.has(request.id) {
                self.ask(request, outbox, messages).await;
            }
        }
    }

    async fn ask(&mut self, request: Arc<Request>, outbox: &Outbox, messages: &Messages) {
        let (id, tool, input) = messages.asked(&request);
        let question = question(&request, &id, &tool, &input);
        let key = request.id;
        let (number, answer) = outbox.ask(question).await;
        self.0.add(key, number, async move {
            let verdict = verdict(answer.await, &input);
            Came { request, verdict }
        });
    }

    /// The next answer of the caller; never, if nothing is asked.
    pub(crate) async fn next(&mut self) -> Came {
        self.0.next().await
    }

    /// Takes an answer to the team. Whether the turn is to end, too.
    pub(crate) async fn take(&mut self, came: Came, team: &Team) -> bool {
        let Came { request, verdict } = came;
        self.0.remove(request.id);
        let (answer, interrupts) = match verdict {
            Verdict::Yes => (Answer::yes(), false),
            Verdict::No {
                because,
                interrupts,
            } => (Answer::no(because), interrupts),
        };
        questions::answer(team, &request, answer).await;
        interrupts
    }
}

/// A request as a question.
fn question(request: &Request, id: &str, tool: &str, input: &Value) -> Value {
    let mut asked = json!({
        "subtype": "can_use_tool",
        "tool_name": tool,
        "input": input,
        "tool_use_id": id,
        "permission_suggestions": [],
        "title": clean_line(&request.summary()),
        "description": teammate::visible(&request.shows()),
    });
    let reasons = request.permission().map(PermissionRequest::reasons);
    let reasons = reasons.unwrap_or_default().into_iter();
    let reasons: Vec<String> = reasons
        .map(|(name, text)| format!("{name}: {text}"))
        .collect();
    if !reasons.is_empty() {
        asked["decision_reason"] = clean_line(&reasons.join("; ")).into();
    }
    if let Some(member) = request.concerns().filter(|member| !member.is_lead()) {
        asked["agent_id"] = member.as_str().into();
    }
    asked
}

/// What the caller's answer means for a call with these arguments. What is no yes for exactly them is a no.
fn verdict(answer: Result<RpcAnswer, RecvError>, input: &Value) -> Verdict {
    let no = |because: String| Verdict::No {
        because,
        interrupts: false,
    };
    let answer = match answer {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => {
            return no(format!(
                "the program that started this team could not decide: {}",
                error.message
            ));
        }
        Err(_) => return no(GONE.to_owned()),
    };
    if answer["behavior"] != "allow" {
        let because = answer["message"].as_str().unwrap_or_default();
        return Verdict::No {
            because: because.to_owned(),
            interrupts: answer["interrupt"] == true,
        };
    }
    let restricts = answer["updatedPermissions"]
        .as_array()
        .is_some_and(|updates| {
            let is_harmless =
                |update: &Value| update["type"] == "addRules" && update["behavior"] == "allow";
            !updates.iter().all(is_harmless)
        });
    match answer.get("updatedInput") {
        Some(other) if !other.is_null() && other != input => no(format!(
            "the user's program allows this call with other arguments only; make it with these: {other}"
        )),
        _ if restricts => no(
            "the user's program allowed this together with changes of permissions, which are not made here"
                .to_owned(),
        ),
        _ => Verdict::Yes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_yes_for_exactly_these_arguments_is_one() {
        let input = json!({ "command": "ls" });
        let of = |answer: Value| verdict(Ok(Ok(answer)), &input);
        let always = json!([{ "type": "addRules", "behavior": "allow", "rules": [] }]);
        for yes in [
            json!({ "behavior": "allow" }),
            json!({ "behavior": "allow", "updatedInput": input }),
            json!({ "behavior": "allow", "updatedInput": null, "updatedPermissions": always }),
        ] {
            assert_eq!(of(yes.clone()), Verdict::Yes, "{yes}");
        }
        let never = json!([{ "type": "addRules", "behavior": "deny", "rules": [] }]);
        for no in [
            json!({ "behavior": "deny", "message": "no" }),
            json!({ "behavior": "allow", "updatedInput": { "command": "ls -l" } }),
            json!({ "behavior": "allow", "updatedPermissions": never }),
            json!({ "behavior": "maybe" }),
            json!({}),
            json!(null),
        ] {
            assert_ne!(of(no.clone()), Verdict::Yes, "{no}");
        }
        let stop = of(json!({ "behavior": "deny", "message": "stop", "interrupt": true }));
        assert_eq!(
            stop,
            Verdict::No {
                because: "stop".to_owned(),
                interrupts: true,
            }
        );
    }
}
