//! How far members that run here have read their mail, and mail that other processes have brought.

use teammate_core::{MemberName, MessageId, lock::Hold};

use super::{Activity, UnreadMail};

impl Activity {
    /// The member has read this much of its mail, where the store can say.
    pub(crate) fn mail_read(&self, member: &MemberName, end: Option<u64>) {
        if end.is_none() {
            return;
        }
        self.change(|seats| {
            if let Some(seat) = seats.get_mut(member) {
                seat.read = end;
            }
        });
    }

    /// Mail for the member that is in its mailbox and that it has not taken yet, as far as is known here.
    pub(crate) fn stored_mail(&self, member: &MemberName) -> Vec<MessageId> {
        let seats = self.seats.hold();
        let unheard = seats.get(member).into_iter().flat_map(|seat| &seat.unheard);
        let stored = unheard.filter(|(_, letter)| letter.is_stored);
        stored.map(|(id, _)| id.clone()).collect()
    }

    /// Whether there is mail that the member has not taken yet, perhaps on its way.
    pub(crate) fn has_unheard(&self, member: &MemberName) -> bool {
        let seats = self.seats.hold();
        seats
            .get(member)
            .is_some_and(|seat| !seat.unheard.is_empty())
    }

    /// This mail lies in the member's mailbox; `true` beside what ends a wait. Others may have sent it.
    pub(crate) fn mail_arrived<'a>(
        &self,
        member: &MemberName,
        mail: impl Iterator<Item = (&'a MessageId, bool)>,
    ) {
        self.change(|seats| {
            let Some(seat) = seats.get_mut(member) else {
                return;
            };
            for (id, ends_wait) in mail {
                let letter = UnreadMail {
                    ends_wait,
                    is_stored: true,
                };
                seat.unheard.insert(id.clone(), letter);
            }
        });
    }
}
