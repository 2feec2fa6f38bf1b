//! Closes a team at the end of a command.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use teammate::Team;
use tokio::time::sleep;

use crate::screen::print_warning;

/// So long a face may take to let the team go.
const LET_GO_WITHIN: Duration = Duration::from_secs(5);

/// So often it is looked whether it has.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Closes it, and says what the user should know of the end.
pub(in crate::commands) async fn close(team: Team) {
    for line in team.close().await {
        print_warning(&line);
    }
}

/// Closes a team that a user interface has had. What a face began ends with it, but what a bug has cut off may end a moment
/// later.
pub(in crate::commands) async fn close_shared(mut team: Arc<Team>) {
    let begun = Instant::now();
    loop {
        team = match Arc::try_unwrap(team) {
            Ok(team) => return close(team).await,
            Err(shared) => shared,
        };
        if begun.elapsed() > LET_GO_WITHIN {
            print_warning(
                "The team was not closed in order, because a part of this program still has it; `teammate resume` continues",
            );
            return;
        }
        sleep(LOOK_EVERY).await;
    }
}
