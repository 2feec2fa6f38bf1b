//! A question of an agent before it runs a tool, and how it is answered: for this once, never for ever.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::acp::failure::words;

/// A tool call that an agent asks about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The session that it belongs to.
    pub session: String,
    /// The tool call.
    pub call: String,
    /// The agent's title of it, in a line.
    pub title: String,
    /// Its kind, in the protocol's word: `execute`, `edit`, ...; empty if nothing is said.
    pub kind: String,
    /// The arguments of the tool, as the agent says them.
    pub input: Value,
    /// The files that it is about.
    pub paths: Vec<String>,
    /// The change, if the agent says it: lines that go and lines that come.
    pub diff: String,
    choices: Vec<Choice>,
}

/// An answer that the agent offers.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
struct Choice {
    #[serde(rename = "optionId")]
    id: String,
    #[serde(default)]
    kind: String,
}

/// How a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuestionAnswer {
    /// It may run, this once.
    Allow,
    /// It may not.
    Refuse,
    /// The turn is over: it is not answered.
    Cancel,
}

#[derive(Deserialize)]
struct Asked {
    #[serde(rename = "sessionId")]
    session: String,
    #[serde(rename = "toolCall", default)]
    call: Call,
    #[serde(default)]
    options: Vec<Value>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Call {
    #[serde(rename = "toolCallId")]
    id: String,
    title: Option<String>,
    kind: Option<String>,
    #[serde(rename = "rawInput")]
    input: Value,
    locations: Value,
    content: Value,
}

impl Question {
    /// Reads the parameters of a question.
    pub(crate) fn read(params: &Value) -> Result<Self, String> {
        let asked = Asked::deserialize(params).map_err(|error| error.to_string())?;
        let choices = asked.options.iter();
        Ok(Self {
            session: asked.session,
            call: asked.call.id,
            title: words(&asked.call.title.unwrap_or_default()),
            kind: words(&asked.call.kind.unwrap_or_default()),
            paths: paths(&asked.call.locations),
            diff: diff(&asked.call.content),
            input: asked.call.input,
            // A choice of a new shape is not chosen.
            choices: choices
                .filter_map(|it| Choice::deserialize(it).ok())
                .collect(),
        })
    }

    /// The answer. Without a choice for this once it is cancelled: what would hold for ever is never chosen.
    pub(crate) fn answer(&self, verdict: QuestionAnswer) -> Value {
        let wanted = match verdict {
            QuestionAnswer::Allow => "allow_once",
            QuestionAnswer::Refuse => "reject_once",
            QuestionAnswer::Cancel => "",
        };
        let is_wanted = |choice: &&Choice| !wanted.is_empty() && choice.kind == wanted;
        match self.choices.iter().find(is_wanted) {
            Some(Choice { id, .. }) => {
                json!({ "outcome": { "outcome": "selected", "optionId": id } })
            }
            None => json!({ "outcome": { "outcome": "cancelled" } }),
        }
    }
}

fn paths(locations: &Value) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for location in locations.as_array().into_iter().flatten() {
        let path = location["path"].as_str().unwrap_or_default();
        if !path.is_empty() && !paths.iter().any(|known| known == path) {
            paths.push(path.to_owned());
        }
    }
    paths
}

/// The diff of the lines before and after, without those that both begin and end with.
fn diff(content: &Value) -> String {
    let mut out = String::new();
    for change in content.as_array().into_iter().flatten() {
        if change["type"] != "diff" {
            continue;
        }
        let lines = |name: &str| -> Vec<&str> {
            change[name].as_str().unwrap_or_default().lines().collect()
        };
        let (old, new) = (lines("oldText"), lines("newText"));
        let same = |pairs: usize| pairs.min(old.len()).min(new.len());
        let head = same(old.iter().zip(&new).take_while(|(a, b)| a == b).count());
        let (old, new) = (&old[head..], &new[head..]);
        let pairs = old.iter().rev().zip(new.iter().rev());
        let tail = pairs.take_while(|(a, b)| a == b).count();
        let path = change["path"].as_str().unwrap_or_default();
        out.push_str(&format!("{path}:\n"));
        for (sign, lines) in [
            ("- ", &old[..old.len() - tail]),
            ("+ ", &new[..new.len() - tail]),
        ] {
            for line in lines {
                out.push_str(&format!("{sign}{line}\n"));
            }
        }
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(options: &Value) -> Question {
        Question::read(&json!({
            "sessionId": "s1",
            "toolCall": { "toolCallId": "c1", "title": "rm\u{1b}[2J", "kind": "execute" },
            "options": options,
        }))
        .unwrap()
    }

    #[test]
    fn what_would_hold_for_ever_is_never_chosen() {
        let all = json!([
            { "optionId": "1", "name": "Always", "kind": "allow_always" },
            { "optionId": "2", "name": "Yes", "kind": "allow_once" },
            { "optionId": "3", "name": "No", "kind": "reject_once" },
            { "kind": 7 },
        ]);
        let asked = question(&all);
        assert_eq!(asked.title, "rm\\u{1b}[2J");
        let chosen = |verdict| asked.answer(verdict)["outcome"]["optionId"].clone();
        assert_eq!(chosen(QuestionAnswer::Allow), "2");
        assert_eq!(chosen(QuestionAnswer::Refuse), "3");
        assert_eq!(chosen(QuestionAnswer::Cancel), Value::Null);
        let always = json!([
            { "optionId": "1", "kind": "allow_always" },
            { "optionId": "4", "kind": "reject_always" },
            { "optionId": "", "kind": "" },
        ]);
        let asked = question(&always);
        for verdict in [QuestionAnswer::Allow, QuestionAnswer::Refuse] {
            let answer = asked.answer(verdict);
            assert_eq!(answer["outcome"]["outcome"], "cancelled", "{verdict:?}");
        }
    }
}
