//! How often a member's plan gate was closed over what it does. The journal's fold counts that. Jobs and calls keep the count
//! with which they began and end themselves when it rises, so nothing that began before slips through, whichever process
//! closed the gate.

use teammate_core::MemberName;

use super::Base;

impl Base {
    /// How often a member's gate was closed over what it does.
    pub(crate) fn closings(&self, name: &MemberName) -> u32 {
        let team = self.ledger.team();
        team.member(name).map_or(0, |member| member.closings)
    }

    /// Resolves when a member's gate is closed once more than so often.
    pub(crate) async fn gate_closes(&self, name: &MemberName, closings: u32) {
        let mut changes = self.ledger.changes();
        while self.closings(name) <= closings {
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}
