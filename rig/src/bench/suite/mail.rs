//! Mail without models: the real mailboxes and transcripts on the real disk. How long from sending to being heard, and how
//! many messages a second a hundred members can send each other.

use std::{
    collections::HashSet,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use teammate_core::{
    MemberName, Message, MessageId, MessageKind, Sender,
    mail::Metadata,
    port::{Clock as _, Disk, Mailbox as _, Transcript, TranscriptStore as _},
    transcript::Entry,
};
use teammate_store::{
    clock::SystemClock,
    disk::RealDisk,
    files::{FileMailbox, FileTranscripts, TeamDir},
    seal::HmacSeal,
};

use super::{
    Effort, Measured, disk, program,
    row::{Row, Target},
    sample::Sample,
};

type Failure = Box<dyn std::error::Error + Send + Sync>;

pub(super) fn measure(effort: Effort) -> Measured {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let floor = disk::append_and_sync(effort.times(500, 100))?;
    let dir = program::workspace()?;
    let heard = runtime.block_on(one_by_one(dir.path(), effort.times(1_000, 200)))?;
    let heard = Sample::ms(heard);
    let each = effort.times(300, 60);
    let dir = program::workspace()?;
    let took = runtime.block_on(crowd(dir.path(), 100, each))?;
    let rate = (100 * each) as f64 / took.as_secs_f64();
    let raw = 1e3 / floor.median();
    Ok(vec![
        Row::new(
            "mail: send -> in the recipient's transcript, median",
            "ms",
            Target::AtMost(2.0),
            heard.median(),
        )
        .note(format!(
            "{}; one synced append {:.2}",
            heard.spread(),
            floor.median()
        )),
        Row::new(
            "mail: the same, p99",
            "ms",
            Target::AtMost(20.0),
            heard.quantile(0.99),
        ),
        Row::new(
            "mail: 100 members to each other, heard",
            "/s",
            Target::AtLeast(10_000.0),
            rate,
        )
        .note(format!(
            "{:.1} times a loop of synced appends ({raw:.0}/s)",
            rate / raw
        )),
    ])
}

/// A team's post office.
struct Office {
    mailbox: FileMailbox,
    transcripts: FileTranscripts,
}

impl Office {
    fn open(path: &Path) -> std::io::Result<Self> {
        let disk: Arc<dyn Disk> = Arc::new(RealDisk);
        let dir = TeamDir::create(&*disk, path.join(".team"))?;
        let seal = Arc::new(HmacSeal::new(&[7; 32]));
        Ok(Self {
            mailbox: FileMailbox::new(
                disk.clone(),
                dir.clone(),
                Arc::new(SystemClock),
                seal.clone(),
            ),
            transcripts: FileTranscripts::new(disk, dir, seal, Arc::default()),
        })
    }

    /// Hears what there is, as a member does: taken, written into the transcript, settled. Returns the ids.
    async fn hear(
        &self,
        owner: &MemberName,
        log: &mut dyn Transcript,
    ) -> Result<Vec<MessageId>, Failure> {
        let mut ids = Vec::new();
        for claim in self.mailbox.take(owner).await? {
            ids.extend(claim.messages.iter().map(|message| message.id.clone()));
            log.append(&Entry::Heard(claim.messages)).await?;
            self.mailbox.ack(owner, claim.id).await?;
        }
        Ok(ids)
    }
}

fn message(from: &MemberName, to: &MemberName, number: usize) -> Message {
    Message {
        id: MessageId::derived(Default::default(), &format!("{from}/{to}/{number}")),
        kind: MessageKind::Message,
        from: Sender::Member(from.clone()),
        from_incarnation: None,
        to: to.clone(),
        to_incarnation: None,
        content: format!(
            "message {number}: the parser is in src/parse.rs, please have a look at its errors"
        ),
        sent_at: SystemClock.now(),
        wakes: None,
        request_id: None,
        metadata: Metadata::default(),
    }
}

/// One message after the other; the time from sending until the transcript that holds it is synced.
async fn one_by_one(path: &Path, times: usize) -> Result<Vec<Duration>, Failure> {
    let office = Arc::new(Office::open(path)?);
    let (alice, bob) = (MemberName::teammate("alice")?, MemberName::teammate("bob")?);
    let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
    let listener = tokio::spawn({
        let (office, bob) = (office.clone(), bob.clone());
        async move {
            let mut log = office.transcripts.open(&bob).await?.log;
            loop {
                office.mailbox.rang(&bob).await;
                for id in office.hear(&bob, &mut *log).await? {
                    if told.send((id, Instant::now())).is_err() {
                        return Ok::<(), Failure>(());
                    }
                }
            }
        }
    });
    let mut took = Vec::with_capacity(times);
    for number in 0..times {
        let begun = Instant::now();
        office.mailbox.send(message(&alice, &bob, number)).await?;
        let (_, at) = heard.recv().await.ok_or("the listener has ended")?;
        took.push(at.saturating_duration_since(begun));
    }
    listener.abort();
    Ok(took)
}

/// Everybody sends `each` messages to the others, one after the other each, while hearing its own; the time until all
/// are heard.
async fn crowd(path: &Path, members: usize, each: usize) -> Result<Duration, Failure> {
    let office = Arc::new(Office::open(path)?);
    let names: Vec<MemberName> = (0..members)
        .map(|number| MemberName::teammate(&format!("m{number}")))
        .collect::<Result<_, _>>()?;
    let names = Arc::new(names);
    let mut listeners = tokio::task::JoinSet::new();
    let mut senders = tokio::task::JoinSet::new();
    let mut logs = Vec::new();
    for name in names.iter() {
        logs.push(office.transcripts.open(name).await?.log);
    }
    let begun = Instant::now();
    for (at, mut log) in logs.into_iter().enumerate() {
        let (office, names) = (office.clone(), names.clone());
        listeners.spawn(async move {
            let mut ids = HashSet::new();
            while ids.len() < each {
                office.mailbox.rang(&names[at]).await;
                ids.extend(office.hear(&names[at], &mut *log).await?);
            }
            Ok::<(), Failure>(())
        });
    }
    for at in 0..members {
        let (office, names) = (office.clone(), names.clone());
        senders.spawn(async move {
            // Each member gets as many as it sends. A turn's calls run at the same time, so a few are under way at once.
            for first in (0..each).step_by(AT_ONCE) {
                let sends = (first..each.min(first + AT_ONCE)).map(|number| {
                    let to = (at + 1 + number % (names.len() - 1)) % names.len();
                    let (office, message) =
                        (office.clone(), message(&names[at], &names[to], number));
                    tokio::spawn(async move { office.mailbox.send(message).await })
                });
                for send in sends.collect::<Vec<_>>() {
                    send.await??;
                }
            }
            Ok::<(), Failure>(())
        });
    }
    while let Some(sent) = senders.join_next().await {
        sent??;
    }
    while let Some(heard) = listeners.join_next().await {
        heard??;
    }
    Ok(begun.elapsed())
}

/// How many messages of one member are under way at once.
const AT_ONCE: usize = 8;
