//! A doorbell: one consumer of headers that rings for each subject that matches a filter. It carries nothing.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock},
};

use teammate_core::lock::Hold;
use tokio::sync::Notify;

use crate::{
    listen::{Listening, Subjects},
    read::{StoredMessage, WantedPart},
};

/// The doorbell of the subjects of one source.
pub(crate) struct Bell {
    source: Subjects,
    bells: Arc<Bells>,
    /// It listens from the first wait on.
    listening: OnceLock<Listening>,
}

#[derive(Default)]
struct Bells(Mutex<HashMap<String, Arc<Notify>>>);

impl Bell {
    pub(crate) fn of(source: Subjects) -> Self {
        Self {
            source,
            bells: Arc::default(),
            listening: OnceLock::new(),
        }
    }

    /// Resolves when something may have come on the subject since this was last awaited.
    pub(crate) async fn rang(&self, subject: &str) {
        self.listening.get_or_init(|| {
            let bells = self.bells.clone();
            let ring = move |message: StoredMessage, _| {
                bells.of(&message.subject).notify_one();
            };
            self.source.listen(WantedPart::Headers, ring)
        });
        self.bells.of(subject).notified().await;
    }
}

impl Bells {
    fn of(&self, subject: &str) -> Arc<Notify> {
        let mut bells = self.0.hold();
        bells.entry(subject.to_owned()).or_default().clone()
    }
}
