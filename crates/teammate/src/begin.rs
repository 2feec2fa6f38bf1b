//! The first record of a team.

use teammate_core::{
    Incarnation, MemberName,
    fold::Fold,
    port::{Ids as _, Journal},
    team::Command,
    transcript::EndReason,
};
use teammate_store::clock::{SystemClock, UuidV7Ids};

use crate::TeamError;

/// Writes the first record of a team, with these members besides the lead, unless the journal has one: the team is there, or not at
/// all.
pub(crate) async fn begin(
    journal: &dyn Journal,
    name: &str,
    adopt: Vec<Command>,
) -> Result<(), TeamError> {
    let failed = |error: &dyn std::fmt::Display| TeamError::Storage(error.to_string());
    let (mut fold, _) = Fold::open(journal).await.map_err(|error| failed(&error))?;
    if fold.length() > 0 {
        return Ok(());
    }
    let create = Command::Create {
        id: UuidV7Ids.new_id(),
        name: name.to_owned(),
    };
    // Nobody is in a turn.
    let rest = Command::EndTurn {
        member: MemberName::lead(),
        incarnation: Incarnation::FIRST,
        why: EndReason::Done,
        turn: None,
        result: String::new(),
    };
    let commands: Vec<Command> = [create, rest].into_iter().chain(adopt).collect();
    let commit = fold.commit(journal, &SystemClock, &commands).await;
    let results = commit.results.map_err(|error| failed(&error))?;
    for result in results {
        // Another process has begun it meanwhile.
        if fold.team().member(&MemberName::lead()).is_none() {
            result.map_err(|refusal| failed(&refusal))?;
        }
    }
    Ok(())
}
