//! The body of a request, and the verb that it asks for.

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::Value;
use teammate_core::{
    MemberName,
    name::DeviceName,
    request::{Answer, Digest, RequestId},
};
use teammate_view::{AnswerChoice, SeenRequest, Verb};

use crate::{KeyScope, refusal::PageRefusal};

/// The body of a request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Asked {
    /// The id of the team that was shown.
    pub(crate) team: String,
    /// Made by the page for this request: the same key twice is once.
    pub(crate) key: String,
    /// The digest of what was shown.
    saw: Option<String>,
    request: Option<String>,
    /// Those that ask exactly the same, each with its digest.
    alike: Option<Vec<(String, String)>>,
    answer: Option<String>,
    why: Option<String>,
    to: Option<String>,
    text: Option<String>,
    member: Option<String>,
    mail: Option<String>,
    /// The words that are typed behind a command.
    words: Option<String>,
}

/// The answers of a request.
const ANSWERS: &str = "once, always, prefix, tool, no or why";

impl Asked {
    /// The verb, and what a key has to be good for to ask it.
    pub(crate) fn verb(
        &self,
        name: &str,
        device: Option<DeviceName>,
    ) -> Result<(Verb, KeyScope), PageRefusal> {
        let member = |name: &str| MemberName::parse(name).map_err(|error| wrong(error.to_string()));
        Ok(match name {
            "answer" => self.answer(device)?,
            "pause" => (Verb::Pause(device), KeyScope::Steer),
            "continue" => (Verb::Continue(device), KeyScope::Steer),
            "say" => {
                let to = member(self.to.as_deref().unwrap_or("lead"))?;
                let text = self.text.clone().filter(|text| !text.trim().is_empty());
                let text = text.ok_or_else(|| wrong("`text` says what is sent"))?;
                (Verb::Say { to, text }, KeyScope::Steer)
            }
            "interrupt" => {
                let whom = self.member.as_deref().map(member).transpose()?;
                (Verb::Interrupt(whom), KeyScope::Steer)
            }
            "recall" => {
                let mail = self.mail.as_deref().map(|id| {
                    serde_json::from_value(Value::String(id.to_owned()))
                        .map_err(|_| wrong("`mail` is the id of a message"))
                });
                (Verb::Recall(mail.transpose()?), KeyScope::Steer)
            }
            // Typed or by a button: an answer is to what was shown.
            "approve" | "deny" => self.typed_answer(name, device)?,
            command => {
                let words = self.words.as_deref().unwrap_or_default();
                let line = format!("/{command} {words}");
                (Verb::Typed(line.trim_end().to_owned()), KeyScope::Steer)
            }
        })
    }

    /// By a button.
    fn answer(&self, device: Option<DeviceName>) -> Result<(Verb, KeyScope), PageRefusal> {
        let id = self.request.as_deref().unwrap_or_default();
        let choice = self.answer.as_deref().and_then(AnswerChoice::parse);
        let choice = choice.ok_or_else(|| wrong(format!("`answer` is {ANSWERS}")))?;
        let answer = choice.answer(self.why.as_deref().unwrap_or_default());
        self.answer_to(id, answer, device)
    }

    /// As it is typed at the prompt: `ID`, then a note, a reason, or `always` with how far it reaches.
    fn typed_answer(
        &self,
        word: &str,
        device: Option<DeviceName>,
    ) -> Result<(Verb, KeyScope), PageRefusal> {
        let words = self.words.as_deref().unwrap_or_default().trim();
        let (id, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        let rest = rest.trim();
        let answer = match word {
            "deny" => Answer::no(rest),
            _ => AnswerChoice::typed_yes(rest, true),
        };
        self.answer_to(id, answer, device)
    }

    /// With what a key has to be good for: what holds on is more than an answer for once.
    fn answer_to(
        &self,
        id: &str,
        answer: Answer,
        device: Option<DeviceName>,
    ) -> Result<(Verb, KeyScope), PageRefusal> {
        let request: RequestId = id
            .parse()
            .map_err(|_| wrong("`request` is an id as req_000003"))?;
        let saw = self.saw.clone().map(Digest::try_from).transpose();
        let saw = saw.map_err(|_| wrong("`saw` is the digest that was shown, whole"))?;
        let scope = match &answer {
            Answer::Approve {
                always: Some(_), ..
            } => KeyScope::Steer,
            Answer::Approve { always: None, .. } | Answer::Reject { .. } => KeyScope::Answer,
        };
        let verb = Verb::Answer {
            request,
            saw,
            answer,
            alike: self.alike()?,
            device,
        };
        Ok((verb, scope))
    }

    /// The requests that asked exactly the same, each with the digest that was shown.
    fn alike(&self) -> Result<Vec<SeenRequest>, PageRefusal> {
        let seen = self.alike.iter().flatten().map(|(id, saw)| {
            let request = id.parse().ok();
            let saw = Digest::try_from(saw.clone()).ok();
            let seen = request.zip(saw);
            let seen = seen.map(|(request, saw)| SeenRequest { request, saw });
            seen.ok_or_else(|| wrong("`alike` has ids as req_000003, each with its digest"))
        });
        seen.collect()
    }
}

fn wrong(text: impl Into<String>) -> PageRefusal {
    PageRefusal::new(StatusCode::UNPROCESSABLE_ENTITY, text)
}
