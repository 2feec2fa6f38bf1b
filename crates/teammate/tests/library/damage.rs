//! Damaged transcripts: whatever happened to a file, both wires accept the next request that is made of it.
//!
//! Conversations are had by the real loop, with everything that can be in one, and kept in real transcripts. Their files
//! are damaged at random and opened again, and the loop goes on. `TEAMMATE_DAMAGES` is how often (300 if it is not set),
//! `TEAMMATE_SEED` the first seed; what fails names its seed.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod chance;
mod harm;
mod life;
mod talk;
mod wires;

use std::sync::Arc;

use teammate_core::{
    MemberName,
    port::{Disk as _, TranscriptStore as _},
    transcript::Entry,
};
use teammate_store::{
    disk::RealDisk,
    files::{FileTranscripts, Heads, TeamDir},
    seal::{HmacSeal, KEY_BYTES},
};
use teammate_testkit::sim::SimDisk;

use crate::damage::{chance::Chance, life::Life};

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// A transcript store on a disk of its own, and the place of the lead's transcript.
struct Place {
    disk: Arc<SimDisk>,
    dir: TeamDir,
}

impl Place {
    fn new() -> Self {
        let disk = Arc::new(SimDisk::new());
        let dir = TeamDir::create(&*disk, "/team").unwrap();
        Self { disk, dir }
    }

    fn store(&self, heads: &Arc<Heads>) -> FileTranscripts {
        let seal = Arc::new(HmacSeal::new(&[7; KEY_BYTES]));
        FileTranscripts::new(self.disk.clone(), self.dir.clone(), seal, heads.clone())
    }

    async fn life(&self, heads: &Arc<Heads>, chance: Chance) -> Life {
        let opened = self.store(heads).open(&MemberName::lead()).await.unwrap();
        Life::of(opened, chance)
    }

    /// The transcript of these entries.
    async fn write(&self, entries: &[Entry], heads: &Arc<Heads>) -> Vec<u8> {
        let mut opened = self.store(heads).open(&MemberName::lead()).await.unwrap();
        for entry in entries {
            opened.log.append(entry).await.unwrap();
        }
        self.disk
            .read(&self.dir.transcript(&MemberName::lead()))
            .unwrap()
    }
}

/// Damages a transcript of these entries, opens it, lets the loop go on, and opens it again.
async fn survive(entries: &[Entry], seed: u64) {
    let chance = Chance::new(seed);
    let heads = Arc::<Heads>::default();
    let sound = Place::new().write(entries, &heads).await;
    let (damaged, what) = harm::harmed(&sound, &chance);
    let told = format!("seed {seed}: {what}");
    let place = Place::new();
    let lead = MemberName::lead();
    let path = place.dir.transcript(&lead);
    place.disk.create_dir_all(path.parent().unwrap()).unwrap();
    place.disk.write(&path, &damaged).unwrap();
    // Half of them by a program that remembers where the transcript ended.
    let heads = match chance.below(2) {
        0 => Arc::default(),
        _ => heads,
    };
    let mut life = place.life(&heads, chance.clone()).await;
    life.goes_on(&told).await;
    let before = life.sent();
    drop(life);
    // Opened again, it is mended in the same way.
    let again = place.life(&heads, chance).await;
    assert_eq!(again.sent(), before, "{told}: mended in another way");
}

// slow: 300 damaged transcripts
#[tokio::test]
async fn no_damage_of_a_transcript_makes_a_server_refuse_the_next_request() {
    let count = variable("TEAMMATE_DAMAGES").unwrap_or(300);
    let first = variable("TEAMMATE_SEED").unwrap_or(1);
    println!("{count} damages from seed {first}");
    let mut talks = fixtures();
    for seed in 0..12 {
        talks.push(talk::talk(seed).await);
    }
    for seed in first..first + count {
        let at = usize::try_from(seed).unwrap() % talks.len();
        survive(&talks[at], seed).await;
    }
}

// slow: many transcripts
#[tokio::test]
async fn a_sound_transcript_is_opened_as_it_was_left() {
    for (at, entries) in fixtures().into_iter().enumerate() {
        assert_sound(entries, &format!("fixture {at}"));
    }
    for seed in 0..40 {
        assert_sound(talk::talk(seed).await, &format!("talk {seed}"));
    }
}

/// The fold with mending is the same as the plain one.
fn assert_sound(entries: Vec<Entry>, told: &str) {
    use teammate_core::transcript::Conversation;
    let mut plain = Conversation::default();
    for entry in &entries {
        plain.push(entry);
    }
    let (mended, what) = Conversation::found(entries, &[]);
    assert!(what.is_nothing(), "{told}: {what}");
    assert_eq!(
        life::blocks(mended.messages()),
        life::blocks(plain.messages()),
        "{told}"
    );
    assert_eq!(mended.resume_point(), plain.resume_point(), "{told}");
    assert_eq!(mended.length(), plain.length(), "{told}");
}

/// Conversations in directories of earlier versions.
fn fixtures() -> Vec<Vec<Entry>> {
    let teams = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/teams");
    let mut found = Vec::new();
    for team in std::fs::read_dir(teams).unwrap() {
        let agents = team.unwrap().path().join("work/dot-team/agents");
        let Ok(agents) = std::fs::read_dir(agents) else {
            continue;
        };
        for agent in agents {
            let path = agent.unwrap().path().join("transcript.jsonl");
            let read = FileTranscripts::read_unproven(&RealDisk, &path).unwrap();
            found.push((path, read.entries));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    assert!(found.len() > 10, "{}", found.len());
    found.into_iter().map(|(_, entries)| entries).collect()
}
