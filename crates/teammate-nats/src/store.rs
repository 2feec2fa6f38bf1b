//! One team's store on NATS: the adapters of its ports, over one connection.

use std::sync::Arc;

use async_nats::{Client, jetstream::stream::Config};
use teammate_core::port::{Archive, Journal, Mailbox, Seal, TranscriptStore};
use teammate_wire::chain::Log;
use uuid::Uuid;

use crate::{
    archive::NatsArchive,
    engine::Engine,
    events::TeamEvents,
    fleet::Fleet,
    journal::NatsJournal,
    layout::{NatsPlace, Replicas, streams},
    mail::NatsMail,
    parts::Parts,
    transcript::NatsTranscripts,
};

/// One team's store, as one process sees it.
#[derive(Clone)]
pub struct NatsStore {
    /// The team's journal.
    pub journal: Arc<dyn Journal>,
    /// Everybody's mailbox.
    pub mailbox: Arc<dyn Mailbox>,
    /// Everybody's transcript.
    pub transcripts: Arc<dyn TranscriptStore>,
    /// Where ended groups' members leave what they had.
    pub archive: Arc<dyn Archive>,
    /// What happened, for those who watch.
    pub events: TeamEvents,
    /// The wire between workers.
    pub fleet: Fleet,
}

impl NatsStore {
    /// The store of the team at this place, whose streams [`make`](Self::make) has made. Only lines
    /// with this seal count.
    pub fn at(client: Client, place: NatsPlace, seal: Arc<dyn Seal>) -> Self {
        let engine = Engine::new(client.clone());
        let parts = Parts {
            engine: engine.clone(),
            place: place.clone(),
        };
        let mail = Arc::new(NatsMail::new(parts.clone(), seal.clone()));
        let transcripts = Arc::new(NatsTranscripts {
            parts: parts.clone(),
            seal: seal.clone(),
        });
        let archive = NatsArchive {
            transcripts: transcripts.clone(),
            mail: mail.clone(),
        };
        Self {
            journal: Arc::new(NatsJournal::new(parts, Log::journal(seal), Uuid::now_v7())),
            mailbox: mail,
            transcripts,
            archive: Arc::new(archive),
            events: TeamEvents {
                engine,
                place: place.clone(),
            },
            fleet: Fleet { client, place },
        }
    }

    /// Makes the streams of a partition that are missing. Those that are there are left as they are:
    /// [`conditions`](crate::conditions) says what is wrong with them.
    ///
    /// Errors: which stream could not be made, and why.
    pub async fn make(
        client: &Client,
        place: &NatsPlace,
        replicas: Replicas,
    ) -> Result<(), String> {
        let engine = Engine::new(client.clone());
        for config in streams(place.partition, replicas) {
            make(&engine, config).await?;
        }
        Ok(())
    }
}

async fn make(engine: &Engine, config: Config) -> Result<(), String> {
    let name = config.name.clone();
    let made = engine.jet.get_or_create_stream(config).await;
    made.map(|_| ())
        .map_err(|error| format!("stream {name} cannot be made: {error}"))
}
