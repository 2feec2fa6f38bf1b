//! Members come and go: their transcripts are taken over, they are opened, and closed when they are held elsewhere.

use teammate_core::{MemberName, team::Term, transcript::last_term};
use teammate_fleet::{
    Append, AppendId, AppendOutcome, TenureLine, TenureState, TranscriptLine, WorkerInput,
};
use tokio::time::sleep;

use super::{RETRY_PAUSE, machine::Machine};

impl Machine {
    /// Appends `Taken` until it is the last line: no older holder can append from then on.
    pub(super) fn take_over(&mut self, member: MemberName, append: &Append<TenureLine<()>>) {
        let (id, expects) = (append.id, append.expects);
        let TenureLine::Taken(term) = append.payload else {
            return;
        };
        let (placed, crew, inputs) = (self.placed.clone(), self.crew.clone(), self.inputs.clone());
        let of = member.clone();
        self.open_in_task(of, async move {
            let mut is_told = false;
            loop {
                let store = &*crew.base.ports.transcripts;
                let input = match placed.take_over(store, &member, term).await {
                    Ok(last) if last == term => WorkerInput::TranscriptOutcome {
                        member,
                        id,
                        outcome: AppendOutcome::Stored { at: expects },
                    },
                    Ok(newer) => taken_by(member, newer),
                    Err(error) => {
                        if !std::mem::replace(&mut is_told, true) {
                            let text = format!("{error}; it begins as soon as that is over");
                            crew.base.feed.note(&member, text);
                        }
                        sleep(RETRY_PAUSE).await;
                        continue;
                    }
                };
                // The machine may have stopped.
                let _ = inputs.send(input).await;
                return;
            }
        });
    }

    /// The transcript is this worker's.
    pub(super) fn open(&mut self, member: MemberName, term: Term) {
        self.placed.hold(&member, term);
        let (crew, of) = (self.crew.clone(), member.clone());
        self.open_in_task(of, async move { crew.open(&member, term).await });
    }

    /// Another worker holds the member, or nobody.
    pub(super) async fn close(&mut self, member: &MemberName, term: Term) {
        if let Some(opening) = self.opening.remove(member) {
            opening.abort();
        }
        self.cut.remove(member);
        self.placed.let_go(member, term);
        let is_elsewhere = self.crew.base.ledger.team().places().is_held(member);
        // Who was stopped here runs no more, and what follows from that goes on. The lead's worker has stopped one that runs.
        if is_elsewhere || self.crew.members.is_running(member) {
            self.crew.close(member).await;
        }
    }

    /// This worker has been alone for so long that another may begin what the member has begun.
    pub(super) async fn end_commands(&mut self, member: MemberName) {
        self.crew.end_commands(&member).await;
        self.cut.insert(member);
    }

    /// The worker may begin something again: members that are still its own go on as after a crash.
    pub(super) fn open_cut_again(&mut self) {
        if self.worker.is_alone() || self.worker.shortfall().is_some() {
            return;
        }
        for member in std::mem::take(&mut self.cut) {
            if self.worker.tenure(&member) != Some(TenureState::Held) {
                continue;
            }
            let opening = self.opening.get(&member);
            let is_opening = opening.is_some_and(|opening| !opening.is_finished());
            let (crew, of, term) = (
                self.crew.clone(),
                member.clone(),
                self.placed.term_of(&member),
            );
            self.open_in_task(of, async move {
                match term.filter(|_| is_opening) {
                    // It has not begun here at all.
                    Some(term) => crew.open(&member, term).await,
                    None => crew.open_again(&member).await,
                }
            });
        }
    }

    /// A transcript refused an append: looks who has appended instead.
    pub(super) fn look_who_appended(&mut self, member: MemberName) {
        let (crew, inputs) = (self.crew.clone(), self.inputs.clone());
        self.under_way.spawn(async move {
            let entries = loop {
                match crew.base.ports.transcripts.peek(&member).await {
                    Ok(entries) => break entries,
                    Err(_) => sleep(RETRY_PAUSE).await,
                }
            };
            let _ = inputs.send(taken_by(member, last_term(&entries))).await;
        });
    }

    fn open_in_task(
        &mut self,
        member: MemberName,
        opening: impl Future<Output = ()> + Send + 'static,
    ) {
        let opening = self.under_way.spawn(opening);
        if let Some(before) = self.opening.insert(member, opening) {
            before.abort();
        }
    }
}

/// The machine's input about a transcript that was taken over under this term.
fn taken_by(member: MemberName, term: Term) -> WorkerInput<()> {
    let id = AppendId {
        writer: uuid::Uuid::nil(),
        term,
        number: 0,
    };
    let taken = Some(term);
    WorkerInput::Transcript {
        member,
        lines: vec![TranscriptLine { id, taken }],
    }
}
