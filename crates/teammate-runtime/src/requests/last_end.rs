//! What a driver had left to do when its member was stopped by force: to hand over what was spent, and to send the notice of a turn
//! that had ended. Nobody begins with the member's transcript again, unless it is spawned again.

use std::time::Duration;

use teammate_core::{
    Incarnation, MemberName, MessageKind, Sender,
    mail::Metadata,
    model::StopReason,
    team::{
        ActiveTime, Command, MessageCause, TranscriptPart, UsageReport, by_model, uncounted_answers,
    },
    transcript::{EndReason, Entry},
};

use tokio::time::{sleep, timeout};

use super::RequestService;
use crate::mailer::{Draft, truncated_to_limit};

/// The pause before a transcript that could not be read is read again.
const READ_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// How long it may take: servers have a leader again long before.
const FINISHED_WITHIN: Duration = Duration::from_secs(120);

impl RequestService {
    /// Does it, as far as the transcript can be read. An engine that answers nothing holds no stop up for longer than
    /// [`FINISHED_WITHIN`].
    pub(super) async fn finish_for_dropped(&self, name: &MemberName, life: Incarnation) {
        let finish = async {
            let entries = self.last_entries(name).await;
            self.count_last_answers(name, life, &entries).await;
            self.send_last_end(name, life, &entries).await;
        };
        if timeout(FINISHED_WITHIN, finish).await.is_err() {
            let text = "the lead may not have got the notice of its last turn's end, or its costs: nothing answered";
            self.base.feed.note(name, text.to_owned());
        }
    }

    /// The member's transcript, as far as it can be read. A worker waits for an engine that does not answer now.
    async fn last_entries(&self, name: &MemberName) -> Vec<Entry> {
        loop {
            match self.base.ports.transcripts.peek(name).await {
                Ok(entries) => return entries,
                Err(_) if !self.base.is_worker() => return Vec::new(),
                Err(_) => sleep(READ_AGAIN_AFTER).await,
            }
        }
    }

    /// What the journal does not count yet. Counted by its place in the transcript, so it counts once.
    async fn count_last_answers(&self, name: &MemberName, life: Incarnation, entries: &[Entry]) {
        let from = self.base.ledger.team().spending().counted(name);
        let answers = uncounted_answers((0..).zip(entries), from);
        let Some(last) = answers.last() else {
            return;
        };
        let spent = Command::RecordUsage(UsageReport {
            member: name.clone(),
            incarnation: life,
            totals: by_model(&answers),
            active_time: ActiveTime::default(),
            part: Some(TranscriptPart {
                from,
                to: last.at + 1,
            }),
        });
        // If the team closes before it is noted, the next opening does it.
        let _ = self.requests.decide_until_written(spent).await;
    }

    /// Sends the notice, if the transcript ends with a turn's end. Its id is that of the driver's notice, so it is heard once.
    async fn send_last_end(&self, name: &MemberName, life: Incarnation, entries: &[Entry]) {
        let Some((turn, word, content)) = last_end(entries) else {
            return;
        };
        if self.base.is_worker() && !has_begun(entries, life) {
            // That was the last turn of an earlier life, and its notice was sent then.
            return;
        }
        let cause = MessageCause::TurnEnd(name, life, turn);
        let draft = Draft {
            id: self.base.ledger.team().message_id(cause),
            kind: MessageKind::IdleNotification,
            from: Sender::Member(name.clone()),
            from_incarnation: Some(life),
            to: MemberName::lead(),
            content: truncated_to_limit(content),
            request: None,
            to_incarnation: None,
            // The notice that it is stopped follows.
            wakes: false,
            metadata: Metadata::of_others([("why".to_owned(), word.into())]),
        };
        if let Err(error) = self.mailer.send_with_retries(draft).await {
            let text = format!("the lead did not get the notice of its last turn's end: {error}");
            self.base.feed.note(name, text);
        }
    }
}

/// Whether a member has heard what it was spawned for in this life.
fn has_begun(entries: &[Entry], life: Incarnation) -> bool {
    let mail = entries.iter().filter_map(|entry| match entry {
        Entry::Heard(mail) => Some(mail),
        _ => None,
    });
    mail.flatten().any(|mail| mail.to_incarnation == Some(life))
}

/// The end of the last turn: which entry, a word, and the notice's text.
fn last_end(entries: &[Entry]) -> Option<(u64, &'static str, String)> {
    let is_silent = |entry: &Entry| {
        matches!(
            entry,
            Entry::Taken { .. }
                | Entry::Shortened { .. }
                | Entry::Compacted(_)
                | Entry::SummaryFailed { .. }
        )
    };
    let mut said = entries.iter().enumerate().rev();
    let (turn, entry) = said.find(|(_, entry)| !is_silent(entry))?;
    let turn = turn as u64;
    match entry {
        Entry::Answered(reply)
            if reply.calls().is_empty() && reply.stop != StopReason::ContextFull =>
        {
            let text = reply.text();
            let text = match text.is_empty() {
                true => "(finished without a result)".to_owned(),
                false => text,
            };
            Some((turn, "done", text))
        }
        Entry::TurnEnded(why) => Some(match why {
            EndReason::Done => (turn, "done", "(finished without a result)".to_owned()),
            EndReason::Interrupted => (turn, "interrupted", "(interrupted by the user)".to_owned()),
            EndReason::Failed { what } => (turn, "failed", format!("failed: {what}")),
            EndReason::Limit { what } => (turn, "limit", what.clone()),
            EndReason::Waiting { what } => (turn, "waiting", format!("waits for {what}")),
        }),
        Entry::Answered(_)
        | Entry::MemoryReset
        | Entry::Conversation(_)
        | Entry::Heard(_)
        | Entry::ToolOutcomes(_)
        | Entry::Prompted(_)
        | Entry::HandedOver(_)
        | Entry::Taken { .. }
        | Entry::Shortened { .. }
        | Entry::Compacted(_)
        | Entry::SummaryFailed { .. } => None,
    }
}
