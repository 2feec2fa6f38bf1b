//! A team of which servers may only ask one thing: a question to the user.

use std::{sync::Mutex, time::Duration};

use teammate_core::{
    GroupName, MemberName, Sender,
    board::{TaskAction, TaskId},
    port::{
        BoxFuture, ConnectArgs, ConnectVerdict, GroupEnded, JobReport, LaterQuestion,
        MemberSummary, NewJob, PlanRequired, Refusal, ScheduleAsk, ShutdownArgs, ShutdownReply,
        SpawnArgs, SpawnedTeammate, SubagentArgs, SubmittedPlan, TaskChange, TaskReport,
        TaskSummary, TeamApi, TeamReply, UserAnswer, UserQuestion,
    },
    request::{Answer, RequestId, RequestKind},
    team::{Job, TodoList},
    tool::Outcome,
};

/// Holds what the user was asked, and answers "main".
#[derive(Default)]
pub(crate) struct NoTeam(pub(crate) Mutex<Vec<String>>);

impl TeamApi for NoTeam {
    fn spawn(&self, _: SpawnArgs) -> TeamReply<'_, SpawnedTeammate> {
        unreachable!()
    }

    fn roster(&self) -> Vec<MemberSummary> {
        unreachable!()
    }

    fn subagent(&self, _: SubagentArgs) -> Result<BoxFuture<'static, Outcome>, Refusal> {
        unreachable!()
    }

    fn create_group(&self, _: GroupName) -> TeamReply<'_, ()> {
        unreachable!()
    }

    fn end_group(&self, _: GroupName) -> TeamReply<'_, GroupEnded> {
        unreachable!()
    }

    fn send(&self, _: String, _: String) -> TeamReply<'_, MemberName> {
        unreachable!()
    }

    fn broadcast(&self, _: Option<GroupName>, _: String) -> TeamReply<'_, usize> {
        unreachable!()
    }

    fn unread_mail(&self) -> TeamReply<'_, usize> {
        unreachable!()
    }

    fn wait_for_team(&self) -> BoxFuture<'_, ()> {
        unreachable!()
    }

    fn write_todos(&self, _: TodoList) -> TeamReply<'_, ()> {
        unreachable!()
    }

    fn compact(&self, _: Option<String>) -> TeamReply<'_, ()> {
        unreachable!()
    }

    fn pause(&self, _: String) -> TeamReply<'_, ()> {
        unreachable!()
    }

    fn tasks(&self) -> Vec<TaskSummary> {
        unreachable!()
    }

    fn task(&self, _: TaskId) -> TeamReply<'_, TaskReport> {
        unreachable!()
    }

    fn act_on_task(&self, _: TaskAction) -> TeamReply<'_, TaskChange> {
        unreachable!()
    }

    fn uncommitted(&self, _: TaskId) -> BoxFuture<'_, Vec<String>> {
        unreachable!()
    }

    fn shut_down(&self, _: ShutdownArgs) -> TeamReply<'_, ShutdownReply> {
        unreachable!()
    }

    fn request_plan(&self, _: String, _: String) -> TeamReply<'_, PlanRequired> {
        unreachable!()
    }

    fn lift_plan(&self, _: String) -> TeamReply<'_, MemberName> {
        unreachable!()
    }

    fn submit_plan(&self, _: String) -> TeamReply<'_, SubmittedPlan> {
        unreachable!()
    }

    fn answer(&self, _: RequestId, _: RequestKind, _: Answer) -> TeamReply<'_, Sender> {
        unreachable!()
    }

    fn start_job(&self, _: NewJob) -> TeamReply<'_, JobReport> {
        unreachable!()
    }

    fn job(&self, _: String, _: Duration) -> TeamReply<'_, JobReport> {
        unreachable!()
    }

    fn stop_job(&self, _: String) -> TeamReply<'_, JobReport> {
        unreachable!()
    }

    fn jobs(&self) -> Vec<Job> {
        unreachable!()
    }

    fn schedule(&self, _: ScheduleAsk) -> TeamReply<'_, Vec<String>> {
        unreachable!("no tool of a server asks for schedules")
    }

    fn connect(&self, _: ConnectArgs) -> BoxFuture<'_, ConnectVerdict> {
        unreachable!()
    }

    fn ask_user_later(&self, _: LaterQuestion) -> bool {
        false
    }

    fn ask_user(&self, ask: UserQuestion) -> BoxFuture<'_, UserAnswer> {
        self.0.lock().unwrap().push(ask.text);
        Box::pin(async { UserAnswer::Yes("main".to_owned()) })
    }
}
