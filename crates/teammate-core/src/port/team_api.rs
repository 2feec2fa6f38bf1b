//! The port by which a tool asks of the team, on behalf of the member that calls it.

mod connections;
mod members;
mod questions;
mod requests;
mod work;

use std::{sync::Arc, time::Duration};

pub use connections::{ConnectArgs, ConnectVerdict, Connecting, Reach, Unlisted};
pub use members::{
    GroupEnded, MemberSummary, SpawnArgs, SpawnedTeammate, SubagentArgs, WorkerSummary,
};
pub use questions::{
    LaterQuestion, OpenQuestion, OpenQuestions, SettleAnswer, UserAnswer, UserQuestion,
};
pub use requests::{PlanRequired, ShutdownArgs, ShutdownReply, SubmittedPlan};
pub use work::{JobContext, JobFuture, JobReport, NewJob, ScheduleAsk, ServingLook, TaskChange};

use crate::{
    GroupName, Incarnation, MemberName, Sender,
    board::TaskAction,
    cause::Cause,
    id::{RequestId, TaskId},
    member::TodoList,
    port::{BoxFuture, MailError},
    request::{Answer, RequestRefusal},
    status::RequestKind,
    team::{Job, TaskReport, TaskSummary},
    tool::Outcome,
    transcript::Sources,
};

/// The one who asks, and by which call. Stamped by the harness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub name: MemberName,
    pub incarnation: Incarnation,
    /// Identifies the call for ever: effects derive their ids from it, so that running a call again does nothing twice.
    pub call: Cause,
    /// Whose words stand behind it.
    pub sources: Arc<Sources>,
    /// The call that began the subagent of the member that calls, if one does: it has a conversation of its own.
    pub subagent: Option<Cause>,
}

/// Why something was refused: a sentence that says what would have worked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("{0}")]
    Rule(String),
    #[error(transparent)]
    Request(#[from] RequestRefusal),
    #[error(transparent)]
    Mail(#[from] MailError),
    /// The harness could not do it.
    #[error("it could not be done: {0}")]
    Broken(String),
}

impl From<Refusal> for Outcome {
    fn from(refusal: Refusal) -> Self {
        Self::error(format!("Error: {refusal}"))
    }
}

/// The result of a call to the team.
pub type TeamReply<'a, T> = BoxFuture<'a, Result<T, Refusal>>;

/// The team as one tool call sees it. Who calls, and by which call, is known to the value: the same call asks the same thing
/// once, however often it is repeated.
pub trait TeamApi: Send + Sync {
    /// Spawns a teammate or wakes one with its transcript.
    fn spawn(&self, ask: SpawnArgs) -> TeamReply<'_, SpawnedTeammate>;

    /// The roster: the lead, then the teammates.
    fn roster(&self) -> Vec<MemberSummary>;

    /// The workers that are there, by name; none where one process runs the team.
    fn workers(&self) -> Vec<WorkerSummary> {
        Vec::new()
    }

    /// Makes a subagent. The future does its work and gives its final text; dropping it ends the subagent with everything it
    /// runs. It has no name, no mail and no place on the roster, may do nothing that the caller may not, and has no
    /// subagents itself.
    ///
    /// Errors: unknown agent definition (names the known ones), or a model that cannot be used.
    fn subagent(&self, ask: SubagentArgs) -> Result<BoxFuture<'static, Outcome>, Refusal>;

    /// Makes a group of teammates.
    fn create_group(&self, group: GroupName) -> TeamReply<'_, ()>;

    /// Ends a group: idle members are stopped at once, working ones may end their turn within a deadline. Then all of them
    /// are stopped, their tasks return to the board, and their files are archived.
    fn end_group(&self, group: GroupName) -> TeamReply<'_, GroupEnded>;

    /// Sends a message. Returns who will hear it.
    fn send(&self, to: String, content: String) -> TeamReply<'_, MemberName>;

    /// Sends to every other member, or to those of one group; returns how many.
    fn broadcast(&self, group: Option<GroupName>, content: String) -> TeamReply<'_, usize>;

    /// How many messages wait for the caller. They are heard right after the tool's outcome.
    fn unread_mail(&self) -> TeamReply<'_, usize>;

    /// Resolves when no teammate is working or the caller has mail.
    fn wait_for_team(&self) -> BoxFuture<'_, ()>;

    /// Replaces the caller's todo list.
    fn write_todos(&self, items: TodoList) -> TeamReply<'_, ()>;

    /// Has the caller's conversation summarized as soon as the outcomes of its present calls are recorded.
    fn compact(&self, focus: Option<String>) -> TeamReply<'_, ()>;

    /// Ends the caller's turn as soon as the outcomes of its present calls are recorded, unless mail has come by then. The
    /// work is not done: the turn after this one continues it.
    fn pause(&self, waits_for: String) -> TeamReply<'_, ()>;

    /// All tasks that are not deleted, by id.
    fn tasks(&self) -> Vec<TaskSummary>;

    /// A task with its history.
    fn task(&self, id: TaskId) -> TeamReply<'_, TaskReport>;

    /// Changes the board. A task with a check is only completed once the check exits 0; otherwise the refusal holds
    /// what it printed.
    fn act_on_task(&self, ask: TaskAction) -> TeamReply<'_, TaskChange>;

    /// The files with uncommitted changes in the worktree of a task that is done in one; empty if there are none, or if that
    /// cannot be found out.
    fn uncommitted(&self, id: TaskId) -> BoxFuture<'_, Vec<String>>;

    /// Asks a teammate to shut down. Waits a moment for an idle one, which agrees automatically.
    fn shut_down(&self, ask: ShutdownArgs) -> TeamReply<'_, ShutdownReply>;

    /// Requires a plan of a teammate before it does more than read. Its background jobs are ended.
    fn request_plan(&self, to: String, about: String) -> TeamReply<'_, PlanRequired>;

    /// Stops requiring plans of a teammate, unless the user requires them. Returns the teammate.
    fn lift_plan(&self, to: String) -> TeamReply<'_, MemberName>;

    /// Submits the caller's plan. From then on it only reads until there is an answer.
    fn submit_plan(&self, plan: String) -> TeamReply<'_, SubmittedPlan>;

    /// Answers a request of this kind, if the caller may answer it. Returns the member that asked.
    fn answer(
        &self,
        request: RequestId,
        kind: RequestKind,
        answer: Answer,
    ) -> TeamReply<'_, Sender>;

    /// Starts a job and returns at once. The caller gets mail when it has ended, once.
    fn start_job(&self, job: NewJob) -> TeamReply<'_, JobReport>;

    /// Looks at a job, and waits at most that long for its end. Only a job's owner and the lead may.
    fn job(&self, id: String, wait: Duration) -> TeamReply<'_, JobReport>;

    /// Stops a job; when this returns, all its processes have ended. A job that has already ended does not change.
    fn stop_job(&self, id: String) -> TeamReply<'_, JobReport>;

    /// The caller's jobs; for the lead, the jobs of all members.
    fn jobs(&self) -> Vec<Job>;

    /// Does something about schedules, where they fire; all of them afterwards, a line each. Only the lead may.
    fn schedule(&self, ask: ScheduleAsk) -> TeamReply<'_, Vec<String>>;

    /// Whether a call of the caller may connect. The user is asked about what rules leave open, once for all connections of
    /// the same command or page to this host and port.
    fn connect(&self, ask: ConnectArgs) -> BoxFuture<'_, ConnectVerdict>;

    /// Asks the user what a service wants to know in the course of the call. Dropping the future withdraws the question.
    fn ask_user(&self, ask: UserQuestion) -> BoxFuture<'_, UserAnswer>;

    /// Asks the user something that no call waits for. Returns at once; false where nobody can be asked.
    fn ask_user_later(&self, question: LaterQuestion) -> bool;
}
