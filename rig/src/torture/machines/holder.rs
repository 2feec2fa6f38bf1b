//! A process that holds a member under one term: it appends `Taken` until that is the last entry, then moves mail into the
//! transcript, until a successor has taken over. It says `took 4`, and in the end `fenced 4` or, if
//! there is no successor, `stopped 4`.

use std::{collections::HashSet, process::ExitCode, time::Duration};

use teammate_core::{
    MessageId,
    port::{OpenTranscript, TranscriptError},
    team::Term,
    transcript::{Entry, last_term},
};
use teammate_nats::NatsStore;

use super::{
    site::{Site, held},
    worker::{StuckTimer, print_done},
};
use crate::torture::worker::{heard, run};

/// What a member does between two entries, so that a successor finds a moment to take over.
const THINKS: Duration = Duration::from_millis(100);

/// The bell is a hint, so nobody waits for it for ever.
const BELL_WAIT: Duration = Duration::from_millis(500);

/// Holds the member under this term until killed or fenced.
pub(crate) fn hold(site: &str, term: &str) -> Result<ExitCode, String> {
    let site = Site::parse(site)?;
    let term = term.parse().map_err(|_| format!("no term: {term}"))?;
    run(async {
        let store = site.store().await?;
        match hold_under(&store, Term(term), Until::Fenced).await? {
            Ended::Fenced => print_done("fenced", term),
            Ended::StoppedForNothing => print_done("stopped", term),
            Ended::Drained => Ok(()),
        }
    })??;
    Ok(ExitCode::SUCCESS)
}

/// When holding ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    Fenced,
    /// Nothing waits any more.
    Drained,
}

pub(super) enum Ended {
    Fenced,
    /// It was refused, and nobody else has taken over.
    StoppedForNothing,
    Drained,
}

/// Why one opening of the transcript ended.
enum Lost {
    Refused,
    /// It may be stored or not: open it again.
    Doubt(String),
}

pub(super) async fn hold_under(
    store: &NatsStore,
    term: Term,
    until: Until,
) -> Result<Ended, String> {
    let (mut stuck, mut has_taken, mut is_in_doubt) = (StuckTimer::new(), false, false);
    loop {
        let open = match store.transcripts.open(&held()).await {
            Ok(open) => open,
            Err(error) => {
                stuck.failed(&error).await?;
                continue;
            }
        };
        if last_term(&open.entries) > term {
            return Ok(Ended::Fenced);
        }
        let mut tenure = Tenure::of(store, term, open);
        let lost = match tenure.run(&mut has_taken, until).await {
            Ok(()) => return Ok(Ended::Drained),
            Err(lost) => lost,
        };
        match lost {
            // Before it has taken, entries of the old holder are in the way.
            Lost::Refused if has_taken && !is_in_doubt => {
                let open = store.transcripts.peek(&held()).await;
                match open.map(|entries| last_term(&entries) > term) {
                    Ok(false) => return Ok(Ended::StoppedForNothing),
                    Ok(true) => return Ok(Ended::Fenced),
                    Err(error) => stuck.failed(&error).await?,
                }
            }
            Lost::Refused => {}
            Lost::Doubt(why) => {
                is_in_doubt = true;
                stuck.failed(&why).await?;
                continue;
            }
        }
        stuck.well();
        is_in_doubt = false;
    }
}

/// The member from one opening of its transcript on.
struct Tenure<'a> {
    store: &'a NatsStore,
    term: Term,
    open: OpenTranscript,
    known: HashSet<MessageId>,
}

impl<'a> Tenure<'a> {
    fn of(store: &'a NatsStore, term: Term, open: OpenTranscript) -> Self {
        let known = heard(&open.entries).map(|mail| mail.id.clone()).collect();
        Self {
            store,
            term,
            open,
            known,
        }
    }

    async fn run(&mut self, has_taken: &mut bool, until: Until) -> Result<(), Lost> {
        if last_term(&self.open.entries) < self.term {
            self.append(&Entry::Taken { term: self.term }).await?;
        }
        if !*has_taken && until == Until::Fenced {
            print_done("took", self.term.0).map_err(Lost::Doubt)?;
        }
        *has_taken = true;
        loop {
            let batches = self.store.mailbox.take(&held()).await;
            let batches = batches.map_err(|error| Lost::Doubt(error.to_string()))?;
            if batches.is_empty() && until == Until::Drained {
                return Ok(());
            }
            for mut batch in batches {
                batch
                    .messages
                    .retain(|mail| self.known.insert(mail.id.clone()));
                if !batch.messages.is_empty() {
                    // Who wrote what follows.
                    self.append(&Entry::Prompted(self.term.0.to_string()))
                        .await?;
                    self.append(&Entry::Heard(batch.messages)).await?;
                }
                let settled = self.store.mailbox.ack(&held(), batch.id).await;
                settled.map_err(|error| Lost::Doubt(error.to_string()))?;
            }
            if until == Until::Fenced {
                tokio::time::sleep(THINKS).await;
                let member = held();
                let bell = self.store.mailbox.rang(&member);
                let _ = tokio::time::timeout(BELL_WAIT, bell).await;
            }
        }
    }

    async fn append(&mut self, entry: &Entry) -> Result<(), Lost> {
        match self.open.log.append(entry).await {
            Ok(()) => Ok(()),
            Err(TranscriptError::Owned { .. }) => Err(Lost::Refused),
            Err(error @ TranscriptError::Broken { .. }) => Err(Lost::Doubt(error.to_string())),
        }
    }
}
