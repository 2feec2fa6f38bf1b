//! The task board, on behalf of a member or the user: carries what they want to the team's rules, and runs checks before
//! it believes that a task is done.

use teammate_core::{
    Sender,
    board::{Actor, Evidence, Task, TaskAction, TaskCommand, TaskId, TaskRefusal, TaskStatus},
    cause::Cause,
    fold::records_about,
    hook::HookEvent,
    permission::Mode,
    port::{Caller, Refusal, TaskChange, TaskReport, WorktreeName, Worktrees},
    team::{Command, MemberPhase, TeamEvent, TeamRefusal},
    tool::{CallId, Outcome},
};

use super::{
    TeamService,
    checks::{CheckRun, NotRun},
};
use crate::{ledger::LedgerError, rights::Rights, workdir::worktrees};

/// The most bytes of a failed check's output that the journal keeps; the end says most.
const CHECK_OUTPUT_BYTES_MAX: usize = 2_000;

/// The board as one member's tools see it.
pub(crate) struct BoardService(pub(crate) TeamService, pub(crate) Rights);

impl BoardService {
    /// Asks on behalf of `by`; a check runs as `caller`'s command.
    pub(crate) async fn act_as(
        &self,
        by: Actor,
        caller: &Caller,
        mut ask: TaskAction,
    ) -> Result<TaskChange, Refusal> {
        if let TaskAction::Create(new) = &mut ask {
            new.call.clone_from(&caller.call);
        }
        match self.hooked(&by, &ask) {
            Some(event) => self.act_after_hooks(event, by, caller, ask).await,
            None => self.act(by, caller, ask).await,
        }
    }

    async fn act(
        &self,
        by: Actor,
        caller: &Caller,
        ask: TaskAction,
    ) -> Result<TaskChange, Refusal> {
        let asked = self.0.act_on_board(by.clone(), ask.clone(), None).await;
        let check = match asked {
            Err(LedgerError::Refused(TeamRefusal::Task(TaskRefusal::Unverified {
                check, ..
            }))) => check,
            done => return done.map_err(Refusal::from),
        };
        let evidence = self.run_check(caller, &by, &ask, &check).await?;
        self.act_with(by, ask, Some(evidence)).await
    }

    /// Acts where hooks have a word: after the check, before anything is decided.
    async fn act_after_hooks(
        &self,
        event: HookEvent,
        by: Actor,
        caller: &Caller,
        ask: TaskAction,
    ) -> Result<TaskChange, Refusal> {
        let evidence = match self.foresee(&by, &ask) {
            Ok(true) => None,
            // It was done before.
            Ok(false) => return self.act_with(by, ask, None).await,
            Err(TeamRefusal::Task(TaskRefusal::Unverified { check, .. })) => {
                Some(self.run_check(caller, &by, &ask, &check).await?)
            }
            Err(refused) => return Err(Refusal::Rule(refused.to_string())),
        };
        self.ask_hooks(caller, event, &ask).await?;
        self.act_with(by, ask, evidence).await
    }

    async fn act_with(
        &self,
        by: Actor,
        ask: TaskAction,
        evidence: Option<Evidence>,
    ) -> Result<TaskChange, Refusal> {
        let asked = self.0.act_on_board(by, ask, evidence.map(Box::new)).await;
        asked.map_err(Refusal::from)
    }

    /// The permission mode that a task's check runs in: no more than its writer has now.
    fn check_mode(&self, id: TaskId) -> Mode {
        let here = self.1.effective_mode();
        let team = self.0.0.base.ledger.team();
        let writer = team.board().task(id).map(|task| task.check_by.clone());
        match writer {
            // The user needs no permission, but deny rules still hold.
            Some(Sender::User) => Mode::Bypass,
            Some(Sender::Member(name)) => {
                let member = team.member(&name);
                let own = member.filter(|member| member.phase != MemberPhase::Stopped);
                let own = own.map_or(Mode::Ask, |own| own.options.mode.unwrap_or(Mode::Bypass));
                here.min(own)
            }
            Some(Sender::System | Sender::Unverified(_)) | None => Mode::Ask,
        }
    }

    /// Runs a task's check as the member's own command.
    async fn run_check(
        &self,
        caller: &Caller,
        by: &Actor,
        ask: &TaskAction,
        check: &str,
    ) -> Result<Evidence, Refusal> {
        let Some(id) = ask.task() else {
            return Err(Refusal::Broken(
                "only a task that is there has a check".to_owned(),
            ));
        };
        let call = CallId::new(format!("check-{}", id.number()));
        let rights = (&self.1, self.check_mode(id));
        let outcome = match self.0.run_shell(rights, caller, (call, check)).await {
            Ok((outcome, took_ms)) if !outcome.is_error => {
                return Ok(self.evidence(check, &outcome, took_ms).await);
            }
            Ok((outcome, _)) => outcome,
            Err(NotRun::NoShell) => {
                return Err(Refusal::Rule(format!(
                    "{id} has a check ({check}), and this program cannot run commands"
                )));
            }
            Err(NotRun::Refused(refused)) => {
                let text = format!(
                    "{id} has a check ({check}) that could not be run. {}",
                    refused.text()
                );
                return Err(Refusal::Rule(text));
            }
        };
        let output = outcome.text();
        let failed = TaskCommand::CheckFailed {
            by: by.clone(),
            task: id,
            output: tail(&output).to_owned(),
        };
        let events = self.0.0.base.ledger.decide(Command::Task(failed)).await?;
        let is_given_up = events.len() > 1;
        let what_next = if is_given_up {
            "It has failed too often, and the task now counts as failed."
        } else {
            &format!(
                "The task is still yours: fix the problem and call {} again.",
                self.0.0.base.setup.tool_names.of("complete_task")
            )
        };
        Err(Refusal::Rule(format!(
            "{id} is not completed: its check ({check}) failed. {what_next}\n{output}"
        )))
    }
}

impl BoardService {
    /// A run of a check that exited 0, as the journal keeps it.
    async fn evidence(&self, check: &str, outcome: &Outcome, took_ms: u64) -> Evidence {
        let run = CheckRun::of(outcome, took_ms);
        let tree = match &self.0.0.base.ports.worktrees {
            Some(worktrees) => worktrees.tree(&self.1.workspace.root).await,
            None => None,
        };
        Evidence {
            check: check.to_owned(),
            exit: run.exit.unwrap_or(0),
            took_ms,
            tail: Evidence::tail_of(&run.output).to_owned(),
            tree,
        }
    }
}

impl TeamService {
    /// The user wants something of the board, by this act. A task's check runs before it is completed, as for members.
    pub(crate) async fn act_as_user(
        &self,
        call: Cause,
        ask: TaskAction,
    ) -> Result<TaskChange, Refusal> {
        let base = &self.0.base;
        let service = BoardService(self.clone(), Rights::of_user(base));
        let caller = self.user_caller(call);
        service.act_as(Actor::User, &caller, ask).await
    }

    /// Asks the board on behalf of a member or the user.
    pub(crate) async fn act_on_board(
        &self,
        by: Actor,
        ask: TaskAction,
        verified: Option<Box<Evidence>>,
    ) -> Result<TaskChange, LedgerError> {
        let asked = ask.task();
        let made_by = if let TaskAction::Create(new) = &ask {
            Some(new.call.clone())
        } else {
            None
        };
        let command = Command::Task(TaskCommand::Act {
            by,
            action: ask,
            verified,
        });
        let events = self.0.base.ledger.decide(command).await?;
        let team = self.0.base.ledger.team();
        let id = made_by
            .and_then(|call| team.board().created_by(&call))
            .or(asked);
        let task = id.and_then(|id| team.board().task(id).cloned());
        let task = task.ok_or(LedgerError::Closed)?;
        let is_new = events
            .iter()
            .any(|event| matches!(event, TeamEvent::Task { .. }));
        let freed = match &task.status {
            TaskStatus::Completed { .. } if is_new => task
                .blocks
                .iter()
                .filter(|id| {
                    team.board().task(**id).is_some_and(|later| {
                        matches!(later.status, TaskStatus::Pending { .. })
                            && team.board().open_blockers(later).is_empty()
                    })
                })
                .copied()
                .collect(),
            TaskStatus::Completed { .. }
            | TaskStatus::Pending { .. }
            | TaskStatus::InProgress { .. }
            | TaskStatus::Failed { .. }
            | TaskStatus::Deleted => Vec::new(),
        };
        let has_nobody = !team.teammates().any(|member| task.is_for(member));
        Ok(TaskChange {
            task,
            unblocked: freed,
            has_no_candidate: has_nobody,
        })
    }

    /// The files that are not committed in a task's worktree, as far as that can be found out.
    pub(crate) async fn uncommitted(&self, id: TaskId) -> Vec<String> {
        let task = self.0.base.ledger.team().board().task(id).cloned();
        match (task, worktrees(&self.0.base)) {
            (Some(task), Ok(worktrees)) => uncommitted(&task, worktrees).await,
            (None, _) | (_, Err(_)) => Vec::new(),
        }
    }

    /// A task with its history, which is read from the journal.
    pub(crate) async fn task_report(&self, id: TaskId) -> Result<TaskReport, Refusal> {
        let records = records_about(id, &*self.0.base.ports.journal)
            .await
            .map_err(|error| Refusal::Broken(error.to_string()))?;
        let team = self.0.base.ledger.team();
        team.task_report(id, &records)
            .map_err(|error| Refusal::Rule(error.to_string()))
    }
}

/// The files that are not committed in a task's worktree, as far as that can be found out; nothing of a task that has none.
pub async fn uncommitted(task: &Task, worktrees: &dyn Worktrees) -> Vec<String> {
    let name = WorktreeName::of_task(&task.id.number().to_string());
    let Some(name) = name.ok().filter(|_| task.worktree) else {
        return Vec::new();
    };
    let status = worktrees.status(&name).await;
    status.map_or_else(|_| Vec::new(), |status| status.uncommitted)
}

fn tail(output: &str) -> &str {
    &output[output.ceil_char_boundary(output.len().saturating_sub(CHECK_OUTPUT_BYTES_MAX))..]
}
