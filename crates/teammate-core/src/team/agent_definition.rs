//! Agent definitions: sorts of members that the user or the project defined, by name. Where they come from and
//! whether they are trusted is settled before they are here.

use std::{collections::BTreeMap, fmt::Write as _};

use crate::{member::MemberOptions, mode::Mode};

/// The most bytes of the list in the briefing.
const LIST_MAX: usize = 6_000;

/// The most characters of a description in that list.
const DESCRIPTION_MAX: usize = 300;

/// The definition of a member that is good for anything.
pub const GENERAL_AGENT: &str = "general";

/// The definition that a word names: other programs have other names for those that are always
/// there.
pub fn agent_type_of(word: &str) -> &str {
    match word {
        "" | "code" | "general-purpose" => GENERAL_AGENT,
        "Explore" => "explore",
        "Plan" => "plan",
        word => word,
    }
}

/// A kind of member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentDefinition {
    /// The purpose of the agent: by this a model chooses.
    pub description: String,
    pub options: MemberOptions,
}

/// The kinds of members that there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentDefinitions(BTreeMap<String, AgentDefinition>);

impl AgentDefinitions {
    /// Adds a definition; one of the same name is replaced. The name becomes a part of its terms.
    pub fn add(&mut self, name: String, mut definition: AgentDefinition) {
        definition.options.agent = Some(name.clone());
        self.0.insert(name, definition);
    }

    /// A definition by name.
    pub fn get(&self, name: &str) -> Option<&AgentDefinition> {
        self.0.get(name)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &AgentDefinition)> {
        self.0
            .iter()
            .map(|(name, definition)| (&**name, definition))
    }

    /// `asked` with what the definition it names says about everything that was not asked for; the definition gives no mode
    /// above `ceiling`. An error is a sentence that lists what there is.
    pub fn apply(&self, mut asked: MemberOptions, ceiling: Mode) -> Result<MemberOptions, String> {
        let Some(name) = &asked.agent else {
            return Ok(asked);
        };
        let Some(AgentDefinition { options: terms, .. }) = self.get(name) else {
            return Err(self.unknown(name));
        };
        let terms = terms.clone();
        asked.model = asked.model.or(terms.model);
        asked.engine = asked.engine.or(terms.engine);
        asked.effort = asked.effort.or(terms.effort);
        if asked.fallback.is_empty() {
            asked.fallback = terms.fallback;
        }
        asked.mode = asked.mode.or(terms.mode.map(|mode| mode.min(ceiling)));
        asked.tools = asked.tools.or(terms.tools);
        asked.worktree |= terms.worktree;
        asked.require_plan |= terms.require_plan;
        asked.labels.extend(terms.labels);
        if asked.instructions.is_empty() {
            asked.instructions = terms.instructions;
        }
        Ok(asked)
    }

    fn unknown(&self, name: &str) -> String {
        let known: Vec<&str> = self.0.keys().map(String::as_str).collect();
        let name: String = name.chars().take(40).collect();
        match known.as_slice() {
            [] => format!("there is no agent '{name}', nor any other; leave it out"),
            known => format!(
                "there is no agent '{name}'; there are: {}",
                known.join(", ")
            ),
        }
    }

    /// A line for each, limited in size, for those who may choose one.
    pub fn list(&self) -> String {
        bounded_list(
            self.iter()
                .map(|(name, definition)| (name, definition.description.as_str())),
        )
    }
}

/// Names with descriptions, a line each, limited in size: what does not fit is left out by name, then by number.
pub fn bounded_list<'a>(entries: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut out = String::new();
    let mut left_out = 0;
    for (name, description) in entries {
        let description = description.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut line = format!("- {name}: ");
        line.extend(description.chars().take(DESCRIPTION_MAX));
        if description.chars().count() > DESCRIPTION_MAX {
            line.push_str("...");
        }
        if out.len() + line.len() > LIST_MAX {
            left_out += 1;
        } else {
            out.push_str(&line);
            out.push('\n');
        }
    }
    if left_out > 0 {
        let _ = writeln!(out, "- and {left_out} more");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agents() -> AgentDefinitions {
        let mut agents = AgentDefinitions::default();
        let terms = MemberOptions {
            mode: Some(Mode::Bypass),
            tools: Some(vec!["grep".into()]),
            instructions: "Look only.".into(),
            worktree: true,
            ..MemberOptions::default()
        };
        let description = "Looks".into();
        agents.add(
            "explore".into(),
            AgentDefinition {
                description,
                options: terms,
            },
        );
        agents
    }

    #[test]
    fn what_is_asked_for_wins_and_no_mode_rises_above_the_spawners() {
        let asked = MemberOptions {
            agent: Some("explore".into()),
            ..MemberOptions::default()
        };
        let given = agents().apply(asked.clone(), Mode::AcceptEdits).unwrap();
        assert_eq!(given.mode, Some(Mode::AcceptEdits));
        assert_eq!(given.tools, Some(vec!["grep".to_owned()]));
        assert_eq!(given.instructions, "Look only.");
        assert!(given.worktree);

        let asked = MemberOptions {
            mode: Some(Mode::Ask),
            model: Some("openai:x".parse().unwrap()),
            ..asked
        };
        let given = agents().apply(asked.clone(), Mode::Bypass).unwrap();
        assert_eq!((given.mode, given.model), (Some(Mode::Ask), asked.model));
    }

    #[test]
    fn an_unknown_name_is_told_what_there_is() {
        let asked = MemberOptions {
            agent: Some("explorer".into()),
            ..MemberOptions::default()
        };
        assert_eq!(
            agents().apply(asked.clone(), Mode::Ask).unwrap_err(),
            "there is no agent 'explorer'; there are: explore"
        );
        assert!(AgentDefinitions::default().apply(asked, Mode::Ask).is_err());
        let nothing = MemberOptions::default();
        assert_eq!(agents().apply(nothing.clone(), Mode::Ask), Ok(nothing));
    }

    #[test]
    fn a_list_has_a_limit() {
        let long = "word ".repeat(200);
        let names: Vec<String> = (0..50).map(|n| format!("agent-{n:02}")).collect();
        let list = bounded_list(names.iter().map(|name| (name.as_str(), long.as_str())));
        assert!(list.len() < LIST_MAX + 40, "{}", list.len());
        assert!(list.starts_with("- agent-00: word word") && list.contains("..."));
        assert!(list.trim_end().ends_with("more"), "{list}");
    }
}
