//! Closes a team at the end of a command.

use teammate::Team;

use crate::screen::print_warning;

/// Closes it, and says what the user should know of the end.
pub(in crate::commands) async fn close(team: Team) {
    for line in team.close().await {
        print_warning(&line);
    }
}
