//! Follows a program to its end, and ends it when nobody needs it any more.

use std::{sync::Arc, time::Duration};

use teammate_core::port::ProgramLife;
use tokio::{
    io::AsyncReadExt as _,
    net::unix::pipe,
    sync::oneshot,
    task::JoinHandle,
    time::{Instant, timeout},
};

use super::condition::Condition;

/// How long what it said last is waited for.
const BRIEF: Duration = Duration::from_millis(100);

/// How a program ended that was asked to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramClose {
    /// It had ended before.
    Before,
    /// When its input ended, after so long.
    ByEof(Duration),
    /// When it was asked to stop, after so long.
    Asked(Duration),
    Killed,
}

/// Somebody who waits for the end.
pub(crate) type Asked = oneshot::Sender<ProgramClose>;

/// Follows it. Dropped by its other end, `closing` has it killed.
pub(crate) async fn keep(
    (mut life, mut draining): (Box<dyn ProgramLife>, JoinHandle<()>),
    condition: Arc<Condition>,
    (closing, grace): (oneshot::Receiver<Asked>, Duration),
) {
    tokio::pin!(closing);
    let (asked, how) = tokio::select! {
        biased;
        asked = &mut closing => {
            let asked = asked.ok();
            let how = match asked.is_some() {
                true => asked_to_end(&mut *life, grace).await,
                false => {
                    if let Ok(ended) = timeout(BRIEF, life.ended()).await {
                        let _ = timeout(BRIEF, &mut draining).await;
                        condition.note_end(&ended);
                    }
                    ProgramClose::Killed
                }
            };
            life.kill().await;
            (asked, how)
        }
        ended = life.ended() => {
            // What it started goes with it; then all is there that it said.
            life.kill().await;
            let _ = timeout(BRIEF, &mut draining).await;
            condition.note_end(&ended);
            (closing.await.ok(), ProgramClose::Before)
        }
    };
    draining.abort();
    if let Some(asked) = asked {
        // Who asked may have given up.
        let _ = asked.send(how);
    }
}

/// Its input has ended: that is enough for most.
async fn asked_to_end(life: &mut dyn ProgramLife, grace: Duration) -> ProgramClose {
    let begun = Instant::now();
    if timeout(grace, life.ended()).await.is_ok() {
        return ProgramClose::ByEof(begun.elapsed());
    }
    life.ask_to_stop();
    match timeout(grace, life.ended()).await {
        Ok(_) => ProgramClose::Asked(begun.elapsed()),
        Err(_) => ProgramClose::Killed,
    }
}

/// Reads its standard error to the end.
pub(crate) async fn drain(mut errors: pipe::Receiver, condition: Arc<Condition>) {
    let mut chunk = vec![0; 8 << 10];
    while let Ok(count @ 1..) = errors.read(&mut chunk).await {
        condition.said(&chunk[..count]);
    }
}
