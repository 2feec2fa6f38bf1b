//! Wishes about the team's goal: it is set, and given up.

use teammate_core::{
    MemberName,
    cause::Cause,
    port::{Ids as _, Refusal},
    team::{
        Command, GOAL_TRIES, Goal, GoalCommand, GoalEnd, GoalRefusal, NewGoal, TeamRefusal,
        TeamState,
    },
};
use teammate_store::clock::UuidV7Ids;

use super::{Say, UserVerb};
use crate::{Team, TeamClient, TeamError};

/// Sets what the team goes on for until a check passes, and says it to the lead. Done: the goal.
#[derive(Debug, Clone)]
pub struct SetGoal {
    /// The goal, in the user's words.
    pub text: String,
    /// A shell command that exits 0 when it is reached. The program runs it in the sandbox, whenever the team rests.
    pub check: String,
    /// After so many failed runs of the check the goal ends; `None` means the usual number.
    pub tries_max: Option<u32>,
}

/// Gives up the goal that is open or was not reached. Done: the goal, as it was.
#[derive(Debug, Clone, Copy)]
pub struct EndGoal;

impl SetGoal {
    /// The words for the lead: the goal, and how it is known to be reached.
    pub fn words(&self) -> String {
        format!(
            "{}\n\nYou are done when this command exits 0: {}\nThe program runs it whenever the team rests, and tells you how it \
             ended. Until then go on.",
            self.text.trim(),
            self.check.trim()
        )
    }

    /// Sets it without a word to the lead, who has heard [`words`](Self::words) as its job.
    ///
    /// Errors: the team works for another goal, or this one is none.
    pub async fn set_for(&self, team: &Team) -> Result<(), TeamError> {
        team.host.decide_as_user(self.command()).await?;
        Ok(())
    }

    fn command(&self) -> Command {
        Command::Goal(GoalCommand::Set(NewGoal {
            call: Cause::user(UuidV7Ids.new_id()),
            text: self.text.clone(),
            check: self.check.clone(),
            tries_max: self.tries_max.unwrap_or(GOAL_TRIES),
        }))
    }
}

impl UserVerb for SetGoal {
    type Done = Goal;

    async fn here(self, team: &Team) -> Result<Goal, TeamError> {
        let set = self.command();
        require(&team.host.team(), &set)?;
        // Before the goal is set: a team that rests would have its check run before the lead knows of it.
        let words = Say::to(MemberName::lead().as_str(), self.words());
        words.here(team).await?;
        team.host.decide_as_user(set).await?;
        last(&team.host.team())
    }

    async fn there(self, client: &mut TeamClient) -> Result<Goal, TeamError> {
        let set = self.command();
        require(client.team(), &set)?;
        let words = Say::to(MemberName::lead().as_str(), self.words());
        words.there(client).await?;
        client.decide(&set).await?;
        last(client.team())
    }
}

impl UserVerb for EndGoal {
    type Done = Goal;

    async fn here(self, team: &Team) -> Result<Goal, TeamError> {
        let goal = open(&team.host.team())?;
        team.host.decide_as_user(drop_of(&goal)).await?;
        Ok(goal)
    }

    async fn there(self, client: &mut TeamClient) -> Result<Goal, TeamError> {
        let goal = open(client.team())?;
        client.decide(&drop_of(&goal)).await?;
        Ok(goal)
    }
}

/// Errors: the team's rules would refuse it.
fn require(team: &TeamState, set: &Command) -> Result<(), TeamError> {
    let refused = |why: TeamRefusal| Refusal::Rule(why.to_string());
    team.decide(set).map_err(refused)?;
    Ok(())
}

fn drop_of(goal: &Goal) -> Command {
    Command::Goal(GoalCommand::End {
        goal: goal.id,
        end: GoalEnd::Dropped,
    })
}

fn open(team: &TeamState) -> Result<Goal, TeamError> {
    let none = || Refusal::Rule(GoalRefusal::None.to_string());
    Ok(team.goals().to_give_up().cloned().ok_or_else(none)?)
}

fn last(team: &TeamState) -> Result<Goal, TeamError> {
    let gone = || Refusal::Broken("the goal is not in the journal".to_owned());
    Ok(team.goals().last().cloned().ok_or_else(gone)?)
}
