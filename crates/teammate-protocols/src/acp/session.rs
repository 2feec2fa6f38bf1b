//! One conversation with an agent.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use teammate_core::model::{Usage, reported_count};

use crate::acp::{
    connection::Connection,
    failure::{AgentFailure, words},
};

pub(crate) const METHOD_INITIALIZE: &str = "initialize";

/// A conversation: its id with this agent, and the modes that it may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id, which is the agent's.
    pub id: String,
    /// Its modes, if it has some.
    pub modes: Option<SessionModes>,
}

/// How freely an agent works, in its own words. Advice to it, no wall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionModes {
    /// The one that it is in.
    pub current: String,
    /// Those that there are.
    pub available: Vec<String>,
}

/// How a turn came to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentTurn {
    /// Why it ended.
    pub stop: Stop,
    /// Whether the agent said how many tokens it took.
    pub has_tokens: bool,
    /// The tokens, as far as it says.
    pub usage: Usage,
}

/// Why a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// The agent is done.
    Done,
    Cancelled,
    /// For a reason of its own, in the protocol's word: a limit, a refusal, or one that later versions have.
    Other(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Opened {
    #[serde(default)]
    session_id: String,
    #[serde(default)]
    modes: Value,
}

impl Session {
    /// Reads what an agent says of a session that it opened, or loaded as this one.
    pub(crate) fn read(
        method: &'static str,
        answer: Value,
        loaded: Option<&str>,
    ) -> Result<Self, AgentFailure> {
        let unusable = |why: String| AgentFailure::Unusable { method, why };
        let answer = match answer {
            Value::Null => json!({}),
            answer => answer,
        };
        let opened: Opened =
            serde_json::from_value(answer).map_err(|error| unusable(error.to_string()))?;
        let id = loaded.map_or(opened.session_id, str::to_owned);
        if id.is_empty() {
            return Err(unusable("it names no session".to_owned()));
        }
        Ok(Self {
            id,
            modes: SessionModes::read(&opened.modes),
        })
    }

    /// Has it work on a text until the turn ends, at most so long.
    pub(crate) async fn prompt(
        &self,
        connection: &Connection,
        text: &str,
        limit: Duration,
    ) -> Result<AgentTurn, AgentFailure> {
        let params = json!({ "sessionId": self.id, "prompt": [block(text)] });
        let answer = connection.ask("session/prompt", &params, limit).await?;
        let stop = match answer["stopReason"].as_str() {
            Some("end_turn") => Stop::Done,
            Some("cancelled") => Stop::Cancelled,
            Some(other) => Stop::Other(words(other)),
            None => Stop::Other("none".to_owned()),
        };
        let meta = &answer["_meta"];
        let counts = [&answer["usage"], &meta["usage"], &meta["quota"]];
        let counted = counts.into_iter().find(|count| count.is_object());
        let usage = counted.map(usage).unwrap_or_default();
        Ok(AgentTurn {
            stop,
            has_tokens: usage.total() > 0,
            usage,
        })
    }

    /// Tells a running turn more, by an extension that agents of several makes have; what the agent did with it, in its own word.
    pub(crate) async fn steer(
        &self,
        connection: &Connection,
        text: &str,
        limit: Duration,
    ) -> Result<String, AgentFailure> {
        let method = "_session/steering";
        let params = json!({
            "sessionId": self.id,
            "prompt": [block(text)],
            // With no turn to tell, it is left to us.
            "_meta": { "steering": { "idleBehavior": "promptRequired" } },
        });
        let answer = connection.ask(method, &params, limit).await?;
        match answer["outcome"].as_str() {
            Some(outcome) => Ok(words(outcome)),
            // Some agents answer anything that they do not know with nothing.
            None => Err(AgentFailure::Unusable {
                method,
                why: "it names no outcome".to_owned(),
            }),
        }
    }
}

/// Tokens, as agents of several makes count them; 0 for what they do not say.
fn usage(count: &Value) -> Usage {
    // Of one make, within.
    let count = match &count["token_count"] {
        Value::Null => count,
        within => within,
    };
    let of = |names: [&str; 2]| {
        let mut counts = names
            .iter()
            .filter_map(|name| reported_count(count.get(name)));
        counts.next().unwrap_or_default()
    };
    let mut usage = Usage {
        input: of(["inputTokens", "input_tokens"]),
        output: of(["outputTokens", "output_tokens"]),
        cache_read: of(["cachedReadTokens", "cache_read_input_tokens"]),
        cache_write: of(["cachedWriteTokens", "cache_creation_input_tokens"]),
        reasoning: of(["thoughtTokens", "reasoning_tokens"]),
        ..Usage::default()
    };
    if usage.all_input() == 0 {
        let total = of(["totalTokens", "total_tokens"]);
        usage.input = total.saturating_sub(usage.total());
    }
    usage
}

fn block(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

impl SessionModes {
    fn read(modes: &Value) -> Option<Self> {
        let available = modes["availableModes"].as_array()?.iter();
        Some(Self {
            current: words(modes["currentModeId"].as_str()?),
            available: available
                .filter_map(|mode| mode["id"].as_str().map(words))
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_in_each_shape_and_none_are_none() {
        for (count, wanted) in [
            (json!({ "inputTokens": 5, "outputTokens": 2 }), (5, 2)),
            (json!({ "inputTokens": 4.2, "outputTokens": "2" }), (5, 2)),
            (json!({ "input_tokens": 5, "outputTokens": null }), (5, 0)),
            (json!({ "outputTokens": 2, "totalTokens": 7 }), (5, 2)),
            (
                json!({ "token_count": { "input_tokens": 5, "output_tokens": 2 } }),
                (5, 2),
            ),
            (json!({ "inputTokens": -5, "outputTokens": [] }), (0, 0)),
            (json!({}), (0, 0)),
        ] {
            let usage = usage(&count);
            assert_eq!((usage.input, usage.output), wanted, "{count}");
        }
    }
}
