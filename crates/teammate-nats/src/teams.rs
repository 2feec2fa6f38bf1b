//! The teams that a group of servers has: a card each, made once by compare-and-append.

use async_nats::{Client, HeaderMap};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    append::{After, Append, AppendError},
    engine::Engine,
    layout::{NatsPlace, Partition, TEAMS, TeamId, card},
    read::{ReadError, Span},
};

/// What this program writes. Older programs refuse a team that needs a newer one.
pub const FORMAT: u32 = 1;

/// A team's card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// Its id, by which its subjects are named.
    pub id: String,
    /// Which streams they are in.
    pub partition: u16,
    /// The oldest program that reads it.
    pub format: u32,
    /// Where its work is fetched from, if anywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
}

/// Why a team cannot be found or made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TeamsError {
    /// A newer program has made it.
    #[error("team '{0}' is of a newer program; install the version that the other workers run")]
    Newer(String),
    /// Its card is none.
    #[error("the card of team '{0}' cannot be read ({1}); look who else writes to TM_TEAMS")]
    Unreadable(String, String),
    /// No server answers.
    #[error("the teams cannot be read now ({0}); try again")]
    Failed(String),
}

impl Card {
    /// A new team's. Its id is its name, which keys are made for before there is the team.
    pub fn new(name: &TeamId, repository: Option<String>) -> Self {
        Self {
            id: name.to_string(),
            partition: Partition::FIRST.0,
            format: FORMAT,
            repository,
        }
    }

    /// Where the team is; `None` if its id is none.
    pub fn place(&self) -> Option<NatsPlace> {
        Some(NatsPlace {
            partition: Partition(self.partition),
            team: TeamId::parse(&self.id)?,
        })
    }
}

/// The team's card, if there is such a team.
pub async fn find(client: &Client, name: &TeamId) -> Result<Option<Card>, TeamsError> {
    let engine = Engine::new(client.clone());
    let failed = |error: ReadError| TeamsError::Failed(error.to_string());
    let subject = card(&name.to_string());
    let last = engine.last(&subject).await.map_err(failed)?;
    let span = Span {
        stream: TEAMS.to_owned(),
        subject,
        from: last,
        through: last,
    };
    let found = engine.read(span).await.map_err(failed)?.pop();
    let Some(message) = found else {
        return Ok(None);
    };
    let unreadable = |why: String| TeamsError::Unreadable(name.to_string(), why);
    let card: Card =
        serde_json::from_slice(&message.body).map_err(|why| unreadable(why.to_string()))?;
    if card.format > FORMAT {
        return Err(TeamsError::Newer(name.to_string()));
    }
    if card.place().is_none() {
        return Err(unreadable("its id is none".to_owned()));
    }
    Ok(Some(card))
}

/// Makes a team with this card, unless there is one of the name; returns the one that there is.
pub async fn find_or_make(client: &Client, name: &TeamId, new: Card) -> Result<Card, TeamsError> {
    if let Some(found) = find(client, name).await? {
        return Ok(found);
    }
    let body = serde_json::to_vec(&new).expect("a card of strings and numbers is JSON");
    let append = Append {
        stream: TEAMS.to_owned(),
        subject: card(&name.to_string()),
        id: Uuid::now_v7().to_string(),
        after: After::Last(0),
        headers: HeaderMap::new(),
        body: body.into(),
    };
    match Engine::new(client.clone()).append(&append).await {
        Ok(_) => Ok(new),
        Err(AppendError::Conflict { .. }) => find(client, name)
            .await?
            .ok_or_else(|| TeamsError::Failed("its card is gone".to_owned())),
        Err(error) => Err(TeamsError::Failed(error.to_string())),
    }
}
