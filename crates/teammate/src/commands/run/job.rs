//! A job from its beginning to its result, and what can end it before.

use std::sync::atomic::{AtomicBool, Ordering};

use teammate::{Ending, How, Team};
use tokio::signal::unix::{SignalKind, signal};

use super::{
    deadline::Deadline,
    expected::{Expected, Flaw},
    warn,
};

/// A job that has ended.
pub(super) struct Finished {
    pub(super) ending: Ending,
    /// What is wrong with its result, also after the lead was asked once more.
    pub(super) flaw: Option<Flaw>,
}

/// Gives the lead its job and waits for a result that is what was expected; where it is not, the lead is asked once more.
pub(super) async fn until_rest(
    team: &Team,
    prompt: Option<&str>,
    deadline: Deadline,
    expected: &Expected,
) -> anyhow::Result<Finished> {
    let mut watch = team.watch();
    let is_interrupted = AtomicBool::new(false);
    let cut = cut(team, deadline, &is_interrupted)?;
    tokio::pin!(cut);
    // Heard before the members begin, so that an old unfinished turn and the new job are one.
    team.start().await?;
    if let Some(prompt) = prompt {
        team.say("lead", &expected.told_with(prompt)).await?;
    }
    let mut ending = watch.ending(team, &mut cut).await;
    let is_done =
        |ending: &Ending| ending.how == How::Done && !is_interrupted.load(Ordering::SeqCst);
    let mut flaw = expected.flaw(&ending).filter(|_| is_done(&ending));
    if let Some(Flaw { asks, .. }) = &flaw {
        team.say("lead", asks).await?;
        ending = watch.ending(team, &mut cut).await;
        flaw = expected.flaw(&ending).filter(|_| is_done(&ending));
    }
    if is_interrupted.load(Ordering::SeqCst) {
        ending.how = How::Interrupted;
    } else if let Some(Flaw { why, .. }) = &flaw {
        ending.how = How::Failed(why.clone());
    }
    Ok(Finished { ending, flaw })
}

/// What ends a job before the team rests. The first Ctrl-C interrupts every turn, the second leaves at once.
fn cut(
    team: &Team,
    deadline: Deadline,
    is_interrupted: &AtomicBool,
) -> std::io::Result<impl Future<Output = How>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let closing = team.asked_to_close();
    let too_late = deadline.passes();
    Ok(async move {
        tokio::pin!(closing, too_late);
        loop {
            tokio::select! {
                biased;
                () = &mut closing => {
                    warn("the team was stopped from another terminal; `teammate resume` goes on");
                    return How::Interrupted;
                }
                interrupt = tokio::signal::ctrl_c() => {
                    if interrupt.is_err() || is_interrupted.swap(true, Ordering::SeqCst) {
                        return How::Interrupted;
                    }
                    team.hurry();
                    team.interrupt_all().await;
                }
                _ = terminate.recv() => return How::Interrupted,
                after = &mut too_late => return How::TimedOut(after),
            }
        }
    })
}
