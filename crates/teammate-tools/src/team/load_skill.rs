//! `load_skill`: a skill's text, from what was read when the team was opened. A name is looked up, never made a path.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use serde::Deserialize;
use teammate_core::{
    fence::fenced,
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::action;
use crate::spec::{one_line, spec};

/// A skill, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// What it is good for: by this a model chooses.
    pub description: String,
    /// Its text.
    pub body: String,
    /// Where it comes from, for provenance: `.teammate/skills/pdf/SKILL.md in the workspace`.
    pub origin: String,
    /// The files beside it, as paths that a member can open.
    pub files: Vec<String>,
}

/// Skills by name.
pub type Skills = BTreeMap<String, Skill>;

/// The tool.
pub struct LoadSkill {
    spec: ToolSpec,
    skills: Arc<Skills>,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "skill")]
    name: String,
}

impl LoadSkill {
    /// The tool over these skills.
    pub fn new(skills: Arc<Skills>) -> Self {
        Self {
            // It looks at nothing but what the team has in memory, so every member may have it.
            spec: spec!("load_skill", EffectClass::Team),
            skills,
        }
    }

    fn unknown(&self, name: &str) -> Outcome {
        let known: Vec<&str> = self.skills.keys().map(String::as_str).collect();
        Outcome::error(format!(
            "Error: there is no skill '{}'; there are: {}",
            one_line(name, 60),
            known.join(", ")
        ))
    }
}

impl Skill {
    fn text(&self) -> String {
        let mut text = fenced("skill", &self.origin, &self.body);
        if !self.files.is_empty() {
            text.push_str("\n\nFiles beside it:");
            for file in &self.files {
                let _ = write!(text, "\n  {file}");
            }
        }
        text
    }
}

impl Tool for LoadSkill {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let Input { name } = call.input.parse()?;
        let name = one_line(&name, 60);
        Ok(action(format!("load the skill {name}"), name))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, _context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            match call.input.parse::<Input>() {
                Ok(Input { name }) => match self.skills.get(&name) {
                    Some(skill) => Outcome::ok(skill.text()),
                    None => self.unknown(&name),
                },
                Err(outcome) => outcome,
            }
        })
    }
}
