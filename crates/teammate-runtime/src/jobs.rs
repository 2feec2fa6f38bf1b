//! Members' jobs in the background. A job belongs to the team, not to a turn: it continues when the turn is over or
//! interrupted, and ends with its owner or with the team.
//!
//! This module does not know what a job does; it gets a future. The job's state is in the journal; its outcome is
//! kept in memory as long as the journal's fold remembers it, and its output is in a file.

pub(crate) mod control;
mod elsewhere;
#[cfg(feature = "fleet")]
mod moved;
mod notice;
mod task;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::lock::Hold;

use teammate_core::{
    MemberName, Sender,
    event::EventKind,
    fence::quoted,
    port::{Caller, JobAsk, JobReport, NewJob, Refusal},
    team::{Command, Job, JobEnd, JobId, StartJob, TeamState},
    tool::Outcome,
};
use tokio::task::JoinSet;

use self::{control::JobControl, task::JobRun};
use crate::{base::Base, ledger::LedgerError, mailer::Mailer};

/// All jobs of a team.
pub(crate) struct JobRunner {
    base: Arc<Base>,
    mailer: Arc<Mailer>,
    state: Mutex<JobsState>,
}

#[derive(Default)]
struct JobsState {
    is_closed: bool,
    members: BTreeMap<MemberName, MemberJobs>,
}

/// The jobs of a member in this process. Dropped, those that run end as in a crash.
#[derive(Default)]
struct MemberJobs {
    slots: BTreeMap<JobId, Arc<JobControl>>,
    tasks: JoinSet<()>,
}

impl JobRunner {
    pub(crate) fn new(base: Arc<Base>, mailer: Arc<Mailer>) -> Self {
        Self {
            base,
            mailer,
            state: Mutex::default(),
        }
    }

    /// Ends all jobs and waits for their end. No job can begin after this.
    pub(crate) async fn close(&self) {
        let tasks: Vec<JoinSet<()>> = {
            let mut state = self.state.hold();
            state.is_closed = true;
            let members = state.members.values_mut();
            let asked = members.map(|jobs| {
                let slots = jobs.slots.values();
                slots.for_each(|slot| slot.request_stop(JobEnd::Lost));
                std::mem::take(&mut jobs.tasks)
            });
            asked.collect()
        };
        for mut tasks in tasks {
            while tasks.join_next().await.is_some() {}
        }
    }

    /// Ends a member's jobs and waits for their end. Those that ran on a worker that was lost are lost.
    pub(crate) async fn end_of(&self, owner: &MemberName) {
        let team = self.base.ledger.team();
        let running = team.jobs().running_of(owner);
        for slot in running.filter_map(|job| self.slot(job.id)) {
            slot.request_stop(JobEnd::Stopped { by: Sender::System });
            slot.ended().await;
        }
        if self.base.deployment.moves_members() {
            self.mark_lost_of(owner).await;
        }
    }

    /// Ends all jobs as in a crash: their notices come at the next opening.
    pub(crate) fn drop_all(&self) {
        let mut state = self.state.hold();
        state.is_closed = true;
        let members = state.members.values_mut();
        members.for_each(|jobs| drop(std::mem::take(&mut jobs.tasks)));
    }

    /// Whether there are jobs, and all of them only serve others.
    pub(crate) async fn only_serve(&self) -> bool {
        let team = self.base.ledger.team();
        let running: Vec<JobId> = team.jobs().running().map(|job| job.id).collect();
        drop(team);
        for job in &running {
            let Some(slot) = self.slot(*job) else {
                return false;
            };
            if !slot.serves().await {
                return false;
            }
        }
        !running.is_empty()
    }

    pub(crate) fn slot(&self, job: JobId) -> Option<Arc<JobControl>> {
        let state = self.state.hold();
        let mut members = state.members.values();
        members.find_map(|jobs| jobs.slots.get(&job).cloned())
    }
}

/// The ways of members to their jobs. Only a job's owner and the lead may touch it.
impl JobRunner {
    /// Starts a job; the same call again starts nothing new.
    pub(crate) async fn start(
        self: &Arc<Self>,
        caller: &Caller,
        job: NewJob,
    ) -> Result<JobReport, Refusal> {
        // A job that is in the journal is started, also if its owner is interrupted.
        tokio::spawn(start_job(self.clone(), caller.clone(), job))
            .await
            .map_err(|error| Refusal::Broken(error.to_string()))?
    }

    /// Looks at a job, and waits at most that long for its end.
    pub(crate) async fn look(
        &self,
        caller: &Caller,
        job: &str,
        wait: Duration,
    ) -> Result<JobReport, Refusal> {
        let job = find_job(&self.base.ledger.team(), caller, job)?;
        if let Some(slot) = self.slot(job.id) {
            slot.wait(wait, job.owner == caller.name).await;
        } else if job.end.is_none() {
            let wait_ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            let outcome = self.ask_holder(&job, JobAsk::Look { wait_ms }).await?;
            return Ok(self.view_with(job, outcome));
        }
        Ok(self.view(job))
    }

    /// Ends a job; when this returns, all its processes have ended.
    pub(crate) async fn stop(&self, caller: &Caller, job: &str) -> Result<JobReport, Refusal> {
        let job = find_job(&self.base.ledger.team(), caller, job)?;
        if let Some(slot) = self.slot(job.id) {
            slot.request_stop(JobEnd::Stopped {
                by: Sender::Member(caller.name.clone()),
            });
            slot.ended().await;
        } else if job.end.is_none() {
            let outcome = self.ask_holder(&job, JobAsk::Stop).await?;
            return Ok(self.view_with(job, outcome));
        }
        Ok(self.view(job))
    }

    /// The caller's jobs; for the lead, the jobs of all members.
    pub(crate) fn list(&self, caller: &Caller) -> Vec<Job> {
        let team = self.base.ledger.team();
        team.jobs()
            .all()
            .filter(|job| may_access(job, caller))
            .cloned()
            .collect()
    }
}

async fn start_job(
    jobs: Arc<JobRunner>,
    caller: Caller,
    new: NewJob,
) -> Result<JobReport, Refusal> {
    let command = Command::StartJob(StartJob {
        owner: caller.name.clone(),
        incarnation: caller.incarnation,
        call: caller.call.clone(),
        title: new.title,
        acts: new.acts,
    });
    let decided = jobs.base.ledger.decide(command.clone()).await;
    let is_unknown =
        matches!(decided, Err(LedgerError::Journal(_))) && jobs.base.waits_for_engine();
    let events = match is_unknown {
        true => jobs.base.decide_or_wait(command).await?,
        false => decided?,
    };
    let job = jobs
        .base
        .ledger
        .team()
        .jobs()
        .started_by(&caller.call)
        .cloned();
    let job = job.ok_or_else(|| Refusal::Broken("it has ended before it began".to_owned()))?;
    // What was written without a word of it has not begun.
    let is_unbegun = is_unknown && job.end.is_none() && jobs.slot(job.id).is_none();
    if is_unbegun || !events.is_empty() {
        let output = jobs.aliased(&jobs.output_of(&job));
        let started = EventKind::JobStarted {
            job: job.id,
            title: job.title.clone(),
            output: output.display().to_string(),
        };
        jobs.base.feed.emit(&job.owner, started);
        let task = JobRun::new(jobs.clone(), job.clone());
        let mut state = jobs.state.hold();
        if state.is_closed {
            return Err(Refusal::Broken("the team is closing".to_owned()));
        }
        let team = jobs.base.ledger.team();
        let own = state.members.entry(job.owner.clone()).or_default();
        own.slots.retain(|id, _| team.jobs().get(*id).is_some());
        own.slots.insert(job.id, task.slot());
        own.tasks.spawn(task.run(new.work));
        // Finished tasks are dropped.
        while own.tasks.try_join_next().is_some() {}
    }
    Ok(jobs.view(job))
}

impl JobRunner {
    /// Marks the jobs of an earlier process as lost; each owner gets one notice.
    pub(crate) async fn mark_lost(&self) {
        let lost: Vec<Job> = self.base.ledger.team().jobs().running().cloned().collect();
        self.mark(lost).await;
    }

    /// Marks the jobs of a member that was taken over as lost.
    pub(crate) async fn mark_lost_of(&self, owner: &MemberName) {
        let team = self.base.ledger.team();
        let lost: Vec<Job> = team.jobs().running_of(owner).cloned().collect();
        drop(team);
        self.mark(lost).await;
    }

    async fn mark(&self, lost: Vec<Job>) {
        for job in lost {
            self.finish_job(&job, JobEnd::Lost, None, false).await;
        }
    }

    fn view(&self, job: Job) -> JobReport {
        let outcome = self.slot(job.id).and_then(|slot| slot.outcome());
        self.view_with(job, outcome)
    }

    fn view_with(&self, job: Job, outcome: Option<Outcome>) -> JobReport {
        JobReport {
            output: self.output_of(&job),
            elsewhere: self.holder_of(&job.owner),
            outcome,
            job: self
                .base
                .ledger
                .team()
                .jobs()
                .get(job.id)
                .cloned()
                .unwrap_or(job),
        }
    }

    fn output_of(&self, job: &Job) -> PathBuf {
        self.base.workspace.outputs.join(job.output_name())
    }

    /// A path as members are shown it.
    fn aliased(&self, path: &std::path::Path) -> PathBuf {
        let within = path.strip_prefix(&self.base.workspace.root);
        within.unwrap_or(path).to_owned()
    }
}

fn may_access(job: &Job, caller: &Caller) -> bool {
    caller.name.is_lead() || job.owner == caller.name
}

/// The job that is meant, if the caller may touch it. Refusals name those that it may.
fn find_job(team: &TeamState, caller: &Caller, text: &str) -> Result<Job, Refusal> {
    let found = JobId::parse(text).and_then(|id| team.jobs().get(id));
    if let Some(job) = found.filter(|job| may_access(job, caller)) {
        return Ok(job.clone());
    }
    let what = match found {
        Some(job) => format!(
            "{} is {}'s job; only {} and the lead may touch it",
            job.id, job.owner, job.owner
        ),
        None => {
            let shown = quoted(text);
            format!("there is no job '{shown}'")
        }
    };
    let theirs: Vec<String> = team
        .jobs()
        .all()
        .filter(|job| may_access(job, caller))
        .map(|job| {
            let state = job
                .end
                .as_ref()
                .map_or("running".to_owned(), JobEnd::to_string);
            format!("{} ({}; {state})", job.id, job.title)
        })
        .collect();
    let theirs = if theirs.is_empty() {
        "You have none.".to_owned()
    } else {
        format!("You have: {}.", theirs.join(", "))
    };
    Err(Refusal::Rule(format!("{what}. {theirs}")))
}
