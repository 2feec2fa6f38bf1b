//! The lead's teams as tools see them, and where what an ended team leaves behind is put.

use crate::{
    MemberName, TeamName,
    port::{BoxFuture, Caller, Refusal},
};

/// What can be asked about teams on behalf of the lead.
pub trait Teams: Send + Sync {
    /// Makes a team.
    fn make<'a>(
        &'a self,
        caller: &'a Caller,
        team: &'a TeamName,
    ) -> BoxFuture<'a, Result<(), Refusal>>;

    /// Ends a team: who rests is stopped at once, who works may end its turn within a deadline, then everybody is
    /// stopped, their tasks return to the board, and their files are put away.
    fn end<'a>(
        &'a self,
        caller: &'a Caller,
        team: &'a TeamName,
    ) -> BoxFuture<'a, Result<Ended, Refusal>>;

    /// Sends to the members of a team; returns how many.
    fn tell<'a>(
        &'a self,
        caller: &'a Caller,
        team: &'a TeamName,
        content: String,
    ) -> BoxFuture<'a, Result<usize, Refusal>>;
}

/// How a team ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Who was in it.
    pub members: Vec<MemberName>,
    /// Where their files are, for people.
    pub kept_in: String,
}

/// Where what members leave behind is kept.
pub trait Archive: Send + Sync {
    /// Moves everything of these members, who are stopped, out of the way, under a label that nobody else uses. Again
    /// after a crash it moves what is left. Returns where it is, for people.
    ///
    /// Errors: what could not be moved, and why; nothing is lost.
    fn put_away<'a>(
        &'a self,
        label: &'a str,
        members: &'a [MemberName],
    ) -> BoxFuture<'a, Result<String, String>>;
}
