//! One team's store on NATS: the adapters of its ports, over one connection.

use std::sync::Arc;

use async_nats::{
    Client,
    jetstream::{Context, stream::Config},
};
use teammate_core::{
    name::WorkerName,
    port::{
        Archive, Doorbells, EventStore, Governors, Journal, Mailbox, Presence, Seal,
        TranscriptStore,
    },
};
use teammate_wire::chain::Log;

use crate::{
    archive::NatsArchive,
    doorbells::NatsDoorbells,
    engine::{Engine, of_streams},
    events::NatsEvents,
    fleet::NatsFleet,
    governors::NatsGovernors,
    journal::NatsJournal,
    keys::{Creds, Holdings},
    layout::{NatsPlace, Replicas, streams},
    mail::NatsMail,
    objects::Objects,
    parts::Parts,
    presence::NatsPresence,
    proven::ProvenRecords,
    transcript::NatsTranscripts,
    wire::Wire,
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
    /// The events, for those who watch.
    pub events: Arc<dyn EventStore>,
    /// The processes that run the team.
    pub presence: Arc<dyn Presence>,
    /// How this process hears of the others.
    pub doorbells: Arc<dyn Doorbells>,
    /// The wire between workers.
    pub fleet: NatsFleet,
    /// Bundles and long outputs.
    pub objects: Objects,
    /// The wire about model servers between workers.
    pub governors: Arc<dyn Governors>,
}

impl NatsStore {
    /// The store of the team at this place, whose streams [`make`](Self::make) has made. Only lines
    /// with this seal count.
    pub fn at(client: Client, place: NatsPlace, seal: Arc<dyn Seal>) -> Self {
        Self::with(client, place, seal, Arc::default(), here())
    }

    /// The store as a person or worker of a circle sees it: lines count if their writer was allowed to write them. `None` if
    /// the keys of the creds do not fit each other.
    pub fn by(client: Client, place: NatsPlace, creds: &Creds) -> Option<Self> {
        let holdings = Arc::<Holdings>::default();
        let seal = creds.seal(place.team.clone(), holdings.clone())?;
        let own = creds.name.clone();
        Some(Self::with(client, place, Arc::new(seal), holdings, own))
    }

    fn with(
        client: Client,
        place: NatsPlace,
        seal: Arc<dyn Seal>,
        holdings: Arc<Holdings>,
        own: WorkerName,
    ) -> Self {
        let engine = Engine::new(client.clone());
        let parts = Parts {
            engine: engine.clone(),
            place: place.clone(),
        };
        let records = ProvenRecords {
            log: Log::journal(seal.clone()),
            seal: seal.clone(),
            place: place.clone(),
        };
        let journal = Arc::new(NatsJournal::new(parts.clone(), records, holdings));
        let mail = NatsMail::new(parts.clone(), seal.clone(), journal.clone());
        let mail = Arc::new(mail);
        let transcripts = Arc::new(NatsTranscripts {
            parts: parts.clone(),
            seal: seal.clone(),
            journal: journal.clone(),
        });
        let archive = NatsArchive {
            transcripts: transcripts.clone(),
            mail: mail.clone(),
        };
        let wire = Wire {
            client,
            seal: seal.clone(),
        };
        let fleet = NatsFleet {
            wire: wire.clone(),
            place,
        };
        let presence = NatsPresence::new(parts.clone(), fleet.clone(), journal.clone(), own);
        Self {
            journal,
            mailbox: mail,
            transcripts,
            archive: Arc::new(archive),
            objects: Objects::new(parts.clone(), seal.clone()),
            governors: Arc::new(NatsGovernors::new(engine, seal)),
            events: Arc::new(NatsEvents {
                parts: parts.clone(),
                wire,
            }),
            presence: Arc::new(presence),
            doorbells: Arc::new(NatsDoorbells { parts }),
            fleet,
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
        let jet = of_streams(client);
        for config in streams(place.partition, replicas) {
            make(&jet, config).await?;
        }
        Ok(())
    }
}

/// As whom a process asks that has no keys: there are no walls that would look at it.
fn here() -> WorkerName {
    WorkerName::parse("here").expect("a name of letters")
}

async fn make(jet: &Context, config: Config) -> Result<(), String> {
    let name = config.name.clone();
    let made = jet.get_or_create_stream(config).await;
    made.map(|_| ())
        .map_err(|error| format!("stream {name} cannot be made: {error}"))
}
