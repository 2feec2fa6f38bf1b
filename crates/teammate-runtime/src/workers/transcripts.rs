//! Transcripts as a worker opens them: always by `Taken` as the last line. What an earlier holder, or an earlier loop of this process,
//! still has on its way is refused from then on. Who takes a member over when is not decided here.

use teammate_core::{
    MemberName,
    lock::Hold,
    port::{OpenTranscript, TranscriptError, TranscriptStore},
    team::{Right, TeamState, Term},
    transcript::{Entry, last_term},
};

use super::held::Tenures;
use crate::deployment::Deployment as _;

/// The result of a take-over.
enum TakeOver {
    /// `Taken` is the last line.
    Taken(OpenTranscript),
    /// Another holder's was there, under this term.
    Anothers(OpenTranscript, Term),
}

impl Tenures {
    /// Opens the transcript of a member that is to be run here.
    ///
    /// Errors: [`TranscriptError::Owned`] if another worker has taken it over.
    pub(super) async fn open(
        &self,
        store: &dyn TranscriptStore,
        member: &MemberName,
    ) -> Result<OpenTranscript, TranscriptError> {
        let taken = self.taken.hold().remove(member);
        let Some(term) = self.term_of(member) else {
            return Err(elsewhere(member));
        };
        if let Some((_, opened)) = taken.filter(|(of, _)| *of == term) {
            return Ok(opened);
        }
        match take(store, member, term, |last| last > term).await? {
            TakeOver::Taken(opened) => Ok(opened),
            TakeOver::Anothers(..) => Err(elsewhere(member)),
        }
    }

    /// Seals and reads the transcript of a member whose loop is to be over, if it is placed; see
    /// [`Deployment::seal_transcript`](crate::deployment::Deployment::seal_transcript).
    pub(super) async fn seal(
        &self,
        (team, store): (&TeamState, &dyn TranscriptStore),
        member: &MemberName,
        right: Option<&Right>,
    ) -> Result<Vec<Entry>, TranscriptError> {
        let Some(placement) = team.places().placement(member) else {
            return store.peek(member).await;
        };
        self.forget_taken(member);
        let own = self.is_placed_here(team, member).then_some(placement.term);
        let taking = match self.term_of(member).or(own) {
            Some(term) => take(store, member, term, |last| last > term).await?,
            None if placement.worker.is_some() && right.is_none() => {
                return Err(elsewhere(member));
            }
            None => {
                // As its next holder would, but for that one.
                let next = placement.term.next();
                take(store, member, next, |last| last >= next).await?
            }
        };
        match taking {
            TakeOver::Taken(opened) | TakeOver::Anothers(opened, _) => Ok(opened.entries),
        }
    }

    /// Takes a member's transcript over: `Taken` is its last line when this returns the term. It is kept open for the driver.
    /// A newer term than this one is returned as it is.
    pub(super) async fn take_over(
        &self,
        store: &dyn TranscriptStore,
        member: &MemberName,
        term: Term,
    ) -> Result<Term, TranscriptError> {
        match take(store, member, term, |last| last > term).await? {
            TakeOver::Taken(opened) => {
                self.taken.hold().insert(member.clone(), (term, opened));
                Ok(term)
            }
            TakeOver::Anothers(_, newer) => Ok(newer),
        }
    }
}

/// Appends `Taken` until it is the last line, or the last term `is_anothers`.
async fn take(
    store: &dyn TranscriptStore,
    member: &MemberName,
    term: Term,
    is_anothers: impl Fn(Term) -> bool,
) -> Result<TakeOver, TranscriptError> {
    loop {
        let mut opened = store.open(member).await?;
        let last = last_term(&opened.entries);
        if is_anothers(last) {
            return Ok(TakeOver::Anothers(opened, last));
        }
        let entry = Entry::Taken { term };
        match opened.log.append(&entry).await {
            Ok(()) => {
                opened.entries.push(entry);
                return Ok(TakeOver::Taken(opened));
            }
            // An older holder was quicker once more.
            Err(TranscriptError::Owned { .. }) => {}
            Err(error @ TranscriptError::Broken { .. }) => return Err(error),
        }
    }
}

fn elsewhere(member: &MemberName) -> TranscriptError {
    TranscriptError::Owned {
        owner: member.clone(),
        by: "on another worker".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use teammate_core::{
        name::WorkerName,
        team::{Holding, PlaceEvent, TeamEvent, Walls},
    };
    use teammate_testkit::memory::{MemoryFleet, MemoryTranscripts};

    use super::*;
    use crate::worker_role::WorkerRole;

    fn alice() -> MemberName {
        MemberName::teammate("alice").unwrap()
    }

    /// A worker that holds alice under this term, of the team in which another does under the first.
    fn worker(term: Option<Term>) -> (Tenures, TeamState) {
        let name = WorkerName::parse("w1").unwrap();
        let tenures = Tenures::of(WorkerRole {
            wire: Arc::new(MemoryFleet::default().wire(&name)),
            governors: None,
            name,
            session: uuid::Uuid::nil(),
            labels: [].into(),
            places: 8,
            walls: Walls::default(),
        });
        if let Some(term) = term {
            tenures.hold(&alice(), term);
        }
        let mut team = TeamState::default();
        let placed = PlaceEvent::Placed {
            member: alice(),
            worker: WorkerName::parse("w2").unwrap(),
            term: Term::FIRST,
        };
        team.apply(&TeamEvent::Place(placed), teammate_core::Timestamp(0));
        (tenures, team)
    }

    fn end() -> Entry {
        Entry::TurnEnded(teammate_core::transcript::EndReason::Done)
    }

    #[tokio::test]
    async fn whose_transcript_refuses_again_and_again_waits_once() {
        let (tenures, _) = worker(None);
        let bob = MemberName::teammate("bob").unwrap();
        for _ in 0..10_000 {
            for owner in [alice(), bob.clone()] {
                let by = "w2".to_owned();
                assert!(tenures.report_fence(&TranscriptError::Owned { owner, by }));
            }
        }
        assert_eq!(tenures.next_fenced().await, alice());
        assert_eq!(tenures.next_fenced().await, bob);
        tokio::select! {
            biased;
            member = tenures.next_fenced() => panic!("{member} waits twice"),
            () = std::future::ready(()) => {}
        }
    }

    #[tokio::test]
    async fn what_an_earlier_loop_still_writes_is_refused_once_the_next_has_opened() {
        let store = MemoryTranscripts::compared();
        let (tenures, _) = worker(Some(Term::FIRST));
        let mut earlier = tenures.open_transcript(&store, &alice()).await.unwrap();
        let mut next = tenures.open_transcript(&store, &alice()).await.unwrap();
        let late = earlier.log.append(&end()).await;
        assert!(
            matches!(late, Err(TranscriptError::Owned { .. })),
            "{late:?}"
        );
        next.log.append(&end()).await.unwrap();
    }

    /// The right of the lead's worker.
    fn of_lead() -> Right {
        Right::Holder(Holding {
            member: MemberName::lead(),
            worker: WorkerName::parse("w1").unwrap(),
            term: Term::FIRST,
        })
    }

    #[tokio::test]
    async fn nothing_is_added_to_a_sealed_transcript() {
        for (held, right) in [(Some(Term::FIRST), None), (None, Some(of_lead()))] {
            let store = MemoryTranscripts::compared();
            let (holder, _) = worker(Some(Term::FIRST));
            let mut opened = holder.open_transcript(&store, &alice()).await.unwrap();
            opened.log.append(&end()).await.unwrap();
            let (sealer, team) = worker(held);
            let found = sealer
                .seal_transcript((&team, &store), &alice(), right.as_ref())
                .await;
            assert!(found.unwrap().contains(&end()));
            let late = opened.log.append(&end()).await;
            assert!(
                matches!(late, Err(TranscriptError::Owned { .. })),
                "{late:?}"
            );
        }
    }

    #[tokio::test]
    async fn who_has_lost_a_member_does_not_seal_what_its_holder_writes() {
        let store = MemoryTranscripts::compared();
        let (holder, _) = worker(Some(Term::FIRST));
        let mut opened = holder.open_transcript(&store, &alice()).await.unwrap();
        let (loser, team) = worker(None);
        let sealed = loser.seal_transcript((&team, &store), &alice(), None).await;
        assert!(
            matches!(sealed, Err(TranscriptError::Owned { .. })),
            "{sealed:?}"
        );
        opened.log.append(&end()).await.unwrap();
    }

    #[tokio::test]
    async fn who_does_not_hold_a_member_leaves_its_transcript_to_the_next_holder() {
        let store = MemoryTranscripts::compared();
        let next = Term::FIRST.next();
        let (holder, _) = worker(Some(next));
        let mut opened = holder.open_transcript(&store, &alice()).await.unwrap();
        let (sealer, team) = worker(None);
        sealer
            .seal_transcript((&team, &store), &alice(), Some(&of_lead()))
            .await
            .unwrap();
        opened.log.append(&end()).await.unwrap();
    }
}
