//! Requests of members that move from and to other workers.

use teammate_core::{MemberName, lock::Hold};

use super::OpenRequests;

impl OpenRequests {
    /// A member was taken over: what is open of it was asked by another process.
    pub(crate) fn inherit(&self, member: &MemberName) {
        let team = self.base.ledger.team();
        let requests = team.requests();
        let open = requests.pending().chain(requests.unresolved_permissions());
        let of_member = open.filter(|request| request.concerns() == Some(member));
        self.inherited
            .hold()
            .extend(of_member.map(|request| request.id));
    }

    /// A member is another worker's: what is open of it is followed there.
    pub(crate) fn leave_to_others(&self, member: &MemberName) {
        let team = self.base.ledger.team();
        self.followed.send_modify(|followed| {
            followed.retain(|id| {
                let request = team.requests().get(*id);
                request.is_none_or(|request| request.concerns() != Some(member))
            });
        });
    }
}
