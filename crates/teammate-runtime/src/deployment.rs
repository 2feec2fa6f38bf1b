//! How a team is run: by this process alone, which answers at once, or by a fleet of workers of which this process is one. What is
//! asked of a deployment is here, with the answers of a process that is alone; a worker's are `workers/placed`. It decides nothing.

mod policy;

use std::{collections::BTreeSet, future::ready, sync::Arc};

use teammate_core::{
    MemberName,
    name::WorkerName,
    port::{BoxFuture, Fleet, Governors, OpenTranscript, TranscriptError, TranscriptStore},
    team::{Right, TeamState, WorkerStop},
    transcript::Entry,
};

/// How this process runs the team. Each answer is that of a process that is alone, if it is not said otherwise.
pub(crate) trait Deployment: Send + Sync {
    /// This process's name among the workers that run the team; none if it is alone.
    fn worker(&self) -> Option<&WorkerName> {
        None
    }

    /// The wire to the other workers.
    fn wire(&self) -> Option<Arc<dyn Fleet>> {
        None
    }

    /// The port by which workers tell each other of model servers.
    fn governors(&self) -> Option<Arc<dyn Governors>> {
        None
    }

    /// Whether this process runs the member.
    fn is_mine(&self, _member: &MemberName) -> bool {
        true
    }

    /// Whether the member was taken over and its driver has not begun yet.
    fn is_opening(&self, _member: &MemberName) -> bool {
        false
    }

    /// Whether the journal has a member held here, perhaps before it was taken over.
    fn is_placed_here(&self, _team: &TeamState, _member: &MemberName) -> bool {
        true
    }

    /// Whether what must be done for a member is done here: by its holder, and by the lead's where nobody holds it.
    fn is_duty(&self, _team: &TeamState, _member: &MemberName) -> bool {
        true
    }

    /// By which right this process speaks for a member; none where it needs none. Who has lost a member has an old term's, which
    /// is refused.
    fn right_of(&self, _team: &TeamState, _member: &MemberName) -> Option<Right> {
        None
    }

    /// Which workers get no members now, because they are silent or drain.
    fn unfit(&self) -> BTreeSet<WorkerName> {
        BTreeSet::new()
    }

    /// Whether members of other workers have something to do, as far as is heard. One that nobody holds has.
    fn is_busy_elsewhere(&self, _team: &TeamState) -> bool {
        false
    }

    /// Resolves when something may begin: not while a worker does not hear itself or lacks what the team demands.
    fn until_may_begin(&self) -> BoxFuture<'_, ()> {
        Box::pin(ready(()))
    }

    /// Whether this error says that another worker has taken the member over.
    fn is_fence(&self, _error: &TranscriptError) -> bool {
        false
    }

    /// Tells the machine of a fence: a transcript that another holder has taken. Whether the error is one.
    fn report_fence(&self, error: &TranscriptError) -> bool {
        self.is_fence(error)
    }

    /// Opens the transcript of a member that is to be run here.
    ///
    /// Errors: [`TranscriptError::Owned`] if another worker has taken it over.
    fn open_transcript<'a>(
        &'a self,
        store: &'a dyn TranscriptStore,
        member: &'a MemberName,
    ) -> BoxFuture<'a, Result<OpenTranscript, TranscriptError>> {
        store.open(member)
    }

    /// Seals and reads the transcript of a member whose loop is to be over: nothing of that loop is added to it from then on. `right`:
    /// by which the lead's worker does it in the place of a silent holder.
    ///
    /// Errors: [`TranscriptError::Owned`] if another worker holds the member, and there is no such right.
    fn seal_transcript<'a>(
        &'a self,
        (_team, store): (&'a TeamState, &'a dyn TranscriptStore),
        member: &'a MemberName,
        _right: Option<&'a Right>,
    ) -> BoxFuture<'a, Result<Vec<Entry>, TranscriptError>> {
        store.peek(member)
    }
}

/// This process is the only one: it holds all members.
pub(crate) struct Alone;

impl Deployment for Alone {}

/// The run of this process as a worker.
pub(crate) trait WorkerRun: Send + Sync {
    /// Joins, and runs the members that the journal places here. Once.
    fn begin(&self);

    /// Has its members moved; it stops when the last one is.
    fn drain(&self);

    /// Resolves when it has stopped by itself, with why.
    fn stopped(&self) -> BoxFuture<'_, WorkerStop>;

    /// Ends without a word: others find out, and move its members.
    fn end(&self);
}
