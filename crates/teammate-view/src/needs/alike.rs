//! Questions that are exactly the same but for who asks: one for the user, with one answer for all.

use teammate_core::{
    Timestamp,
    request::{PermissionRequest, Request},
    team::TeamState,
};

use super::{Need, order};
use crate::SeenRequest;

impl Need {
    /// The needs as the user is asked: those that ask exactly the same are one, with all that they hold up. In the order of
    /// [`Need::of`].
    pub fn grouped(team: &TeamState, now: Timestamp) -> Vec<Self> {
        let mut groups: Vec<(Option<&PermissionRequest>, Self)> = Vec::new();
        for need in Self::of(team, now) {
            let asked = need.request_in(team).and_then(Request::permission);
            let is_same = |other: &Option<&PermissionRequest>| match (asked, other) {
                (Some(asked), Some(other)) => asks_the_same(asked, other),
                (Some(_) | None, _) => false,
            };
            match groups.iter_mut().find(|(other, _)| is_same(other)) {
                Some((_, group)) => group.join(need),
                None => groups.push((asked, need)),
            }
        }
        let mut groups: Vec<Self> = groups.into_iter().map(|(_, group)| group).collect();
        // Stable, as there; together they may hold up more than what came first alone.
        groups.sort_by_key(|group| order(group, now));
        groups
    }

    /// The request that an answer settles, as the team has it.
    pub fn request_in<'a>(&self, team: &'a TeamState) -> Option<&'a Request> {
        let known = team.requests().get(self.kind.request()?)?;
        Some(known)
    }

    fn join(&mut self, other: Self) {
        let held = &mut self.holds;
        held.tasks.extend_from_slice(&other.holds.tasks);
        held.tasks.sort();
        held.tasks.dedup();
        held.members.extend_from_slice(&other.holds.members);
        held.members.sort();
        held.members.dedup();
        self.since = [self.since, other.since].into_iter().flatten().min();
        self.deadline = [self.deadline, other.deadline].into_iter().flatten().min();
        self.alike.push(other);
    }
}

/// The other questions to the user that ask exactly the same as this one, each with its own digest: one answer may be for all.
pub fn asking_the_same(team: &TeamState, request: &Request) -> Vec<SeenRequest> {
    let Some(asked) = request.permission() else {
        return Vec::new();
    };
    let others = team.questions().filter(|other| other.id != request.id);
    let same = others.filter_map(|other| {
        let ask = other.permission().filter(|ask| asks_the_same(asked, ask))?;
        Some(SeenRequest {
            request: other.id,
            saw: ask.digest.clone(),
        })
    });
    same.collect()
}

/// Whether all that the user is shown is the same: the deed, why it is asked, what it reaches, and the rules that are offered.
fn asks_the_same(one: &PermissionRequest, other: &PermissionRequest) -> bool {
    one.shows == other.shows
        && one.tool == other.tool
        && one.rules == other.rules
        && one.because == other.because
        && one.touches == other.touches
}
