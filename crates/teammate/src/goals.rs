//! Goals: what the team's journal says of what it goes on for until a check passes.

pub use teammate_core::{
    id::GoalId,
    team::{Goal, GoalEnd, GoalRefusal, GoalRun, Goals},
};
