//! The mail that its owner has taken and settled, in this process.
//!
//! A batch is everything up to a sequence. Batches that were taken come again as they were, before
//! what is new, until they are settled.

use teammate_core::{
    MemberName,
    port::{Batch, BatchId, MailError},
};

use super::{NatsMail, reading::StoredMail};
use crate::parts::PART_BYTES;

/// The owner's place in its mailbox.
#[derive(Default)]
pub(super) struct MailTaking {
    /// All up to this sequence is settled; `None` until the mark was read.
    settled: Option<u64>,
    /// Batches behind it, in order.
    taken: Vec<Taken>,
}

/// A batch: all behind the one before, up to this sequence.
struct Taken {
    through: u64,
    is_settled: bool,
}

impl MailTaking {
    /// All batches that are not settled; what is new is among them as batches of its own.
    pub(super) async fn take(
        &mut self,
        mail: &NatsMail,
        owner: &MemberName,
    ) -> Result<Vec<Batch>, MailError> {
        let settled = match self.settled {
            Some(settled) => settled,
            None => *self.settled.insert(mail.mark(owner).await?),
        };
        let (letters, _) = mail.letters(owner, settled).await?;
        self.cut(settled, &letters);
        let mut batches = Vec::new();
        let mut rest = &letters[..];
        for taken in &self.taken {
            let count = rest.partition_point(|letter| letter.sequence <= taken.through);
            let (own, behind) = rest.split_at(count);
            rest = behind;
            if !taken.is_settled && !own.is_empty() {
                let mut batch = mail.batch(owner, own).await?;
                batch.id = BatchId(taken.through);
                batches.push(batch);
            }
        }
        Ok(batches)
    }

    /// Makes batches of what is behind the last one, each as large as one entry of a transcript.
    fn cut(&mut self, settled: u64, letters: &[StoredMail]) {
        let known = self.taken.last().map_or(settled, |taken| taken.through);
        let new = letters.iter().filter(|letter| letter.sequence > known);
        let mut bytes = 0;
        for letter in new {
            let is_more = bytes > 0 && bytes + letter.line.len() <= PART_BYTES;
            match self.taken.last_mut().filter(|_| is_more) {
                Some(last) => last.through = letter.sequence,
                None => {
                    bytes = 0;
                    self.taken.push(Taken {
                        through: letter.sequence,
                        is_settled: false,
                    });
                }
            }
            bytes += letter.line.len();
        }
    }

    /// Settles a batch. Returns up to where all is settled now, if that is further than before.
    pub(super) fn settle(&mut self, claim: BatchId) -> Option<u64> {
        let taken = self
            .taken
            .iter_mut()
            .find(|taken| taken.through == claim.0)?;
        taken.is_settled = true;
        let open = self.taken.iter().position(|taken| !taken.is_settled);
        let count = open.unwrap_or(self.taken.len());
        let last = self.taken.drain(..count).next_back()?;
        self.settled = Some(last.through);
        self.settled
    }
}
