//! Edits at random, of all three.

use teammate_core::{Message, port::TranscriptStore as _, transcript::Entry};
use teammate_store::wire::{self, chain::Log};

use super::{answered, forged, is_believed, read, record, two_turns, working};
use crate::common::{self, Files, inbox, mail, name, sealed_lines};

/// SplitMix64.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % end as u64).unwrap()
    }

    fn edits(&mut self, lines: &mut Vec<String>, forged: &str) {
        for _ in 0..=self.below(4) {
            if lines.is_empty() {
                return;
            }
            let (at, to) = (self.below(lines.len()), self.below(lines.len()));
            match self.below(7) {
                0 => drop(lines.remove(at)),
                1 => lines.swap(at, to),
                2 => lines.insert(to, lines[at].clone()),
                3 => lines.insert(at, forged.to_owned()),
                4 => {
                    let mut bytes = lines[at].clone().into_bytes();
                    let byte = self.below(bytes.len().max(1));
                    if let Some(byte) = bytes.get_mut(byte) {
                        *byte = b' ' + u8::try_from(self.below(90)).unwrap();
                    }
                    lines[at] = String::from_utf8_lossy(&bytes).into_owned();
                }
                5 => {
                    let half = lines[at].len() / 2;
                    let tail = lines[at].get(half..).unwrap_or_default().to_owned();
                    lines.insert(at + 1, tail);
                }
                // The seal of one line at another.
                _ => {
                    let seal = lines[to]
                        .rfind(",\"seal\"")
                        .map(|at| lines[to][at..].to_owned());
                    if let (Some(seal), Some(end)) = (seal, lines[at].rfind(",\"seal\"")) {
                        lines[at].truncate(end);
                        lines[at] += &seal;
                    }
                }
            }
        }
    }
}

fn seed() -> u64 {
    let seed = std::env::var("TEAMMATE_SEED").ok();
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    seed.and_then(|seed| seed.parse().ok())
        .unwrap_or(u64::from(now.subsec_nanos()))
}

// slow: many random edits
#[tokio::test]
async fn whatever_is_edited_nothing_unsealed_counts() {
    let seed = seed();
    let mut chance = Chance(seed);
    let files = Files::simulated();
    let objects: Vec<String> = (0..8).map(record).collect();
    let journal = sealed_lines(&Log::journal(common::seal()), &objects);
    let mut objects = vec![wire::entry::header(&name("bob"))];
    objects.extend(two_turns().iter().map(wire::entry::to_json));
    let bob = Log::transcript(common::seal(), &name("bob"));
    let transcript = sealed_lines(&bob, &objects);
    let letters: Vec<_> = (0..6)
        .map(|n| mail(&format!("m{n}"), "bob", "hi"))
        .collect();
    let objects: Vec<String> = letters.iter().map(wire::mail::to_json).collect();
    let letters_lines = sealed_lines(&inbox(), &objects);
    drop(files.transcripts().open(&name("bob")).await.unwrap());
    for round in 0..2_000 {
        let told = format!("TEAMMATE_SEED={seed}, round {round}");
        let mut lines = journal.clone();
        chance.edits(&mut lines, &record(3));
        files.replace(&files.dir.journal(), &lines);
        let found = read(&files).await;
        for record in &found.records {
            assert_eq!(record.events, working(record.number), "{told}");
        }
        assert!(
            found.records.is_sorted_by_key(|record| record.number),
            "{told}"
        );
        let is_whole = lines == journal;
        // The end may be missing: that takes a remembered head to see.
        let is_cut = journal.starts_with(&lines);
        assert_eq!(
            found.damaged.is_empty(),
            is_whole || is_cut,
            "{told}: {lines:#?}"
        );

        let mut lines = transcript.clone();
        chance.edits(&mut lines, &wire::entry::to_json(&answered("forged")));
        files.replace(&files.dir.transcript(&name("bob")), &lines);
        let entries = files.transcripts().peek(&name("bob")).await.unwrap();
        let is_ours = |entry: &Entry| two_turns().contains(entry);
        assert!(entries.iter().all(is_ours), "{told}: {entries:?}");

        let mut lines = letters_lines.clone();
        chance.edits(&mut lines, &forged());
        let file = wire::mail::read_all(lines.join("\n").as_bytes(), &name("bob"), "1", &inbox());
        let is_ours = |message: &Message| letters.contains(message) || !is_believed(message);
        assert!(file.messages.iter().all(is_ours), "{told}");
    }
}
