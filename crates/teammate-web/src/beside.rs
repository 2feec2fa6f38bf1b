//! Tasks beside the connections: streams, verbs, and the reading of facts. It ends with the server.

use std::sync::Mutex;

use teammate_core::{contained::contained, lock::Hold};
use tokio::task::JoinSet;

/// Work that nobody waits for while the server runs.
#[derive(Default)]
pub(crate) struct Beside(Mutex<JoinSet<()>>);

impl Beside {
    /// Begins some work, which a bug ends alone.
    pub(crate) fn spawn(
        &self,
        part: &'static str,
        work: impl Future<Output = ()> + Send + 'static,
    ) {
        let mut all = self.0.hold();
        // What has ended is forgotten, also if a bug has ended it.
        while all.try_join_next().is_some() {}
        all.spawn(async move {
            // The program's panic hook says what the bug is.
            let _ = contained(part, work).await;
        });
    }

    /// Ends all of it, and waits for that: afterwards it holds nothing.
    pub(crate) async fn end(&self) {
        let mut all = std::mem::take(&mut *self.0.hold());
        all.shutdown().await;
    }
}
