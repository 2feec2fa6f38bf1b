//! `load_skill`: a skill's text, from what was read when the team was opened. A name is looked up, never made a path.

use std::{collections::BTreeMap, fmt::Write as _};

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    fence::fenced,
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome},
};

use crate::{
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

/// A skill, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skill {
    /// A line by which a model chooses the skill.
    pub description: String,
    pub body: String,
    /// Where it comes from, for provenance: `.teammate/skills/pdf/SKILL.md in the workspace`.
    pub origin: String,
    /// The files beside it, as paths that a member can open.
    pub files: Vec<String>,
}

/// Skills by name.
pub type Skills = BTreeMap<String, Skill>;

pub(crate) struct LoadSkill(pub(crate) Skills);

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    #[serde(alias = "skill")]
    name: String,
    /// What the skill is to work on, as other programs have it.
    #[serde(default)]
    #[schemars(skip)]
    args: Option<String>,
}

/// The place of the arguments in a skill's text.
const ARGUMENTS: &str = "$ARGUMENTS";

impl Skill {
    fn text(&self, args: &str) -> String {
        let has_place = !args.is_empty() && self.body.contains(ARGUMENTS);
        let body = match has_place {
            true => &self.body.replace(ARGUMENTS, args),
            false => &self.body,
        };
        let mut text = fenced("skill", &self.origin, body);
        if !args.is_empty() && !has_place {
            let _ = write!(text, "\n\nArguments: {args}");
        }
        if !self.files.is_empty() {
            text.push_str("\n\nFiles beside it:");
            for file in &self.files {
                let _ = write!(text, "\n  {file}");
            }
        }
        text
    }
}

impl TypedTool for LoadSkill {
    type Input = Input;
    const NAME: &'static str = "load_skill";
    const DESCRIPTION: &'static str =
        "Read a listed skill: instructions for one kind of work. Load it before such work.";
    /// It looks at nothing but what the team has in memory, so every member may have it.
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let name = one_line(&input.name, 60);
        Ok(team_action(format!("load the skill {name}"), name))
    }

    async fn run(&self, input: Input, _: &ToolContext) -> Reply {
        if let Some(skill) = self.0.get(&input.name) {
            return done(skill.text(input.args.as_deref().unwrap_or_default().trim()));
        }
        let known: Vec<&str> = self.0.keys().map(String::as_str).collect();
        Err(Outcome::error(format!(
            "Error: there is no skill '{}'; there are: {}",
            one_line(&input.name, 60),
            known.join(", ")
        )))
    }
}
