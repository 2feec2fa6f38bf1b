//! A job from its beginning to its result, and what can end it before.

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
    let cut = cut(team, deadline)?;
    tokio::pin!(cut);
    match prompt {
        Some(prompt) => team.start_with(&expected.told_with(prompt)).await?,
        None => team.start().await?,
    }
    let mut ending = watch.ending(team, &mut cut).await;
    let is_done = |ending: &Ending| ending.how == How::Done;
    let mut flaw = expected.flaw(&ending).filter(|_| is_done(&ending));
    if let Some(Flaw { asks, .. }) = &flaw {
        team.say("lead", asks).await?;
        ending = watch.ending(team, &mut cut).await;
        flaw = expected.flaw(&ending).filter(|_| is_done(&ending));
    }
    if let Some(Flaw { why, .. }) = &flaw {
        ending.how = How::Failed(why.clone());
    }
    Ok(Finished { ending, flaw })
}

/// What ends a job before the team rests: then the team is paused.
fn cut(team: &Team, deadline: Deadline) -> std::io::Result<impl Future<Output = How>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let closing = team.asked_to_close();
    Ok(async move {
        tokio::select! {
            biased;
            () = closing => warn("the team was paused from another terminal; `teammate resume` goes on"),
            _ = tokio::signal::ctrl_c() => warn("interrupted: the team is paused; `teammate resume` goes on"),
            _ = terminate.recv() => {}
            after = deadline.passes() => return How::TimedOut(after),
        }
        How::Interrupted
    })
}
