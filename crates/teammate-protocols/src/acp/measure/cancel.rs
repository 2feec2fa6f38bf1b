//! Whether a cancelled turn ends, and what it had running.

use std::time::Instant;

use tokio::time::sleep;

use super::{Cancelled, Finding, Trial, Tried, command};

/// Cancels a turn while its command runs.
pub(super) async fn cancel(trial: &Trial, tried: &Tried) -> Finding<Cancelled> {
    let (line, mark) = command::endless();
    let mut turn = match command::running(trial, tried, &line, &mark).await {
        Ok(turn) => turn,
        Err(finding) => return finding,
    };
    let begun = Instant::now();
    if let Err(why) = tried.agent.cancel(&tried.session).await {
        return Finding::NotMeasured(why.to_string());
    }
    let timeouts = trial.opening.timeouts;
    let ended = command::ends_within(&mut turn, timeouts.cancel).await;
    let took = begun.elapsed().as_secs_f64();
    sleep(timeouts.rest).await;
    match tried.agent.census().running(&mark) {
        Some(left_running) => Finding::Seen(Cancelled {
            answered_after_seconds: ended.map(|_| took),
            left_running,
        }),
        None => Finding::NotMeasured("processes cannot be looked at here".to_owned()),
    }
}
