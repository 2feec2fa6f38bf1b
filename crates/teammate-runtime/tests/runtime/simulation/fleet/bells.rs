//! The doorbells of one process.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use teammate_core::MemberName;
use tokio::sync::Notify;

/// The doorbells of one process.
#[derive(Default)]
pub(crate) struct Bells {
    pub(crate) journal: Notify,
    mail: Mutex<BTreeMap<MemberName, Arc<Notify>>>,
}

impl Bells {
    pub(crate) fn of(&self, member: &MemberName) -> Arc<Notify> {
        let mut mail = self.mail.lock().unwrap();
        mail.entry(member.clone()).or_default().clone()
    }

    /// After a time in which nothing was heard.
    pub(crate) fn ring_all(&self) {
        self.journal.notify_one();
        let mail = self.mail.lock().unwrap();
        mail.values().for_each(|bell| bell.notify_one());
    }
}
