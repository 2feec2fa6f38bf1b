//! The team as one tool call sees it: who calls is known here, and what it asks is answered by the service's rooms.

use std::time::Duration;

use teammate_core::{
    GroupName, MemberName, Sender,
    board::{Actor, TaskAction, TaskId},
    port::{
        BoxFuture, Caller, ConnectArgs, ConnectVerdict, GroupEnded, JobReport, LaterQuestion,
        MemberSummary, NewJob, PlanRequired, Refusal, ScheduleAsk, ShutdownArgs, ShutdownReply,
        SpawnArgs, SpawnedTeammate, SubagentArgs, SubmittedPlan, TaskChange, TaskReport,
        TaskSummary, TeamApi, TeamReply, UserAnswer, UserQuestion, WorkerSummary,
    },
    request::{Answer, RequestId, RequestKind},
    team::{Job, TodoList},
    tool::Outcome,
};

use super::{BoardService, TeamService};
use crate::rights::Rights;

/// The team API of one call of this caller.
pub(super) struct CallerApi {
    pub(super) service: TeamService,
    pub(super) rights: Rights,
    pub(super) caller: Caller,
}

impl CallerApi {
    /// A subagent ends before a job could.
    fn require_background(&self) -> Result<(), Refusal> {
        if self.rights.is_subagent {
            let why = "a subagent cannot run things in the background; run it in the foreground";
            return Err(Refusal::Rule(why.to_owned()));
        }
        Ok(())
    }
}

impl TeamApi for CallerApi {
    fn spawn(&self, ask: SpawnArgs) -> TeamReply<'_, SpawnedTeammate> {
        Box::pin(self.service.spawn(&self.caller, ask))
    }

    fn roster(&self) -> Vec<MemberSummary> {
        self.service.0.base.roster()
    }

    fn workers(&self) -> Vec<WorkerSummary> {
        self.service.0.base.workers()
    }

    fn subagent(&self, ask: SubagentArgs) -> Result<BoxFuture<'static, Outcome>, Refusal> {
        let parts = self.service.subagent_parts();
        parts.subagent(&self.rights, &self.caller, ask)
    }

    fn create_group(&self, group: GroupName) -> TeamReply<'_, ()> {
        Box::pin(self.service.create_group(&self.caller, group))
    }

    fn end_group(&self, group: GroupName) -> TeamReply<'_, GroupEnded> {
        Box::pin(self.service.end_group(&self.caller, group))
    }

    fn send(&self, to: String, content: String) -> TeamReply<'_, MemberName> {
        Box::pin(self.service.send((&self.caller, &self.rights), to, content))
    }

    fn broadcast(&self, group: Option<GroupName>, content: String) -> TeamReply<'_, usize> {
        let by = (&self.caller, &self.rights);
        Box::pin(self.service.broadcast(by, group, content))
    }

    fn unread_mail(&self) -> TeamReply<'_, usize> {
        Box::pin(self.service.waiting_mail(&self.caller))
    }

    fn wait_for_team(&self) -> BoxFuture<'_, ()> {
        // Those who are waited for begin.
        self.service.0.base.spawn_hold.release();
        let (parts, name) = (&self.service.0, &self.caller.name);
        Box::pin(async move {
            let _waits = parts.base.awaiting_mail(name);
            parts.rest.wait_others_idle(name).await;
        })
    }

    fn write_todos(&self, items: TodoList) -> TeamReply<'_, ()> {
        Box::pin(self.service.write_todos(&self.caller, items))
    }

    fn compact(&self, focus: Option<String>) -> TeamReply<'_, ()> {
        Box::pin(self.service.0.members.compact(&self.caller.name, focus))
    }

    fn pause(&self, waits_for: String) -> TeamReply<'_, ()> {
        Box::pin(self.service.pause(&self.caller, waits_for))
    }

    fn tasks(&self) -> Vec<TaskSummary> {
        self.service.0.base.ledger.team().task_summaries()
    }

    fn task(&self, id: TaskId) -> TeamReply<'_, TaskReport> {
        Box::pin(self.service.task_report(id))
    }

    fn act_on_task(&self, ask: TaskAction) -> TeamReply<'_, TaskChange> {
        let by = Actor::Member(self.caller.name.clone(), self.caller.incarnation);
        let board = BoardService(self.service.clone(), self.rights.clone());
        Box::pin(async move { board.act_as(by, &self.caller, ask).await })
    }

    fn uncommitted(&self, id: TaskId) -> BoxFuture<'_, Vec<String>> {
        Box::pin(self.service.uncommitted(id))
    }

    fn shut_down(&self, ask: ShutdownArgs) -> TeamReply<'_, ShutdownReply> {
        Box::pin(self.service.shut_down(&self.caller, ask))
    }

    fn request_plan(&self, to: String, about: String) -> TeamReply<'_, PlanRequired> {
        Box::pin(self.service.request_plan(&self.caller, to, about))
    }

    fn lift_plan(&self, to: String) -> TeamReply<'_, MemberName> {
        Box::pin(self.service.lift_plan_of(&self.caller, to))
    }

    fn submit_plan(&self, plan: String) -> TeamReply<'_, SubmittedPlan> {
        Box::pin(self.service.submit_plan(&self.caller, plan))
    }

    fn answer(
        &self,
        request: RequestId,
        kind: RequestKind,
        answer: Answer,
    ) -> TeamReply<'_, Sender> {
        Box::pin(self.service.answer(&self.caller, request, kind, answer))
    }

    fn start_job(&self, job: NewJob) -> TeamReply<'_, JobReport> {
        Box::pin(async move {
            self.require_background()?;
            self.service.0.jobs.start(&self.caller, job).await
        })
    }

    fn job(&self, id: String, wait: Duration) -> TeamReply<'_, JobReport> {
        Box::pin(async move {
            self.require_background()?;
            if self.caller.name.is_lead() {
                // What it waits for may need those that it spawned.
                self.service.0.base.spawn_hold.release();
            }
            self.service.0.jobs.look(&self.caller, &id, wait).await
        })
    }

    fn stop_job(&self, id: String) -> TeamReply<'_, JobReport> {
        Box::pin(async move {
            self.require_background()?;
            self.service.0.jobs.stop(&self.caller, &id).await
        })
    }

    fn jobs(&self) -> Vec<Job> {
        if self.rights.is_subagent {
            return Vec::new();
        }
        self.service.0.jobs.list(&self.caller)
    }

    fn schedule(&self, ask: ScheduleAsk) -> TeamReply<'_, Vec<String>> {
        Box::pin(self.service.schedule(&self.caller, ask))
    }

    fn connect(&self, ask: ConnectArgs) -> BoxFuture<'_, ConnectVerdict> {
        Box::pin(async move {
            let mode = self.rights.effective_mode();
            let place = &self.rights.workspace.root;
            let gate = &self.service.0.gate;
            gate.connect(&self.caller, (mode, place), &ask).await
        })
    }

    fn ask_user(&self, ask: UserQuestion) -> BoxFuture<'_, UserAnswer> {
        Box::pin(async move {
            let place = &self.rights.workspace.root;
            let gate = &self.service.0.gate;
            gate.ask_for_service(&self.caller, place, &ask).await
        })
    }

    fn ask_user_later(&self, question: LaterQuestion) -> bool {
        let place = self.rights.workspace.root.as_path().into();
        self.service.ask_later(self.caller.clone(), place, question);
        self.service.0.gate.asks()
    }
}
