//! A job from its beginning to its result, and what can end it before.

use teammate::{ExpectedResult, ResultFlaw, RunOutcome, RunReport, Team, UserMessage};
use teammate_view::t;
use tokio::signal::unix::{SignalKind, signal};

use super::{GivenJob, deadline::Deadline, print_warning};

/// A job that has ended.
pub(super) struct Finished {
    pub(super) report: RunReport,
    /// The fault of its result, also after the lead was asked once more.
    pub(super) flaw: Option<ResultFlaw>,
}

/// Gives the lead its job and waits for a result of the expected form; if it is not, the lead is asked once more.
pub(super) async fn run_until_done(
    team: &Team,
    job: Option<GivenJob>,
    deadline: Deadline,
    expected: &ExpectedResult,
) -> anyhow::Result<Finished> {
    let mut watch = team.watch();
    let cut = cut(team, deadline)?;
    tokio::pin!(cut);
    match job {
        Some((UserMessage { text, attachments }, goal)) => {
            let text = expected.prompt_with(&text);
            team.start_with(UserMessage { text, attachments }).await?;
            // After the lead's conversation was chosen, to which a goal belongs.
            if let Some(goal) = goal {
                goal.set_for(team).await?;
            }
        }
        None => team.start().await?,
    }
    let mut ending = watch.wait_report(team, &mut cut).await;
    let is_done = |ending: &RunReport| ending.outcome == RunOutcome::Done;
    let mut flaw = expected.flaw(&ending).filter(|_| is_done(&ending));
    if let Some(ResultFlaw { asks, .. }) = &flaw {
        team.send("lead", asks).await?;
        ending = watch.wait_report(team, &mut cut).await;
        flaw = expected.flaw(&ending).filter(|_| is_done(&ending));
    }
    if let Some(ResultFlaw { why, .. }) = &flaw {
        ending.outcome = RunOutcome::Failed(why.clone());
    }
    Ok(Finished {
        report: ending,
        flaw,
    })
}

/// The event that ends a job before the team is idle: then the team is paused.
fn cut(team: &Team, deadline: Deadline) -> std::io::Result<impl Future<Output = RunOutcome>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let closing = team.close_requested();
    Ok(async move {
        tokio::select! {
            biased;
            () = closing => print_warning(t("the team was paused from another terminal; `teammate resume` continues")),
            _ = tokio::signal::ctrl_c() => print_warning(t("interrupted: the team is paused; `teammate resume` continues")),
            _ = terminate.recv() => {}
            after = deadline.passes() => return RunOutcome::TimedOut(after),
        }
        RunOutcome::Interrupted
    })
}
