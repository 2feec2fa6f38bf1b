//! The permission rules of a workspace: those of the user and the command line, the project's once they are trusted, and
//! those that were answered with "always".

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use teammate_core::{
    next_step::{NextStep, Wording},
    permission::{Rule, RuleError, RuleOrigin, Rules},
    port::{RuleBookError, RuleStore},
};

mod naming;
pub mod written;

pub use naming::UnknownTools;

use crate::{
    policy::MachinePolicy,
    project::{ProjectSettings, TrustStore, UserDirs, UserState, UserStateError},
};

/// The rules of a workspace that an "always" made, kept in the user's state directory.
#[derive(Debug, Clone)]
pub struct AlwaysRules {
    state: UserState,
    workspace: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct AlwaysFile {
    workspace: String,
    allow: Vec<String>,
}

impl AlwaysRules {
    /// Those of a workspace, which must be resolved.
    pub fn of(workspace: &Path, user: &UserDirs) -> Self {
        Self {
            state: UserState::at(user.state.as_deref(), "rules"),
            workspace: workspace.to_owned(),
        }
    }

    /// All of them, the oldest first; an error in the place of what is not understood.
    pub fn list(&self) -> Result<Vec<Result<Rule, RuleError>>, UserStateError> {
        let texts = self.texts()?;
        let parse = |text: &String| Rule::parse(text, RuleOrigin::Always);
        Ok(texts.iter().map(parse).collect())
    }

    /// Forgets one, by its text; false if it is none of them.
    pub fn remove(&self, rule: &str) -> Result<bool, UserStateError> {
        self.change(|texts| {
            let before = texts.len();
            texts.retain(|text| text != rule.trim());
            texts.len() < before
        })
    }

    fn texts(&self) -> Result<Vec<String>, UserStateError> {
        let file: Option<AlwaysFile> = self.state.read(&self.workspace)?;
        Ok(file.map(|file| file.allow).unwrap_or_default())
    }

    /// Writes them if they were changed.
    fn change(
        &self,
        change: impl FnOnce(&mut Vec<String>) -> bool,
    ) -> Result<bool, UserStateError> {
        let _lock = self.state.lock()?;
        let mut allow = self.texts()?;
        let is_changed = change(&mut allow);
        if is_changed {
            let workspace = self.workspace.to_string_lossy().into_owned();
            self.state
                .write(&self.workspace, &AlwaysFile { workspace, allow })?;
        }
        Ok(is_changed)
    }
}

impl RuleStore for AlwaysRules {
    fn add(&self, rule: &Rule) -> Result<(), RuleBookError> {
        let text = rule.to_string();
        self.change(|texts| {
            let is_new = !texts.contains(&text);
            if is_new {
                texts.push(text);
            }
            is_new
        })
        .map(drop)
        .map_err(|error| RuleBookError(error.to_string()))
    }
}

/// The rules in force in a workspace, which must be resolved, and what the user should know about them. `own` are the
/// user's and the command line's; those of the machine's policy come first.
pub fn effective_rules(
    workspace: &Path,
    user: &UserDirs,
    policy: Option<&MachinePolicy>,
    own: Rules,
    wording: Wording,
) -> (Rules, Vec<String>) {
    let mut rules = policy.map(MachinePolicy::rules).unwrap_or_default();
    rules.extend(own);
    let mut notices = Vec::new();
    let project = ProjectSettings::read(workspace);
    match project.rules() {
        None => {}
        Some(_) if !TrustStore::at(user.state.as_deref()).is_trusted(workspace, &project) => {
            notices.push(format!(
                "The rules in .teammate/settings.toml are not used; you can {}",
                wording.words(&NextStep::TrustProject)
            ));
        }
        Some(Ok(found)) => rules.extend(found),
        Some(Err(why)) => notices.push(why),
    }
    match AlwaysRules::of(workspace, user).list() {
        Ok(remembered) => {
            for rule in remembered {
                match rule {
                    Ok(rule) => rules.allow.push(rule),
                    Err(error) => notices.push(format!(
                        "{error}. It is not used; you can {}",
                        wording.words(&NextStep::RemoveRule)
                    )),
                }
            }
        }
        Err(UserStateError::NoDirectory | UserStateError::InsideWorkspace(_)) => {}
        Err(error) => notices.push(error.to_string()),
    }
    (rules, notices)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_remembered_rule_that_is_not_understood_is_said_and_can_be_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let (work, state) = (dir.path().join("work"), dir.path().join("state"));
        fs::create_dir(&work).unwrap();
        let user = UserDirs {
            config: None,
            state: Some(state.clone()),
        };
        let remembered = AlwaysRules::of(&work, &user);
        remembered
            .add(&Rule::parse("bash(=ls)", RuleOrigin::Always).unwrap())
            .unwrap();
        let file = fs::read_dir(state.join("rules"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .find(|path| fs::read_to_string(path).is_ok_and(|text| text.contains("bash(=ls)")));
        let file = file.unwrap();
        let text = fs::read_to_string(&file).unwrap();
        fs::write(
            &file,
            text.replace("\"bash(=ls)\"", "\"bash(=ls)\", \"read([)\""),
        )
        .unwrap();

        let (rules, notices) =
            effective_rules(&work, &user, None, Rules::default(), Wording::default());
        assert_eq!(rules.allow.len(), 1);
        let [notice] = &notices[..] else {
            panic!("{notices:?}")
        };
        assert!(
            notice.starts_with("the remembered rule 'read([)' is not understood: at character 6"),
            "{notice}"
        );
        assert!(remembered.remove("read([)").unwrap());
        assert_eq!(
            effective_rules(&work, &user, None, Rules::default(), Wording::default()).1,
            [""; 0]
        );
    }
}
