//! Where a member's tools work: at its home, or in the worktree of the task in its hand. What was asked to be apart is never done
//! in a shared directory instead.

use std::sync::Arc;

use teammate_core::{
    agent::Input,
    board::{TaskCommand, TaskId},
    port::{Caller, Furnished, Workspace, WorktreeError, WorktreeName},
    team::Command,
    tool::{CallId, Outcome, ToolCall},
};
use tokio::sync::OnceCell;

use super::{Driver, in_flight::DriverJob};
use crate::{
    workdir::{explained, worktrees},
    worktree_setup::{PendingSetup, SetupParts},
};

impl Driver {
    /// Runs calls in the workdir of the turn. If it is not available, the task goes back to the board and the
    /// outcomes give the reason.
    pub(super) async fn run_in_workdir(&mut self, calls: Vec<ToolCall>) {
        match self.workdir_of_turn().await {
            Ok(workspace) => {
                self.rights.workspace = workspace;
                self.run_tools(calls);
            }
            Err((task, error)) => {
                let why = self.give_back(task, &error).await;
                for call in calls {
                    let text = format!("Not run: {why}");
                    self.start(DriverJob::Tool(call.id.clone()), async move {
                        Input::ToolDone(call.id, Outcome::error(text))
                    });
                }
            }
        }
    }

    pub(super) async fn workdir_of_turn(
        &mut self,
    ) -> Result<Arc<Workspace>, (TaskId, WorktreeError)> {
        // What it completed or gave back keeps its directory until the turn ends: what the model does next is still about that.
        if let Some(task) = self.base.ledger.team().board().task_of(&self.name) {
            self.apart = task.worktree.then_some(task.id);
        }
        match self.apart {
            None => {
                self.setup.clone_from(&self.home_setup);
                Ok(self.workdir.clone())
            }
            Some(task) => match self.task_worktree(task).await {
                Ok(workspace) => Ok(workspace),
                Err(error) => Err((task, error)),
            },
        }
    }

    /// Saves what it did last before its loop ends.
    pub(super) async fn save_last_work(&mut self) {
        if let Some(saver) = self.saver.take() {
            saver.finish().await;
        }
    }

    async fn task_worktree(&mut self, task: TaskId) -> Result<Arc<Workspace>, WorktreeError> {
        let worktrees = worktrees(&self.base)?;
        let name = WorktreeName::of_task(&task.number().to_string())?;
        let root = worktrees.path(&name);
        if self.rights.workspace.root == root {
            return Ok(self.rights.workspace.clone());
        }
        let mut prepared = worktrees.create(&name).await?;
        let place = Arc::new(Workspace {
            root: prepared.worktree.path.clone(),
            ..(*self.workdir).clone()
        });
        self.setup = prepared.furnished().map(|furnished| {
            let furnished = std::mem::take(furnished);
            Arc::new(self.pending_setup(name, place.clone(), furnished))
        });
        Ok(place)
    }

    /// Has the calls in the member's own worktree wait for its set-up.
    pub(super) fn set_up_home(&mut self, worktree: WorktreeName, furnished: Furnished) {
        let place = self.workdir.clone();
        let setup = self.pending_setup(worktree, place, furnished);
        self.home_setup = Some(Arc::new(setup));
    }

    /// The setup that the next calls wait for, if one is pending.
    fn pending_setup(
        &self,
        worktree: WorktreeName,
        place: Arc<Workspace>,
        furnished: Furnished,
    ) -> PendingSetup {
        let at = self.agent.conversation().last_answer().unwrap_or_default();
        PendingSetup {
            parts: SetupParts {
                base: self.base.clone(),
                gate: self.parts.gate.clone(),
                contexts: self.parts.contexts.clone(),
                mailer: self.parts.mailer.clone(),
            },
            place,
            caller: Caller {
                name: self.name.clone(),
                incarnation: self.incarnation,
                call: self.cause(at, &CallId::new("setup".to_owned())),
                sources: Arc::default(),
                subagent: None,
            },
            worktree,
            furnished,
            done: OnceCell::new(),
        }
    }

    /// The task goes back to the board; returns why.
    pub(super) async fn give_back(&mut self, task: TaskId, error: &WorktreeError) -> String {
        self.apart = None;
        let why = explained(&self.base, error);
        let why = format!("the worktree of {task} could not be made: {why}");
        let withdraw =
            TaskCommand::Withdraw(self.name.clone(), self.incarnation, task, why.clone());
        if let Err(error) = self.base.ledger.decide(Command::Task(withdraw)).await {
            self.base.feed.note(&self.name, error.to_string());
        }
        format!("{why}. {task} went back to the board.")
    }
}
