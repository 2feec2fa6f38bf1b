//! The layout: the names of streams and subjects, and the settings with which streams are made.
//!
//! A team is a few subjects, not a stream: a stream costs a Raft group where there are three nodes.

use std::{fmt, time::Duration};

use async_nats::jetstream::stream::{Config, DiscardPolicy, StorageType};
use serde::{Deserialize, Serialize};
use teammate_core::{MemberName, name::WorkerName, port::PROBE_CLAIMED};

/// How long a server remembers the ids of messages.
pub const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);

/// How many messages wait for one member at most. Senders count: the server keeps those that are settled, too.
pub const MAIL_MESSAGES_MAX: u64 = 1_024;

/// How long events can be looked at.
const EVENTS_KEPT: Duration = Duration::from_secs(7 * 24 * 3_600);

/// How much room the events of all teams of a partition take.
const EVENTS_BYTES_MAX: i64 = 1 << 30;

/// The number by which servers mean no limit.
const NO_LIMIT: i64 = -1;

/// The most bytes of one message, its headers among them.
const MESSAGE_BYTES_MAX: i32 = 1 << 20;

/// The stream of probes, of which each server away has one at most.
pub(crate) const PROBES: &str = "TM_PROBES";

/// The stream with a card of each team: the bucket `TM_TEAMS`, as key-value clients name it.
pub(crate) const TEAMS: &str = "KV_TM_TEAMS";

/// The most bytes of a team's id.
const ID_BYTES_MAX: usize = 64;

/// A team's id on the servers: 1-64 characters of `a-z`, `0-9`, `-` and `_`, so each team's name is one. It is one token of a
/// subject.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TeamId(String);

impl TeamId {
    /// Reads an id; `None` if it is not of that form.
    pub fn parse(text: &str) -> Option<Self> {
        let is_token = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_')
        };
        let is_id = (1..=ID_BYTES_MAX).contains(&text.len()) && text.bytes().all(is_token);
        is_id.then(|| Self(text.to_owned()))
    }
}

impl From<TeamId> for String {
    fn from(id: TeamId) -> Self {
        id.0
    }
}

impl TryFrom<String> for TeamId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("a team's id is 1-64 characters of a-z, 0-9, '-' and '_'")
    }
}

impl fmt::Display for TeamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The streams that a team's subjects are in, fixed when the team is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Partition(pub u16);

impl Partition {
    /// The only one to begin with.
    pub const FIRST: Self = Self(0);

    /// The stream of journals, transcripts and large parts.
    pub fn log(self) -> String {
        format!("TM_LOG_{}", self.0)
    }

    /// The stream of mail.
    pub fn mail(self) -> String {
        format!("TM_MAIL_{}", self.0)
    }

    /// The stream of objects.
    pub fn objects(self) -> String {
        format!("TM_OBJ_{}", self.0)
    }

    /// The stream of events.
    pub fn events(self) -> String {
        format!("TM_EVENT_{}", self.0)
    }
}

/// Where one team is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NatsPlace {
    /// Its streams.
    pub partition: Partition,
    /// Its subjects in them.
    pub team: TeamId,
}

impl NatsPlace {
    /// The journal.
    pub fn journal(&self) -> String {
        self.of("j")
    }

    /// A member's transcript.
    pub fn transcript(&self, member: &MemberName) -> String {
        self.of(&format!("t.{member}"))
    }

    /// A part that is too large for the message it belongs to, by the hex digits of its SHA-256.
    pub fn part(&self, digest: &str) -> String {
        self.of(&format!("x.{digest}"))
    }

    /// A member's mail.
    pub fn mail(&self, member: &MemberName) -> String {
        self.of(&format!("m.{member}"))
    }

    /// How far a member's mail is settled.
    pub fn settled(&self, member: &MemberName) -> String {
        self.of(&format!("s.{member}"))
    }

    /// Everybody's mail.
    pub fn all_mail(&self) -> String {
        self.of("m.*")
    }

    /// The events of one member.
    pub fn events(&self, member: &MemberName) -> String {
        self.of(&format!("e.{member}"))
    }

    /// The events of all.
    pub fn all_events(&self) -> String {
        self.of("e.*")
    }

    /// The list of the team's objects.
    pub fn objects(&self) -> String {
        self.of("i")
    }

    /// A piece of an object.
    pub fn piece(&self, upload: &str, number: usize) -> String {
        self.of(&format!("o.{upload}.{number}"))
    }

    /// Where one worker asks another. Not stored. The server lets nobody ask in another's name.
    pub fn question(&self, of: &WorkerName, by: &WorkerName) -> String {
        self.of(&format!("cmd.{of}.{by}"))
    }

    /// Where a worker is asked by all others.
    pub fn questions(&self, of: &WorkerName) -> String {
        self.of(&format!("cmd.{of}.*"))
    }

    /// Where those are asked who run the team, one process alone or workers. No worker can have the name.
    pub(crate) fn host_question(&self, by: &WorkerName) -> String {
        self.of(&format!("cmd.HOST.{by}"))
    }

    /// Where nobody is asked: no worker can have the name.
    pub(crate) fn nobodys_question(&self, by: &WorkerName) -> String {
        self.of(&format!("cmd.NOBODY.{by}"))
    }

    /// Where those hear it who run the team.
    pub(crate) fn host_questions(&self) -> String {
        self.of("cmd.HOST.*")
    }

    /// The subject of the last claim to run the team, alone or as a worker. It lies among the transcripts, where workers
    /// write, too.
    pub(crate) fn claim(&self) -> String {
        self.of("t.HOST")
    }

    /// Where all members' answers are streamed.
    pub(crate) fn all_text(&self) -> String {
        self.of("text.*")
    }

    /// Where a member's answer is streamed while it is written. Not stored.
    pub fn text(&self, member: &MemberName) -> String {
        self.of(&format!("text.{member}"))
    }

    fn of(&self, rest: &str) -> String {
        format!("tm.{}.{}.{rest}", self.partition.0, self.team)
    }
}

/// On how many servers a stream is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replicas {
    /// On one, to try it out: what that server's disk loses is lost.
    One,
    Three,
}

impl Replicas {
    /// The number.
    pub fn count(self) -> usize {
        match self {
            Self::One => 1,
            Self::Three => 3,
        }
    }
}

/// The streams of a partition and that of all teams, with their settings.
///
/// Where workers write, nothing takes away what is there. Roll-ups above all: a worker that may write one subject of a stream that
/// allows them empties the whole stream with one message, mail of other teams included.
///
/// Nothing is compressed: nats-server 2.15.1 cannot read its own S2 blocks after some kills, and then says that there is nothing.
pub fn streams(partition: Partition, replicas: Replicas) -> [Config; 6] {
    let p = partition.0;
    let subjects = |ends: &[&str]| ends.iter().map(|end| format!("tm.{p}.*.{end}")).collect();
    let durable = Config {
        storage: StorageType::File,
        num_replicas: replicas.count(),
        duplicate_window: DUPLICATE_WINDOW,
        max_messages_per_subject: NO_LIMIT,
        max_message_size: MESSAGE_BYTES_MAX,
        ..Config::default()
    };
    let log = Config {
        name: partition.log(),
        subjects: subjects(&["j", "t.*", "x.*"]),
        deny_delete: true,
        deny_purge: true,
        ..durable.clone()
    };
    let mail = Config {
        name: partition.mail(),
        subjects: subjects(&["m.*", "s.*"]),
        deny_delete: true,
        ..durable.clone()
    };
    let events = Config {
        name: partition.events(),
        subjects: subjects(&["e.*"]),
        num_replicas: 1,
        max_age: EVENTS_KEPT,
        max_bytes: EVENTS_BYTES_MAX,
        discard: DiscardPolicy::Old,
        ..durable.clone()
    };
    let objects = Config {
        name: partition.objects(),
        subjects: subjects(&["i", "o.*.*"]),
        deny_delete: true,
        // What replaces a message frees its room.
        max_messages_per_subject: 1,
        discard: DiscardPolicy::Old,
        ..durable.clone()
    };
    let probes = Config {
        name: PROBES.to_owned(),
        subjects: vec![probe("*")],
        storage: StorageType::Memory,
        num_replicas: 1,
        max_messages_per_subject: 1,
        max_age: PROBE_CLAIMED,
        duplicate_window: PROBE_CLAIMED,
        ..durable.clone()
    };
    let teams = Config {
        name: TEAMS.to_owned(),
        subjects: vec![format!("{}>", card(""))],
        deny_delete: true,
        allow_rollup: true,
        allow_direct: true,
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        ..durable
    };
    [log, mail, events, objects, probes, teams]
}

/// Whether this is a subject, which names its team itself, and no name of a log.
pub fn is_subject(log: &str) -> bool {
    log.starts_with("tm.")
}

/// The subject of a team's card, by the team's key.
pub(crate) fn card(key: &str) -> String {
    format!("$KV.TM_TEAMS.{key}")
}

/// The subject of the probe of one server of models.
pub(crate) fn probe(key: &str) -> String {
    format!("tm.probe.{key}")
}
