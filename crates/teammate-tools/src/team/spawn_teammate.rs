//! `spawn_teammate`: adds a teammate, or wakes one with its transcript.

use serde::Deserialize;
use teammate_core::{
    TeamName,
    model::ModelRef,
    permission::Mode,
    port::{Action, BoxFuture, SpawnAsk, Spawned, Tool, ToolContext},
    team::Terms,
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, refused};
use crate::spec::{one_line, spec};

/// The tool.
pub struct SpawnTeammate {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    name: String,
    role: String,
    prompt: String,
    #[serde(default)]
    model: Option<String>,
    #[serde(default, alias = "mode")]
    permission_mode: Option<String>,
    #[serde(default)]
    fresh: bool,
    #[serde(default, alias = "team_name")]
    team: Option<String>,
}

impl Input {
    fn ask(self) -> Result<SpawnAsk, Outcome> {
        let model = self
            .model
            .filter(|model| !model.is_empty())
            .map(|model| model.parse::<ModelRef>())
            .transpose()
            .map_err(|error| Outcome::error(format!("Error: {error}. Nobody was spawned.")))?;
        let mode = self
            .permission_mode
            .filter(|mode| !mode.is_empty())
            .map(|word| Mode::parse(&word).ok_or_else(|| unknown_mode(&word)))
            .transpose()?;
        let team = self
            .team
            .filter(|team| !team.is_empty())
            .map(|team| TeamName::parse(&team))
            .transpose()
            .map_err(|error| Outcome::error(format!("Error: {error}. Nobody was spawned.")))?;
        Ok(SpawnAsk {
            name: self.name,
            role: self.role,
            prompt: self.prompt,
            terms: Terms {
                model,
                mode,
                team,
                ..Terms::default()
            },
            fresh: self.fresh,
        })
    }
}

fn unknown_mode(word: &str) -> Outcome {
    let known = Mode::ALL.map(|(_, word)| word).join(", ");
    Outcome::error(format!(
        "Error: there is no permission mode '{word}'; the modes are {known}. Nobody was spawned."
    ))
}

impl SpawnTeammate {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("spawn_teammate", EffectClass::Team),
        }
    }
}

impl Default for SpawnTeammate {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for SpawnTeammate {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let ask = call.input.parse::<Input>()?.ask()?;
        let mut shows = format!("spawn {} (role: {})", ask.name, ask.role);
        if let Some(model) = &ask.terms.model {
            shows.push_str(&format!(" on {model}"));
        }
        if let Some(mode) = ask.terms.mode {
            shows.push_str(&format!(" in mode {mode}"));
        }
        if ask.fresh {
            shows.push_str(" with a new memory");
        }
        let summary = format!("{} ({}): {}", ask.name, ask.role, one_line(&ask.prompt, 60));
        Ok(action(format!("{shows}:\n{}", ask.prompt), summary))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let ask = match call.input.parse().and_then(Input::ask) {
                Ok(ask) => ask,
                Err(outcome) => return outcome,
            };
            match context.office.spawn(&context.caller, ask).await {
                Ok(Spawned {
                    name,
                    role,
                    woken: false,
                }) => Outcome::ok(format!("Spawned '{name}' (role: {role})")),
                Ok(Spawned {
                    name,
                    role,
                    woken: true,
                }) => Outcome::ok(format!("Woke '{name}' (role: {role}) with its transcript")),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
