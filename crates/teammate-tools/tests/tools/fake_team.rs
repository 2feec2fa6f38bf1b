//! The one stand-in for the team: it writes down what it was asked, has the real rules for the board, and runs jobs as plain
//! tasks. Nobody in it answers requests: what those tools do is shown by the runtime's own tests.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Mutex, MutexGuard},
    time::Duration,
};

use teammate_core::{
    GroupName, Incarnation, MemberName, Sender, Timestamp,
    board::{Actor, TaskAction, TaskId},
    port::{
        BoxFuture, ConnectArgs, ConnectVerdict, Connecting, GroupEnded, JobContext, JobReport,
        LaterQuestion, MemberSummary, NewJob, PlanRequired, Refusal, ScheduleAsk, ShutdownArgs,
        ShutdownReply, SpawnArgs, SpawnedTeammate, SubagentArgs, SubmittedPlan, TaskChange,
        TaskReport, TaskSummary, TeamApi, TeamReply, Unlisted, UserAnswer, UserQuestion,
    },
    request::{Answer, RequestId, RequestKind},
    team::{Job, JobEnd, JobId, TodoList},
    tool::Outcome,
};
use tokio::sync::watch;

use crate::board::RealBoard;

pub(crate) struct FakeTeam {
    /// What was asked, in order.
    pub(crate) asked: Mutex<Vec<String>>,
    /// How many messages wait.
    pub(crate) mail: Mutex<usize>,
    pub(crate) roster: Mutex<Vec<MemberSummary>>,
    /// Who calls.
    pub(crate) caller: Mutex<MemberName>,
    board: RealBoard,
    outputs: PathBuf,
    jobs: Mutex<Vec<FakeJob>>,
    /// What is said about connections; no where nothing is.
    pub(crate) hosts: Mutex<BTreeMap<String, ConnectVerdict>>,
    /// What the user says to questions; nothing if not set.
    pub(crate) answer: Mutex<Option<UserAnswer>>,
    /// The notices that members got of answers that no call waited for.
    pub(crate) told: watch::Sender<Vec<String>>,
}

#[derive(Clone)]
struct FakeJob {
    job: Job,
    stop: watch::Sender<bool>,
    outcome: watch::Receiver<Option<Outcome>>,
}

impl FakeTeam {
    pub(crate) fn new(outputs: PathBuf) -> Self {
        Self {
            asked: Mutex::default(),
            mail: Mutex::default(),
            roster: Mutex::default(),
            caller: Mutex::new(MemberName::lead()),
            board: RealBoard::new(),
            outputs,
            jobs: Mutex::default(),
            hosts: Mutex::default(),
            answer: Mutex::default(),
            told: watch::Sender::default(),
        }
    }

    /// What was asked so far, as one text.
    pub(crate) fn asked(&self) -> String {
        self.asked.lock().unwrap().join("; ")
    }

    fn caller(&self) -> MutexGuard<'_, MemberName> {
        self.caller.lock().unwrap()
    }

    /// Writes down what was asked, and answers.
    fn note<T: Send + 'static>(&self, what: String, answer: T) -> TeamReply<'static, T> {
        self.asked.lock().unwrap().push(what);
        ready(Ok(answer))
    }

    fn find(&self, id: &str) -> Result<FakeJob, Refusal> {
        let jobs = self.jobs.lock().unwrap();
        let found = jobs.iter().find(|job| job.job.id.to_string() == id);
        found
            .cloned()
            .ok_or_else(|| Refusal::Rule(format!("there is no job '{id}'")))
    }

    fn view(&self, fake: &FakeJob) -> JobReport {
        let outcome = fake.outcome.borrow().clone();
        let by = Sender::Member(MemberName::lead());
        let end = outcome.as_ref().map(|outcome| match outcome.is_error {
            _ if *fake.stop.borrow() => JobEnd::Stopped { by },
            true => JobEnd::Failed,
            false => JobEnd::Done,
        });
        let job = Job {
            end,
            ..fake.job.clone()
        };
        JobReport {
            output: self.outputs.join(job.output_name()),
            elsewhere: None,
            outcome,
            job,
        }
    }
}

fn ready<T: Send + 'static>(answer: Result<T, Refusal>) -> TeamReply<'static, T> {
    Box::pin(std::future::ready(answer))
}

fn nobody<T: Send + 'static>() -> TeamReply<'static, T> {
    ready(Err(Refusal::Rule("nobody is here".to_owned())))
}

impl TeamApi for FakeTeam {
    fn spawn(&self, ask: SpawnArgs) -> TeamReply<'_, SpawnedTeammate> {
        if ask.name == "busy" {
            let why = "'busy' is currently working; use send_message to tell it something";
            return ready(Err(Refusal::Rule(why.to_owned())));
        }
        let spawned = SpawnedTeammate {
            name: MemberName::teammate(&ask.name).unwrap(),
            role: ask.role_or_default().to_owned(),
            woken: ask.name == "bob",
            worktree: None,
            waits_for: None,
        };
        self.note(format!("{ask:?}"), spawned)
    }

    fn roster(&self) -> Vec<MemberSummary> {
        self.roster.lock().unwrap().clone()
    }

    fn subagent(&self, ask: SubagentArgs) -> Result<BoxFuture<'static, Outcome>, Refusal> {
        let what = format!("{}: {ask:?}", self.caller());
        self.asked.lock().unwrap().push(what);
        if ask.kind == "nonsense" {
            return Err(Refusal::Rule("there is no agent 'nonsense'".to_owned()));
        }
        Ok(Box::pin(async move {
            Outcome::ok(format!("found: {}", ask.prompt))
        }))
    }

    fn create_group(&self, group: GroupName) -> TeamReply<'_, ()> {
        self.note(format!("make {group}"), ())
    }

    fn end_group(&self, group: GroupName) -> TeamReply<'_, GroupEnded> {
        let ended = GroupEnded {
            members: vec![MemberName::teammate("alice").unwrap()],
            kept_in: ".team/archive/x-1".to_owned(),
        };
        self.note(format!("end {group}"), ended)
    }

    fn send(&self, to: String, content: String) -> TeamReply<'_, MemberName> {
        let what = format!("{} -> {to}: {content}", self.caller());
        self.asked.lock().unwrap().push(what);
        ready(MemberName::parse(&to).map_err(|error| Refusal::Rule(error.to_string())))
    }

    fn broadcast(&self, group: Option<GroupName>, content: String) -> TeamReply<'_, usize> {
        match group {
            Some(group) => self.note(format!("all of {group}: {content}"), 2),
            None => self.note(format!("all: {content}"), 3),
        }
    }

    fn unread_mail(&self) -> TeamReply<'_, usize> {
        ready(Ok(*self.mail.lock().unwrap()))
    }

    fn wait_for_team(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    fn write_todos(&self, items: TodoList) -> TeamReply<'_, ()> {
        self.note(format!("{}'s todos:\n{items}", self.caller()), ())
    }

    fn compact(&self, focus: Option<String>) -> TeamReply<'_, ()> {
        self.note(format!("{} compacts: {focus:?}", self.caller()), ())
    }

    fn pause(&self, waits_for: String) -> TeamReply<'_, ()> {
        self.note(format!("{} waits for {waits_for}", self.caller()), ())
    }

    fn tasks(&self) -> Vec<TaskSummary> {
        self.board.lines()
    }

    fn task(&self, id: TaskId) -> TeamReply<'_, TaskReport> {
        ready(self.board.report(id))
    }

    fn act_on_task(&self, ask: TaskAction) -> TeamReply<'_, TaskChange> {
        let by = Actor::Member(self.caller().clone(), Incarnation::FIRST);
        ready(self.board.change(by, ask))
    }

    fn uncommitted(&self, _: TaskId) -> BoxFuture<'_, Vec<String>> {
        Box::pin(async { Vec::new() })
    }

    fn shut_down(&self, _: ShutdownArgs) -> TeamReply<'_, ShutdownReply> {
        nobody()
    }

    fn request_plan(&self, _: String, _: String) -> TeamReply<'_, PlanRequired> {
        nobody()
    }

    fn lift_plan(&self, _: String) -> TeamReply<'_, MemberName> {
        nobody()
    }

    fn submit_plan(&self, _: String) -> TeamReply<'_, SubmittedPlan> {
        nobody()
    }

    fn answer(&self, _: RequestId, _: RequestKind, _: Answer) -> TeamReply<'_, Sender> {
        nobody()
    }

    fn start_job(&self, new: NewJob) -> TeamReply<'_, JobReport> {
        let mut jobs = self.jobs.lock().unwrap();
        let id = format!("b{}", jobs.len() + 1);
        let job = Job {
            id: JobId::parse(&id).unwrap(),
            owner: self.caller().clone(),
            incarnation: Incarnation::FIRST,
            call: id.into(),
            title: new.title,
            started: Timestamp(0),
            closings: 0,
            end: None,
        };
        let (stop, mut stopped) = watch::channel(false);
        let (done, outcome) = watch::channel(None);
        let room = JobContext {
            serves_by: Box::new(|_| {}),
            output: self.outputs.join(job.output_name()),
            stopped: Box::pin(async move {
                if stopped.wait_for(|stop| *stop).await.is_err() {
                    std::future::pending::<()>().await;
                }
            }),
        };
        let work = (new.work)(room);
        tokio::spawn(async move { done.send_replace(Some(work.await)) });
        let fake = FakeJob { job, stop, outcome };
        jobs.push(fake.clone());
        ready(Ok(self.view(&fake)))
    }

    fn job(&self, id: String, wait: Duration) -> TeamReply<'_, JobReport> {
        Box::pin(async move {
            let mut fake = self.find(&id)?;
            let _ = tokio::time::timeout(wait, fake.outcome.wait_for(Option::is_some)).await;
            Ok(self.view(&fake))
        })
    }

    fn stop_job(&self, id: String) -> TeamReply<'_, JobReport> {
        Box::pin(async move {
            let mut fake = self.find(&id)?;
            fake.stop.send_replace(true);
            let _ = fake.outcome.wait_for(Option::is_some).await;
            Ok(self.view(&fake))
        })
    }

    fn jobs(&self) -> Vec<Job> {
        let jobs = self.jobs.lock().unwrap();
        jobs.iter().map(|fake| self.view(fake).job).collect()
    }

    fn ask_user_later(&self, question: LaterQuestion) -> bool {
        self.asked.lock().unwrap().push(question.ask.text);
        let answer = self.answer.lock().unwrap().clone();
        let told = self.told.clone();
        tokio::spawn(async move {
            let said = (question.settle)(answer.unwrap_or(UserAnswer::Unanswered)).await;
            told.send_modify(|told| told.extend(said));
        });
        true
    }

    fn ask_user(&self, ask: UserQuestion) -> BoxFuture<'_, UserAnswer> {
        self.asked.lock().unwrap().push(ask.text);
        let answer = self.answer.lock().unwrap().clone();
        Box::pin(async { answer.unwrap_or(UserAnswer::Unanswered) })
    }

    fn schedule(&self, ask: ScheduleAsk) -> TeamReply<'_, Vec<String>> {
        self.asked.lock().unwrap().push(format!("{ask:?}"));
        Box::pin(std::future::ready(Ok(vec![
            "s1 (0 9 * * *), next 2026-11-26 09:00, by lead: task: x".to_owned(),
        ])))
    }

    fn connect(&self, ask: ConnectArgs) -> BoxFuture<'_, ConnectVerdict> {
        let to = ask.to.to_string();
        let how = match ask.unlisted {
            Unlisted::Ask => "asks",
            Unlisted::Refuse => "wants",
            Unlisted::Connect(_) => "takes",
        };
        let (Connecting::Command(what) | Connecting::Fetch(what) | Connecting::Search(what)) =
            ask.by;
        let mut asked = self.asked.lock().unwrap();
        asked.push(format!("{how} {to} for {what}"));
        let verdict = self.hosts.lock().unwrap().get(&to).cloned();
        let no = || ConnectVerdict::Refused("a test forbids it".to_owned());
        Box::pin(std::future::ready(verdict.unwrap_or_else(no)))
    }
}
