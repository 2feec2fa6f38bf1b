//! The effect of words for a turn that runs.

use super::{Finding, Steering, Trial, Tried, command};

/// How long the command runs, in seconds.
const COMMAND_SECONDS: u32 = 4;

/// Tells a running turn more, where that is offered.
pub(super) async fn steer(trial: &Trial, tried: &Tried, is_offered: bool) -> Finding<Steering> {
    if !is_offered {
        return Finding::Seen(Steering::NotOffered);
    }
    let (line, mark) = command::endless();
    let line = format!("timeout {COMMAND_SECONDS} {line}");
    let mut turn = match command::running(trial, tried, &line, &mark).await {
        Ok(turn) => turn,
        Err(finding) => return finding,
    };
    let steered = tried.agent.steer(&tried.session, "Then say: steered").await;
    if command::ends_within(&mut turn, trial.opening.timeouts.turn)
        .await
        .is_none()
    {
        // The next turn is to be another one.
        let _ = tried.agent.cancel(&tried.session).await;
    }
    match steered {
        Ok(outcome) if outcome == "injected" => Finding::Seen(Steering::Injected),
        Ok(outcome) => Finding::Seen(Steering::Other(outcome)),
        Err(why) => Finding::NotMeasured(why.to_string()),
    }
}
