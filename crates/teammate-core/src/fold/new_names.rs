//! The names that a command brings into the team. They are written down and shown as they are, and some become parts of paths: no
//! secret may be in one. Names of what is there are looked up only, and refused where there is no such thing.

use crate::{
    board::{TaskAction, TaskCommand},
    secrets::Secrets,
    team::{Command, GroupCommand, PlaceCommand, TeamRefusal, TeamState},
};

impl Command {
    /// Refuses a name that is new to this team and has a secret in it.
    pub(super) fn require_names_without(
        &self,
        secrets: &Secrets,
        team: &TeamState,
    ) -> Result<(), TeamRefusal> {
        match self {
            Self::Under { command, .. } => command.require_names_without(secrets, team)?,
            Self::Create { name, .. } if !team.exists() => secrets.require_none_in("team", name)?,
            Self::Adopt { member, .. } if team.member(member).is_none() => {
                secrets.require_none_in("member", member.as_str())?;
            }
            Self::Spawn(spawn) if team.member(&spawn.member).is_none() => {
                secrets.require_none_in("member", spawn.member.as_str())?;
            }
            Self::ChooseModel {
                model: Some(model), ..
            } => secrets.require_none_in("model", &model.to_string())?,
            Self::Group(GroupCommand::Make { team, .. }) => {
                secrets.require_none_in("team", team.as_str())?;
            }
            Self::Task(TaskCommand::Act {
                action: TaskAction::Create(new),
                ..
            }) => {
                // A team that is not there yet may be named.
                if let Some(team) = &new.team {
                    secrets.require_none_in("team", team.as_str())?;
                }
            }
            Self::Place(PlaceCommand::Join { worker, labels, .. }) => {
                secrets.require_none_in("worker", worker.as_str())?;
                for label in labels {
                    secrets.require_none_in("label", label.as_str())?;
                }
            }
            Self::Create { .. }
            | Self::Adopt { .. }
            | Self::Spawn(_)
            | Self::ChooseModel { .. }
            | Self::Group(_)
            | Self::Task(_)
            | Self::Place(_)
            | Self::Lapse { .. }
            | Self::StartTurn { .. }
            | Self::Wait { .. }
            | Self::EndTurn { .. }
            | Self::SetTodos { .. }
            | Self::RecordUsage(_)
            | Self::Request(_)
            | Self::Goal(_)
            | Self::Schedule(_)
            | Self::Open { .. }
            | Self::ChooseMode(_)
            | Self::SetBudgets(_)
            | Self::Pause(_)
            | Self::Continue(_)
            | Self::Conversation(_)
            | Self::BeginAnew { .. }
            | Self::Join(_)
            | Self::DropConversation(_)
            | Self::MarkBoardReported { .. }
            | Self::Stop { .. }
            | Self::StartJob(_)
            | Self::EndJob { .. }
            | Self::Order { .. }
            | Self::DropRule(_)
            | Self::EndOrder { .. } => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::Timestamp;

    /// Has the shape of any name.
    const KEY: &str = "canary-key-1f09";

    /// Every command that brings a name; `#` is its place.
    fn commands() -> Vec<(&'static str, Value)> {
        let join = |worker: &str, label: &str| {
            json!({"place": {"join": {"worker": worker, "places": 1, "labels": [label],
                "session": "00000000-0000-0000-0000-000000000000", "seen": "silent"}}})
        };
        vec![
            (
                "team",
                json!({"create": {"id": "00000000-0000-0000-0000-000000000000", "name": "#"}}),
            ),
            (
                "member",
                json!({"adopt": {"member": "#", "role": "r", "stopped": false}}),
            ),
            (
                "member",
                json!({"spawn": {"by": "lead", "call": "c", "member": "#", "role": "r",
                "prompt": "p", "options": {}, "ceiling": "ask", "fresh": false}}),
            ),
            (
                "model",
                json!({"choose_model": {"member": "lead", "model": "openai:#", "effort": null}}),
            ),
            (
                "team",
                json!({"group": {"make": {"by": "lead", "call": "c", "team": "#"}}}),
            ),
            (
                "team",
                json!({"task": {"act": {"by": "user", "verified": null,
                "action": {"create": {"subject": "s", "team": "#"}}}}}),
            ),
            ("worker", join("#", "gpu")),
            ("label", join("w1", "repo:https://me:#@host/r")),
        ]
    }

    #[test]
    fn a_new_name_with_a_secret_is_refused_without_it() {
        let secrets = Secrets::new([("KEY".to_owned(), KEY.to_owned())]);
        let team = TeamState::default();
        for (what, form) in commands() {
            let read = |with: &str| -> Command {
                let text = form.to_string().replace('#', with);
                serde_json::from_str(&text).unwrap_or_else(|why| panic!("{text}: {why}"))
            };
            let refused = read(KEY).require_names_without(&secrets, &team);
            let said = refused.expect_err(what).to_string();
            assert!(said.contains(&format!("is no name of a {what}")), "{said}");
            assert!(
                said.contains("[secret KEY]") && !said.contains(KEY),
                "{said}"
            );
            assert_eq!(
                read("harmless").require_names_without(&secrets, &team),
                Ok(())
            );
        }
    }

    #[test]
    fn what_has_its_name_already_goes_on() {
        let secrets = Secrets::new([("KEY".to_owned(), KEY.to_owned())]);
        let mut team = TeamState::default();
        for (what, form) in commands().into_iter().take(3) {
            let form = form.to_string().replace('#', KEY);
            let command: Command = serde_json::from_str(&form).unwrap();
            let is_new = command.require_names_without(&secrets, &team).is_err();
            // The second one that names the member finds it there.
            assert_eq!(is_new, !form.contains("spawn"), "{what}");
            for event in team.decide(&command).unwrap().events {
                team.apply(&event, Timestamp(1));
            }
            assert_eq!(command.require_names_without(&secrets, &team), Ok(()));
        }
    }
}
