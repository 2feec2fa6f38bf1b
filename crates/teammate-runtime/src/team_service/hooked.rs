//! Hooks before what members do to the team: spawns, mail, tasks. They come before anything is decided, so what they refuse has
//! never been. What the user does runs no hook of these.

use teammate_core::{
    MemberName,
    board::{Actor, TaskAction, TaskCommand},
    hook::{HookDecision, HookEvent, Occasion, TaskFacts},
    permission::Mode,
    port::{Caller, Refusal},
    team::{Command, MessageCause, TeamEvent, TeamRefusal},
};

use super::{BoardService, TeamService};
use crate::{base::Scene, rights::Rights};

/// How often hooks are asked about a new task whose number others take meanwhile.
const NUMBER_TRIES_MAX: u32 = 5;

impl TeamService {
    /// Refuses what hooks refuse.
    async fn ask_hooks(
        &self,
        event: HookEvent,
        scene: Scene,
        occasion: Occasion,
    ) -> Result<(), Refusal> {
        let verdict = self.0.base.consult(event, || (scene, occasion)).await;
        match verdict.decision {
            HookDecision::Refuse(why) => {
                Err(Refusal::Rule(format!("{event} hook feedback:\n{why}")))
            }
            // There is nobody to ask about it.
            HookDecision::Ask(_) | HookDecision::Pass => Ok(()),
        }
    }

    /// Before a spawn. It is an event of the member that comes.
    pub(super) async fn ask_hooks_to_spawn(&self, command: &Command) -> Result<(), Refusal> {
        let event = HookEvent::SubagentStart;
        if !self.0.base.listens(event) {
            return Ok(());
        }
        let decided = self.0.base.ledger.team().decide(command);
        let decided = decided.map_err(|error| Refusal::Rule(error.to_string()))?;
        for spawned in decided.events {
            if let Some((scene, occasion)) = self.spawned(spawned) {
                self.ask_hooks(event, scene, occasion).await?;
            }
        }
        Ok(())
    }

    fn spawned(&self, event: TeamEvent) -> Option<(Scene, Occasion)> {
        let TeamEvent::Spawned {
            member,
            role,
            prompt,
            options,
            incarnation,
            by,
            ..
        } = event
        else {
            return None;
        };
        let base = &self.0.base;
        let scene = Scene {
            member,
            incarnation,
            subagent: None,
            mode: options.mode.unwrap_or(Mode::Bypass).min(base.mode()),
            place: base.workspace.clone(),
        };
        let occasion = Occasion::SubagentStart {
            prompt,
            role: Some(role),
            by,
        };
        Some((scene, occasion))
    }

    /// Before mail of a member.
    pub(super) async fn ask_hooks_to_send(
        &self,
        (caller, rights): (&Caller, &Rights),
        to: &[MemberName],
        content: &str,
    ) -> Result<(), Refusal> {
        let event = HookEvent::MailSent;
        if !self.0.base.listens(event) {
            return Ok(());
        }
        let occasion = Occasion::MailSent {
            to: to.to_vec(),
            content: content.to_owned(),
        };
        let asked = self.ask_hooks(event, rights.scene(caller), occasion).await;
        match asked {
            // They had nothing against it before the program ended in the middle of the call.
            Err(_) if self.was_sent(caller, to).await => Ok(()),
            asked => asked,
        }
    }

    /// Whether this call has sent mail to one of them before.
    async fn was_sent(&self, caller: &Caller, to: &[MemberName]) -> bool {
        let team = self.0.base.ledger.team();
        for to in to {
            let id = team.message_id(MessageCause::Mail(&caller.call, to));
            if self.0.mailer.is_sent(to, &id).await {
                return true;
            }
        }
        false
    }
}

impl BoardService {
    /// The event of what a member asks of the board, if hooks are for it.
    pub(super) fn hooked(&self, by: &Actor, ask: &TaskAction) -> Option<HookEvent> {
        let event = match (by, ask) {
            (Actor::Member(..), TaskAction::Create(_)) => HookEvent::TaskCreated,
            (Actor::Member(..), TaskAction::Complete(..)) => HookEvent::TaskCompleted,
            (Actor::User, _)
            | (
                Actor::Member(..),
                TaskAction::Edit(..)
                | TaskAction::Claim(_)
                | TaskAction::Fail(..)
                | TaskAction::Release(..)
                | TaskAction::Assign(..)
                | TaskAction::Reopen(..)
                | TaskAction::Delete(_),
            ) => return None,
        };
        self.0.0.base.listens(event).then_some(event)
    }

    /// Whether anything would come of it.
    pub(super) fn foresee(&self, by: &Actor, ask: &TaskAction) -> Result<bool, TeamRefusal> {
        let command = Command::Task(TaskCommand::Act {
            by: by.clone(),
            action: ask.clone(),
            verified: None,
        });
        let decided = self.0.0.base.ledger.team().decide(&command)?;
        Ok(!decided.events.is_empty())
    }

    /// Refuses what hooks refuse. A task that is yet to be made has the number that it will have.
    pub(super) async fn ask_hooks(
        &self,
        caller: &Caller,
        event: HookEvent,
        ask: &TaskAction,
    ) -> Result<(), Refusal> {
        for _ in 0..NUMBER_TRIES_MAX {
            let Some(task) = self.facts(ask) else {
                return Ok(());
            };
            let number = task.id;
            let occasion = match ask {
                TaskAction::Create(_) => Occasion::TaskCreated(task),
                _ => Occasion::TaskCompleted {
                    task,
                    at_turn_end: false,
                },
            };
            let scene = self.1.scene(caller);
            self.0.ask_hooks(event, scene, occasion).await?;
            if self.facts(ask).is_none_or(|task| task.id == number) {
                break;
            }
        }
        Ok(())
    }

    fn facts(&self, ask: &TaskAction) -> Option<TaskFacts> {
        let team = self.0.0.base.ledger.team();
        match (ask, ask.task()) {
            (TaskAction::Create(new), _) => Some(TaskFacts {
                id: team.board().next_id(),
                subject: new.subject.clone(),
                description: new.description.clone(),
            }),
            (_, Some(id)) => team.board().task(id).map(|task| TaskFacts::of(task)),
            (_, None) => None,
        }
    }
}
