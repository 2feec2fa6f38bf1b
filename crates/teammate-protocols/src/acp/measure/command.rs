//! A turn that is to run a shell command, and what is done while the command runs.

use std::{pin::Pin, time::Duration};

use tokio::time::{sleep, timeout};

use super::{Finding, Trial, Tried};
use crate::acp::{failure::AgentFailure, session::AgentTurn};

/// How often it is looked whether the command runs. Nobody else waits meanwhile.
const LOOK: Duration = Duration::from_millis(50);

type Ends<'a> = Pin<Box<dyn Future<Output = Result<AgentTurn, AgentFailure>> + Send + 'a>>;

/// Asks for a command.
pub(super) fn prompt(command: &str) -> String {
    format!(
        "Run exactly this shell command and no other, in the foreground, then say done: {command}"
    )
}

/// A command that does nothing for ever, and the text by which its processes are found. No `sleep`: some agents refuse that.
pub(super) fn endless() -> (String, String) {
    let mark = format!("no-file-{}", std::process::id());
    (format!("tail -f /dev/null {mark}"), mark)
}

/// Has it run this command. What is returned ends when the turn does; the command runs now.
pub(super) async fn running<'a, T>(
    trial: &Trial,
    tried: &'a Tried,
    command: &str,
    mark: &str,
) -> Result<Ends<'a>, Finding<T>> {
    let not = |why: String| Err(Finding::NotMeasured(why));
    let census = tried.agent.census();
    if census.running(mark).is_none() {
        return not("processes cannot be looked at here".to_owned());
    }
    let (text, limit) = (prompt(command), trial.opening.timeouts.turn);
    let mut turn: Ends<'a> =
        Box::pin(async move { tried.agent.prompt(&tried.session, &text, limit).await });
    let runs = async {
        while census.running(mark).is_none_or(|count| count == 0) {
            sleep(LOOK).await;
        }
    };
    tokio::select! {
        ended = &mut turn => match ended {
            Ok(_) => not("it ran no command".to_owned()),
            Err(why) => not(why.to_string()),
        },
        () = runs => Ok(turn),
    }
}

/// Has it work on a text; `None` if it came to an end, else why not.
pub(super) async fn done(trial: &Trial, tried: &Tried, text: &str) -> Option<String> {
    let limit = trial.opening.timeouts.turn;
    let ended = tried.agent.prompt(&tried.session, text, limit).await;
    match ended {
        Ok(turn) => {
            tried.client.ended(turn.has_tokens);
            None
        }
        Err(why) => {
            // A turn that is left open would answer the next prompt.
            let _ = tried.agent.cancel(&tried.session).await;
            Some(why.to_string())
        }
    }
}

/// Waits for the end of a turn so long.
pub(super) async fn ends_within(turn: &mut Ends<'_>, limit: Duration) -> Option<AgentTurn> {
    timeout(limit, turn).await.ok()?.ok()
}
