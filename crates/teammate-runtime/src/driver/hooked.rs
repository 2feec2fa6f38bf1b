//! Hooks of a member's own turns: whether one may end, whether its conversation may be summarized, and whose word ends it before
//! the next call of the model.

use std::{ops::ControlFlow, sync::Arc};

use teammate_core::{
    MemberName,
    agent::Input,
    hook::{HookDecision, HookEvent, Occasion, TaskFacts},
    model::{ModelFailure, Remedy},
};

use super::{Driver, in_flight::DriverJob};
use crate::base::{Base, Scene};

/// Whether hooks may have a word when this member's turn ends.
pub(super) fn asks_to_end(base: &Base, member: &MemberName) -> bool {
    let of_teammates = [
        HookEvent::SubagentStop,
        HookEvent::TaskCompleted,
        HookEvent::TeammateIdle,
    ];
    match member.is_lead() {
        true => base.listens(HookEvent::Stop),
        false => of_teammates.into_iter().any(|event| base.listens(event)),
    }
}

impl Driver {
    /// The member as hooks read it.
    pub(super) fn scene(&self) -> Scene {
        Scene {
            member: self.name.clone(),
            incarnation: self.incarnation,
            subagent: None,
            mode: self.rights.effective_mode(),
            place: self.rights.workspace.clone(),
        }
    }

    /// A hook ends the turn: the model is not called.
    pub(super) fn halted(&self) -> Option<Input> {
        let what = self.base.halted(&self.name)?;
        Some(Input::ModelFailed(ModelFailure {
            what,
            remedy: Remedy::Never,
        }))
    }

    /// Asks hooks whether the turn may end; their word comes as an input.
    pub(super) fn ask_to_end(&mut self, last: String, held_back: u32) {
        let ending = JudgedTurn {
            base: self.base.clone(),
            scene: self.scene(),
            last,
            is_held_back: held_back > 0,
            goes_on: self.has_next_task(),
        };
        self.start(DriverJob::Hooks, async move {
            Input::MayEnd(ending.held_back().await)
        });
    }

    /// A summary that is about to be asked for.
    pub(super) fn wanted_summary(&self, focus: Option<&str>, is_needed: bool) -> WantedSummary {
        WantedSummary {
            base: self.base.clone(),
            scene: self.scene(),
            occasion: Occasion::PreCompact {
                is_wanted: !is_needed,
                focus: focus.unwrap_or_default().to_owned(),
            },
        }
    }
}

/// A summary, before the model is asked for it.
pub(super) struct WantedSummary {
    base: Arc<Base>,
    scene: Scene,
    occasion: Occasion,
}

impl WantedSummary {
    /// An error if hooks refuse it.
    pub(super) async fn ask_hooks(self) -> Result<(), ModelFailure> {
        let happens = || (self.scene, self.occasion);
        let verdict = self.base.consult(HookEvent::PreCompact, happens).await;
        match verdict.decision {
            HookDecision::Refuse(why) => Err(ModelFailure {
                what: format!("a hook of the user refuses the summary.\n{why}"),
                remedy: Remedy::Never,
            }),
            // Nobody can be asked about it.
            HookDecision::Ask(_) | HookDecision::Pass => Ok(()),
        }
    }
}

/// A turn that is about to end, as hooks judge it.
struct JudgedTurn {
    base: Arc<Base>,
    scene: Scene,
    last: String,
    is_held_back: bool,
    /// The member takes something from the board next.
    goes_on: bool,
}

impl JudgedTurn {
    /// Why the turn goes on, if it does.
    async fn held_back(self) -> Option<String> {
        match self.ask_all().await {
            ControlFlow::Break(word) => word,
            ControlFlow::Continue(()) => None,
        }
    }

    /// First hooks of the turn, then of the task that the member still works on, then of its rest.
    async fn ask_all(&self) -> ControlFlow<Option<String>> {
        let (last, is_held_back) = (self.last.clone(), self.is_held_back);
        if self.scene.member.is_lead() {
            let stop = Occasion::Stop { last, is_held_back };
            return self.ask(HookEvent::Stop, stop).await;
        }
        let stop = Occasion::SubagentStop { last, is_held_back };
        self.ask(HookEvent::SubagentStop, stop).await?;
        let team = self.base.ledger.team();
        let unfinished = team.board().task_of(&self.scene.member);
        if let Some(task) = unfinished.map(|task| TaskFacts::of(task)) {
            let completed = Occasion::TaskCompleted {
                task,
                at_turn_end: true,
            };
            self.ask(HookEvent::TaskCompleted, completed).await?;
        }
        match self.goes_on {
            true => ControlFlow::Continue(()),
            false => {
                self.ask(HookEvent::TeammateIdle, Occasion::TeammateIdle)
                    .await
            }
        }
    }

    /// Breaks with the word that counts: why the turn goes on, or nothing if a hook ends it whatever others say.
    async fn ask(&self, event: HookEvent, occasion: Occasion) -> ControlFlow<Option<String>> {
        let happens = || (self.scene.clone(), occasion);
        let verdict = self.base.consult(event, happens).await;
        match (verdict.halt, verdict.decision) {
            (Some(_), _) => ControlFlow::Break(None),
            (None, HookDecision::Refuse(why)) => {
                ControlFlow::Break(Some(format!("{event} hook feedback:\n{why}")))
            }
            (None, HookDecision::Ask(_) | HookDecision::Pass) => ControlFlow::Continue(()),
        }
    }
}
