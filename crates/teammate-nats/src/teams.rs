//! The teams that a group of servers has: a card each, made once by compare-and-append.

use std::time::Duration;

use async_nats::{
    Client, HeaderMap,
    jetstream::{
        consumer::{
            DeliverPolicy,
            push::{self, Ordered},
        },
        context::{GetStreamError, GetStreamErrorKind},
    },
};
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;
use uuid::Uuid;

use crate::{
    append::{Append, AppendAfter, AppendError},
    code::is_passing,
    engine::{ElectionTimeout, Engine, is_not_there},
    layout::{NatsPlace, Partition, TEAMS, TeamId, card},
    read::{MessageSpan, StoredMessage, StreamReadError, consumer_name},
};

/// The format that this program writes. Older programs refuse a team that needs a newer one.
pub const FORMAT: u32 = 1;

/// The pause before servers that do not answer are asked again.
const AGAIN: Duration = Duration::from_millis(500);

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
    /// How often it was opened again after it had been stopped: workers that have let it go take it up with each.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub openings: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde gives it")]
fn is_zero(openings: &u64) -> bool {
    *openings == 0
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
            openings: 0,
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

/// Cards of teams as they are: first those that there are, then each that is made or changed.
pub struct CardFeed {
    client: Client,
    /// Which teams: a name, or `*`.
    which: String,
    cards: Option<Ordered>,
}

impl CardFeed {
    /// Those of one team, or of all.
    pub fn of(client: Client, which: Option<&TeamId>) -> Self {
        Self {
            client,
            which: which.map_or("*".to_owned(), ToString::to_string),
            cards: None,
        }
    }

    /// The next card, with the team's name, or why it cannot be read. Once the servers answer no more it waits until they do.
    pub async fn next(&mut self) -> (TeamId, Result<Card, TeamsError>) {
        loop {
            match self.try_next().await {
                Some(Some(found)) => return found,
                // No card of ours.
                Some(None) => {}
                None => {
                    self.cards = None;
                    sleep(AGAIN).await;
                }
            }
        }
    }

    /// `None` where no consumer gives more.
    async fn try_next(&mut self) -> Option<Option<(TeamId, Result<Card, TeamsError>)>> {
        let cards = match self.cards.take() {
            Some(cards) => cards,
            None => begin(self.client.clone(), &self.which).await?,
        };
        let message = self.cards.insert(cards).next().await?.ok()?;
        let name = message.subject.rsplit('.').next()?;
        let name = TeamId::parse(name);
        Some(name.map(|name| (name.clone(), read(&name, &message.payload))))
    }
}

async fn begin(client: Client, which: &str) -> Option<Ordered> {
    let config = push::OrderedConfig {
        name: Some(consumer_name()),
        deliver_subject: client.new_inbox(),
        filter_subject: card(which),
        deliver_policy: DeliverPolicy::LastPerSubject,
        ..push::OrderedConfig::default()
    };
    let engine = Engine::new(client);
    let consumer = engine.jet.create_consumer_on_stream(config, TEAMS).await;
    consumer.ok()?.messages().await.ok()
}

/// Whether the streams of teams were made.
///
/// Errors: the servers do not say, for longer than an election takes.
pub async fn are_made(client: &Client) -> Result<bool, TeamsError> {
    let (engine, election) = (Engine::new(client.clone()), ElectionTimeout::begin());
    loop {
        match engine.jet.get_stream(TEAMS).await {
            Ok(_) => return Ok(true),
            Err(error) if is_not_there(&error) => return Ok(false),
            Err(error) if may_pass(&error) && !election.is_over() => ElectionTimeout::pause().await,
            Err(error) => return Err(TeamsError::Failed(error.to_string())),
        }
    }
}

fn may_pass(error: &GetStreamError) -> bool {
    match error.kind() {
        GetStreamErrorKind::JetStream(error) => is_passing(&error),
        GetStreamErrorKind::Request => true,
        GetStreamErrorKind::EmptyName | GetStreamErrorKind::InvalidStreamName => false,
    }
}

/// The team's card, if there is such a team.
pub async fn find(client: &Client, name: &TeamId) -> Result<Option<Card>, TeamsError> {
    Ok(last(client, name).await?.map(|(card, _)| card))
}

/// The card, and where in its stream it is.
async fn last(client: &Client, name: &TeamId) -> Result<Option<(Card, u64)>, TeamsError> {
    let engine = Engine::new(client.clone());
    let failed = |error: StreamReadError| TeamsError::Failed(error.to_string());
    let subject = card(&name.to_string());
    let last = engine.last(&subject).await.map_err(failed)?;
    let span = MessageSpan {
        stream: TEAMS.to_owned(),
        subject,
        from: last,
        through: last,
    };
    let found = engine.read(span).await.map_err(failed)?.pop();
    let Some(message) = found else {
        return Ok(None);
    };
    Ok(Some((read(name, &message.body)?, last)))
}

/// Has the team opened again: workers that let it go when it was stopped take it up. Where several ask at once, it is once.
pub async fn open_again(client: &Client, name: &TeamId) -> Result<(), TeamsError> {
    let Some((found, sequence)) = last(client, name).await? else {
        return Err(TeamsError::Failed("its card is gone".to_owned()));
    };
    let opened = Card {
        openings: found.openings + 1,
        ..found
    };
    let append = append_of(name, &opened, AppendAfter::Last(sequence));
    match Engine::new(client.clone()).append(&append).await {
        Ok(_) | Err(AppendError::Conflict { .. }) => Ok(()),
        Err(error) => Err(TeamsError::Failed(error.to_string())),
    }
}

fn append_of(name: &TeamId, new: &Card, after: AppendAfter) -> Append {
    let body = serde_json::to_vec(new).expect("a card of strings and numbers is JSON");
    Append {
        stream: TEAMS.to_owned(),
        subject: card(&name.to_string()),
        id: Uuid::now_v7().to_string(),
        after,
        headers: HeaderMap::new(),
        body: body.into(),
    }
}

/// All teams that there are, by name, each with its card or why that cannot be read.
pub async fn all(client: &Client) -> Result<Vec<(TeamId, Result<Card, TeamsError>)>, TeamsError> {
    if !are_made(client).await? {
        return Ok(Vec::new());
    }
    let found = cards(client).await?;
    let mut all: Vec<_> = found
        .iter()
        .filter_map(|message| {
            let name = TeamId::parse(message.subject.rsplit('.').next()?)?;
            let card = read(&name, &message.body);
            Some((name, card))
        })
        .collect();
    all.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(all)
}

/// All cards that there are.
async fn cards(client: &Client) -> Result<Vec<StoredMessage>, TeamsError> {
    let (engine, election) = (Engine::new(client.clone()), ElectionTimeout::begin());
    let last = DeliverPolicy::LastPerSubject;
    loop {
        match engine.present(TEAMS, card("*"), last).await {
            Ok(found) => return Ok(found),
            Err(StreamReadError::Failed(_)) if !election.is_over() => {
                ElectionTimeout::pause().await;
            }
            Err(error) => return Err(TeamsError::Failed(error.to_string())),
        }
    }
}

fn read(name: &TeamId, body: &[u8]) -> Result<Card, TeamsError> {
    let unreadable = |why: String| TeamsError::Unreadable(name.to_string(), why);
    let card: Card = serde_json::from_slice(body).map_err(|why| unreadable(why.to_string()))?;
    if card.format > FORMAT {
        return Err(TeamsError::Newer(name.to_string()));
    }
    if card.place().is_none() {
        return Err(unreadable("its id is none".to_owned()));
    }
    Ok(card)
}

/// Makes a team with this card, unless there is one of the name; returns the one that there is.
pub async fn find_or_make(client: &Client, name: &TeamId, new: Card) -> Result<Card, TeamsError> {
    if let Some(found) = find(client, name).await? {
        return Ok(found);
    }
    let append = append_of(name, &new, AppendAfter::Last(0));
    match Engine::new(client.clone()).append(&append).await {
        Ok(_) => Ok(new),
        Err(AppendError::Conflict { .. }) => find(client, name)
            .await?
            .ok_or_else(|| TeamsError::Failed("its card is gone".to_owned())),
        Err(error) => Err(TeamsError::Failed(error.to_string())),
    }
}
