//! How far the team is on its way to being closed. It only ever goes forward: nothing reopens a team that closes.

use tokio::sync::watch;

/// How far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Running,
    /// Members end their steps, and none begins.
    Pausing,
    /// The program closes the team, or should.
    Closing,
}

/// Whether the team closes.
pub(crate) struct TeamClosing(watch::Sender<Stage>);

impl TeamClosing {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(Stage::Running))
    }

    /// Members end their steps from now on, and none begins.
    pub(crate) fn pause(&self) {
        self.advance_to(Stage::Pausing);
    }

    /// The program should close the team, or closes it.
    pub(crate) fn close(&self) {
        self.advance_to(Stage::Closing);
    }

    /// Whether members may no longer begin a step.
    pub(crate) fn has_begun(&self) -> bool {
        *self.0.borrow() > Stage::Running
    }

    /// Resolves when the program should close the team; never, if the team closes before.
    pub(crate) fn reached(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut stage = self.0.subscribe();
        async move {
            let is_closing = |stage: &Stage| *stage == Stage::Closing;
            if stage.wait_for(is_closing).await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    fn advance_to(&self, stage: Stage) {
        self.0.send_if_modified(|now| {
            let is_later = stage > *now;
            *now = stage.max(*now);
            is_later
        });
    }
}
