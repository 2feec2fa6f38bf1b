//! The rest of a session after the agent was killed, and how an agent ends that is not.

use std::sync::Arc;

use super::{Ending, Finding, Loaded, Trial, Tried, command};
use crate::acp::{agent::AcpAgent, question::QuestionAnswer, trial_client::TrialClient};
use crate::program::ProgramClose;

/// Kills the agent, starts it anew, has it load the session, and ends it.
pub(super) async fn after_kill(
    trial: &Trial,
    tried: Tried,
    oddities: &mut Vec<String>,
) -> (Finding<Loaded>, Finding<Ending>) {
    let Tried {
        agent,
        session,
        client: _,
    } = tried;
    let census = agent.census();
    drop(agent);
    if !is_gone(&*census).await {
        oddities.push("processes of it were left after it was killed".to_owned());
    }
    let client = Arc::new(TrialClient::answering(QuestionAnswer::Refuse));
    let started = AcpAgent::start(&trial.settings, &trial.opening, client.clone()).await;
    let agent = match started {
        Ok(agent) => agent,
        Err(why) => {
            let why = format!("it did not start anew: {why}");
            return (Finding::NotMeasured(why.clone()), Finding::NotMeasured(why));
        }
    };
    let loaded = match (agent.hello().loads, trial.settings.resumes) {
        (false, _) => Finding::Seen(Loaded::NotOffered),
        (true, false) => Finding::NotMeasured("its entry has resume = false".to_owned()),
        (true, true) => Finding::Seen(match agent.load(&session.id, &trial.servers()).await {
            Ok(_) => {
                let heard = client.take();
                Loaded::Loaded {
                    updates: heard.updates,
                    has_prompt: heard.prompts.contains(&command::prompt("touch")),
                }
            }
            Err(why) => Loaded::Failed(why.to_string()),
        }),
    };
    oddities.extend(client.take().oddities);
    let end = match agent.close().await {
        ProgramClose::ByEof(after) => Finding::Seen(Ending::ByEof(after.as_secs_f64())),
        ProgramClose::Asked(after) => Finding::Seen(Ending::Asked(after.as_secs_f64())),
        ProgramClose::Killed => Finding::Seen(Ending::Killed),
        ProgramClose::Before => Finding::NotMeasured("it had ended before".to_owned()),
    };
    (loaded, end)
}

/// Whether nothing runs of it after a moment: the kernel takes some milliseconds.
async fn is_gone(census: &dyn teammate_core::port::Census) -> bool {
    for _ in 0..40 {
        if census.count().is_none_or(|found| found.processes == 0) {
            return true;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    false
}
