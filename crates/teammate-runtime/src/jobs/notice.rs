//! The notice of a job's end. Its id derives from the job, so it is heard once however often it is
//! sent. It is sent before the journal has the end; a crash in between sends it again.

use teammate_core::{
    Sender,
    audit::AuditEvent,
    event::EventKind,
    mail::Metadata,
    team::MessageCause,
    team::{Command, Job, JobEnd},
    tool::Outcome,
};

use super::JobRunner;
use crate::mailer::MailDraft;

/// How much of the output a notice has.
const LINES_MAX: usize = 20;
const BYTES_MAX: usize = 4_000;

impl JobRunner {
    /// Tells the owner, notes the end, shows it. `is_awaited`: a call of the owner takes the outcome at this moment.
    pub(super) async fn finish_job(
        &self,
        job: &Job,
        end: JobEnd,
        outcome: Option<&Outcome>,
        is_awaited: bool,
    ) {
        let by_owner = Sender::Member(job.owner.clone());
        let is_known = is_awaited || end == JobEnd::Stopped { by: by_owner };
        let path = self.aliased(&self.output_of(job)).display().to_string();
        let id = self
            .base
            .ledger
            .team()
            .message_id(MessageCause::Job(job.id));
        let content = notice_text(job, &end, outcome.filter(|_| !is_known), &path);
        let draft = MailDraft {
            wakes: !is_known && !self.owner_stopped(job),
            metadata: Metadata::of_others([("job".to_owned(), job.id.to_string().into())]),
            ..MailDraft::notice(id, &job.owner, content)
        };
        if let Err(error) = self.mailer.send_or_wait(draft).await {
            let text = format!(
                "the notice of the end of {} was not sent: {error}; it is sent when the team is opened again",
                job.id
            );
            return self.base.feed.note(&job.owner, text);
        }
        let (id, title) = (job.id, job.title.clone());
        let event = AuditEvent::JobEnded {
            job: id,
            title: title.clone(),
            exit: (outcome.and_then(|outcome| outcome.ran.as_ref())).and_then(|ran| ran.exit),
            end: end.clone(),
        };
        self.base.audit_later(&job.owner, event);
        let noted = Command::EndJob {
            job: id,
            end: end.clone(),
        };
        if let Err(error) = self.base.decide_or_wait(noted).await {
            // The next opening sends it again; the same mail id makes it count once.
            let text = format!("the end of {id} was not recorded: {error}");
            self.base.feed.note(&job.owner, text);
        }
        let job_ended = EventKind::JobEnded {
            job: id,
            title,
            end,
        };
        self.base.feed.emit(&job.owner, job_ended);
    }
}

fn notice_text(job: &Job, end: &JobEnd, outcome: Option<&Outcome>, path: &str) -> String {
    let (id, title) = (job.id, &job.title);
    let first = format!("Background job {id} ({title}) has ended: {end}.");
    let last = format!("Its output is in {path}.");
    match outcome.map(Outcome::text) {
        Some(text) => format!("{first} The end of its output:\n{}\n{last}", tail(&text)),
        None => format!("{first} {last}"),
    }
}

/// The last lines of a text.
fn tail(text: &str) -> &str {
    let text = text.trim_end();
    let lines = text.rmatch_indices('\n').nth(LINES_MAX - 1);
    let from = lines.map_or(0, |(at, _)| at + 1);
    let from = from.max(text.len().saturating_sub(BYTES_MAX));
    &text[text.ceil_char_boundary(from)..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_has_few_lines_and_few_bytes() {
        assert_eq!(tail("one\ntwo\n"), "one\ntwo");
        let many: Vec<String> = (0..100).map(|n| n.to_string()).collect();
        let all = many.join("\n");
        assert_eq!(tail(&all).lines().collect::<Vec<_>>(), many[80..]);
        let long = tail(&"é".repeat(BYTES_MAX)).len();
        assert!((BYTES_MAX - 1..=BYTES_MAX).contains(&long));
        assert_eq!(tail(""), "");
    }
}
