//! The rest of a driver's work when its member was stopped by force: to hand over what was spent, to record the end of a turn
//! that had ended, and to send its notice. Nobody begins with the member's transcript again, unless it is spawned again.

use std::time::Duration;

use teammate_core::{
    Incarnation, MemberName,
    port::TranscriptError,
    team::{
        ActiveTime, Command, Member, Right, TranscriptPart, UsageReport, by_model,
        uncounted_answers,
    },
    transcript::Entry,
};
use tokio::time::{sleep, timeout};

use super::RequestService;
use crate::last_turn::{LastTurn, last_life};

/// The pause before a transcript that could not be read is read again.
const READ_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// How long it may take: servers have a leader again long before.
const FINISHED_WITHIN: Duration = Duration::from_secs(120);

/// A life that ends, and by which right another than its holder speaks for it.
struct Ending<'a> {
    name: &'a MemberName,
    life: Incarnation,
    right: Option<Right>,
}

impl Ending<'_> {
    fn by_right(&self, command: Command) -> Command {
        match self.right.clone() {
            Some(right) => Command::Under {
                right,
                command: Box::new(command),
            },
            None => command,
        }
    }
}

impl RequestService {
    /// Does it, as far as the transcript can be read. An engine that answers nothing holds no stop up for longer than
    /// [`FINISHED_WITHIN`].
    pub(super) async fn finish_for_dropped(&self, name: &MemberName, life: Incarnation) {
        let right = None;
        self.finish(&Ending { name, life, right }).await;
    }

    /// Finishes the end of a member of a silent worker, by the lead's right.
    pub(super) async fn finish_elsewhere(
        &self,
        name: &MemberName,
        life: Incarnation,
        right: Right,
    ) {
        let right = Some(right);
        self.finish(&Ending { name, life, right }).await;
    }

    async fn finish(&self, of: &Ending<'_>) {
        let finish = async {
            let entries = self.last_entries(of).await;
            self.count_last_answers(of, &entries).await;
            self.send_last_turn(of, &entries).await;
        };
        if timeout(FINISHED_WITHIN, finish).await.is_err() {
            let text = "the lead may not have got the notice of its last turn's end, or its costs: nothing answered";
            self.base.feed.note(of.name, text.to_owned());
        }
    }

    /// The member's transcript, as far as it can be read; nothing is added to it any more. A worker waits for an engine that does
    /// not answer now.
    async fn last_entries(&self, of: &Ending<'_>) -> Vec<Entry> {
        let (name, store) = (of.name, &*self.base.ports.transcripts);
        loop {
            let team = self.base.ledger.team();
            let is_current = |member: &Member| member.incarnation == of.life;
            if !team.member(name).is_some_and(is_current) {
                // The next life has it.
                return Vec::new();
            }
            let (deployment, right) = (&self.base.deployment, of.right.as_ref());
            match deployment
                .seal_transcript((&team, store), name, right)
                .await
            {
                Ok(entries) => return entries,
                // Another worker holds it, and does this.
                Err(TranscriptError::Owned { .. }) => return Vec::new(),
                Err(TranscriptError::Broken { .. }) if !self.base.deployment.retries_store() => {
                    return Vec::new();
                }
                Err(TranscriptError::Broken { .. }) => sleep(READ_AGAIN_AFTER).await,
            }
        }
    }

    /// Counts the answers that the journal does not count yet. Counted by its place in the transcript, so it counts once.
    /// What the driver had handed over may be counted just then: the rest follows it.
    async fn count_last_answers(&self, of: &Ending<'_>, entries: &[Entry]) {
        let counted = || self.base.ledger.team().spending().counted(of.name);
        let mut from = counted();
        while let Some(spent) = uncounted(of, (entries, from)) {
            // If the team closes before it is noted, the next opening does it.
            let noted = self.requests.decide_until_written(of.by_right(spent)).await;
            let before = std::mem::replace(&mut from, counted());
            if noted.is_err() || from == before {
                return;
            }
        }
    }

    /// Records the end and sends the notice, if the transcript ends with a turn's end. Both are the driver's own, so they count once.
    async fn send_last_turn(&self, of: &Ending<'_>, entries: &[Entry]) {
        let Some(ended) = LastTurn::of((0..).zip(entries)) else {
            return;
        };
        if self.base.deployment.moves_members() && last_life(entries.iter()) != Some(of.life) {
            // That was the last turn of an earlier life, and its notice was sent then.
            return;
        }
        let end = ended.to_record(of.name, of.life);
        // Refused if somebody else has stopped it meanwhile, who did this.
        let _ = self.requests.decide_until_written(of.by_right(end)).await;
        let notice = self.mailer.turn_end_notice(of.name, of.life, &ended);
        // The notice that it is stopped follows, and wakes the lead.
        if let Err(error) = self.mailer.send_with_retries(notice).await {
            let text = format!("the lead did not get the notice of its last turn's end: {error}");
            self.base.feed.note(of.name, text);
        }
    }
}

/// The answers of these entries from a number on, to be counted; nothing, if there are none.
fn uncounted(of: &Ending<'_>, (entries, from): (&[Entry], u64)) -> Option<Command> {
    let answers = uncounted_answers((0..).zip(entries), from);
    let to = answers.last()?.at + 1;
    Some(Command::RecordUsage(UsageReport {
        member: of.name.clone(),
        incarnation: of.life,
        totals: by_model(&answers),
        active_time: ActiveTime::default(),
        part: Some(TranscriptPart { from, to }),
    }))
}
