//! Plans that are required of a member, and the end of that.

use std::time::Duration;

use teammate_core::{
    MemberName, Sender,
    cause::Cause,
    port::{PlanRequired, Refusal},
    request::{Principal, RequestCommand},
    team::MessageCause,
    team::{Command, Job},
};

use super::TeamService;
use tokio::time::timeout;

use crate::{
    halt::{halted, to_stop},
    mailer::{MailDraft, truncated_to_limit},
};

/// How long another worker may take to end what its member runs.
const OTHER_WORKER_WITHIN: Duration = Duration::from_secs(30);

/// The mail to a member whose plans are not required any more.
pub const PLAN_LIFTED: &str = "You no longer need an approved plan: continue your work.";

/// The mail to a member whose plan is required; `submit` is the tool that it calls.
pub fn plan_wanted(about: &str, submit: &str) -> String {
    format!(
        "Submit a plan before you do more: {}\nRead what you need, then call {submit}(plan: \"...\"). Until it is approved you \
         may only read.",
        about.trim()
    )
}

impl TeamService {
    /// Requires a plan of a member. Returns when its jobs have ended, or its worker was waited for long enough; the member gets a
    /// notice of them.
    pub(crate) async fn require_plan(
        &self,
        by: Principal,
        call: &Cause,
        name: &MemberName,
        about: &str,
    ) -> Result<PlanRequired, Refusal> {
        self.require_gateable(name)?;
        let require = RequestCommand::RequirePlan {
            member: name.clone(),
            by: by.clone(),
            call: call.clone(),
        };
        let required = self.0.base.ledger.decide(Command::Request(require)).await;
        required?;
        let (ended, unseen) = self.halted(name).await;
        let submit = self.0.base.setup.tool_names.of("submit_plan");
        let content = plan_wanted(about, submit) + &ended_jobs_text(&ended);
        self.notify_author(by, call, name, content).await?;
        Ok(PlanRequired {
            member: name.clone(),
            ended,
            unseen,
        })
    }

    /// The jobs that have ended, and those of another worker that were not seen to end.
    async fn halted(&self, name: &MemberName) -> (Vec<Job>, Vec<Job>) {
        let base = &self.0.base;
        let stopped = to_stop(base, name);
        let all_end = halted(base, &self.0.jobs, name);
        if base.is_mine(name) {
            return (all_end.await, Vec::new());
        }
        // Who does not answer in time is not waited for: what is to end is in the journal.
        let _ = timeout(OTHER_WORKER_WITHIN, all_end).await;
        let team = base.ledger.team();
        let has_ended = |job: &Job| {
            let known = team.jobs().get(job.id);
            known.is_none_or(|known| known.end.is_some())
        };
        stopped.into_iter().partition(has_ended)
    }

    /// Lifts the requirement of a plan. The member gets a notice if there was one.
    pub(crate) async fn lift_plan(
        &self,
        by: Principal,
        call: &Cause,
        name: &MemberName,
    ) -> Result<(), Refusal> {
        let lift = RequestCommand::LiftPlan {
            member: name.clone(),
            by: by.clone(),
        };
        let lifted = self.0.base.ledger.decide(Command::Request(lift)).await;
        if lifted?.is_empty() {
            return Ok(());
        }
        self.notify_author(by, call, name, PLAN_LIFTED.to_owned())
            .await
    }

    async fn notify_author(
        &self,
        by: Principal,
        call: &Cause,
        name: &MemberName,
        content: String,
    ) -> Result<(), Refusal> {
        let from = by.sender();
        let cause = match &from {
            Sender::Member(_) => MessageCause::Mail(call, name),
            Sender::User | Sender::System | Sender::Unverified(_) => MessageCause::Said(call),
        };
        let id = self.0.base.ledger.team().message_id(cause);
        let draft = MailDraft {
            from_incarnation: by.incarnation(),
            ..MailDraft::message(id, from, name, truncated_to_limit(content))
        };
        Ok(self.0.mailer.send(draft).await?)
    }
}

fn ended_jobs_text(ended: &[Job]) -> String {
    if ended.is_empty() {
        return String::new();
    }
    let ended: Vec<String> = ended.iter().map(Job::named).collect();
    format!(" Your background jobs were ended: {}.", ended.join(", "))
}
