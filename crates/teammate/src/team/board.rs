//! The task board of a running team.

use teammate_core::{board::Board, port::TaskSummary};

use super::Team;

impl Team {
    /// The task board as it is now.
    pub fn board(&self) -> Board {
        self.host.team().board().clone()
    }

    /// All tasks that are not deleted, by id, each with its status text.
    pub fn tasks(&self) -> Vec<TaskSummary> {
        self.host.team().task_summaries()
    }
}
