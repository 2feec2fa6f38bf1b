//! The fate of a write where the workspace is read-only and every question is answered with yes.

use std::sync::Arc;

use super::{Finding, Gated, Trial, Tried, command};
use crate::acp::{agent::AcpAgent, question::QuestionAnswer, trial_client::TrialClient};

/// The file that is to be written.
const FILE: &str = "gated.txt";

/// Has it write, as far as it tries.
pub(super) async fn write(trial: &Trial) -> Finding<Gated> {
    let client = Arc::new(TrialClient::answering(QuestionAnswer::Allow));
    let started = AcpAgent::start(&trial.settings, &trial.gated(), client.clone()).await;
    let opened = match started {
        Ok(agent) => agent.open(&[]).await.map(|session| Tried {
            agent,
            session,
            client,
        }),
        Err(why) => Err(why),
    };
    let tried = match opened {
        Ok(tried) => tried,
        Err(why) => return Finding::NotMeasured(format!("it does not start so: {why}")),
    };
    // In the mode in which it works: a more careful one would hide the walls. Where it is not taken, the first session said so.
    if let Some(mode) = &trial.settings.mode {
        let _ = tried.put_into(mode).await;
    }
    let text = command::prompt(&format!("touch {FILE}"));
    let failed = command::done(trial, &tried, &text).await;
    let has_tried = !tried.client.take().calls.is_empty();
    let is_written = trial.opening.root.join(FILE).exists();
    tried.agent.close().await;
    match (is_written, has_tried, failed) {
        (true, ..) => Finding::Seen(Gated::Written),
        (false, true, _) => Finding::Seen(Gated::Held),
        (false, false, Some(why)) => Finding::NotMeasured(why),
        (false, false, None) => Finding::NotMeasured("it tried nothing".to_owned()),
    }
}
