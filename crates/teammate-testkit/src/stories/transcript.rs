//! The story of a transcript: one owner, nothing forgotten.

use teammate_core::{
    port::{OpenTranscript, ReadMark, Tail, TranscriptError, TranscriptStore},
    transcript::Entry,
};

use super::{CrashingWorld, World, every_entry, largest, name};

fn said(text: &str) -> Entry {
    Entry::Prompted(text.to_owned())
}

/// Opens bob's transcript, of which nothing may be missing.
async fn opened(transcripts: &dyn TranscriptStore, world: &str) -> OpenTranscript {
    let open = transcripts.open(&name("bob")).await.unwrap();
    assert_eq!(open.repairs, [""; 0], "{world}");
    assert_eq!((open.gaps.len(), open.tail), (0, Tail::Proven), "{world}");
    open
}

/// Looked at and opened again, entries are what they were, byte for byte.
pub async fn every_entry_reads_back_as_it_was(world: &dyn World) {
    let (world, process) = (world.name(), world.process().await);
    let (transcripts, bob) = (&*process.transcripts, name("bob"));
    assert_eq!(transcripts.peek(&bob).await.unwrap(), [], "{world}");
    let mut open = opened(transcripts, world).await;
    assert_eq!(open.entries, [], "{world}");
    for entry in every_entry() {
        open.log.append(&entry).await.unwrap();
    }
    let found = transcripts.peek(&bob).await.unwrap();
    assert_eq!(found, every_entry(), "{world}");
    drop(open);
    let open = opened(transcripts, world).await;
    assert_eq!(open.entries, every_entry(), "{world}");
}

/// Attachments are as durable as the mail that they are on.
pub async fn a_transcript_gives_attachments_back(world: &dyn World) {
    let (world, process) = (world.name(), world.process().await);
    let heard = || Entry::Heard(vec![largest("m1")]);
    let mut open = opened(&*process.transcripts, world).await;
    open.log.append(&heard()).await.unwrap();
    drop(open);
    let open = opened(&*process.transcripts, world).await;
    assert!(open.entries == [heard()], "{world}");
}

/// Others read along at once, and a successor continues.
pub async fn others_read_along_and_a_successor_goes_on(world: &dyn World) {
    let (name_of_world, bob) = (world.name(), name("bob"));
    let (owner, other) = (world.process().await, world.process().await);
    let mut open = opened(&*owner.transcripts, name_of_world).await;
    let mut all = Vec::new();
    for entry in ["one", "two"].map(said) {
        open.log.append(&entry).await.unwrap();
        all.push(entry);
        let seen = other.transcripts.peek(&bob).await.unwrap();
        assert_eq!(seen, all, "{name_of_world}");
    }
    let carols = other.transcripts.peek(&name("carol")).await.unwrap();
    assert_eq!(carols, [], "{name_of_world}");
    drop((open, owner));

    let mut open = opened(&*other.transcripts, name_of_world).await;
    assert_eq!(open.entries, all, "{name_of_world}");
    open.log.append(&said("three")).await.unwrap();
    all.push(said("three"));
    drop((open, other));
    let last = world.process().await;
    let seen = opened(&*last.transcripts, name_of_world).await.entries;
    assert_eq!(seen, all, "{name_of_world}");
}

/// Who follows a transcript reads what is new, also over the end of its owner, and misses nothing and hears nothing twice.
pub async fn a_reader_goes_on_where_it_has_stopped(world: &dyn World) {
    let (name_of_world, bob) = (world.name(), name("bob"));
    let (owner, reader) = (world.process().await, world.process().await);
    let transcripts = &*reader.transcripts;
    let mark = ReadMark::default();
    let (seen, mark) = transcripts.peek_from(&bob, mark).await.unwrap();
    assert_eq!(seen, [], "{name_of_world}");

    let mut open = opened(&*owner.transcripts, name_of_world).await;
    let (seen, mut mark) = transcripts.peek_from(&bob, mark).await.unwrap();
    assert_eq!(seen, [], "{name_of_world}");
    let mut all = Vec::new();
    for news in [&["one"][..], &[], &["two", "three"]] {
        for entry in news.iter().map(|text| said(text)) {
            open.log.append(&entry).await.unwrap();
            all.push(entry);
        }
        let (seen, now) = transcripts.peek_from(&bob, mark).await.unwrap();
        let texts: Vec<Entry> = news.iter().map(|text| said(text)).collect();
        assert_eq!(seen, texts, "{name_of_world}");
        assert_eq!(now.entries, all.len() as u64, "{name_of_world}");
        mark = now;
    }
    drop((open, owner));
    let next = world.process().await;
    let mut open = opened(&*next.transcripts, name_of_world).await;
    open.log.append(&said("four")).await.unwrap();
    let (seen, mark) = transcripts.peek_from(&bob, mark).await.unwrap();
    assert_eq!(seen, [said("four")], "{name_of_world}");

    // A mark that fits no line of the store is one of its entries.
    let strange = ReadMark {
        entries: 2,
        place: Some((1, "1".repeat(32))),
    };
    let (seen, again) = transcripts.peek_from(&bob, strange).await.unwrap();
    assert_eq!(seen, ["three", "four"].map(said), "{name_of_world}");
    assert_eq!(again, mark, "{name_of_world}");
    let carols = transcripts.peek_from(&name("carol"), mark).await.unwrap();
    assert_eq!(carols.0, [], "{name_of_world}");
}

/// A second owner is refused, or else the first can append no more: never do both.
pub async fn of_two_owners_only_one_appends(world: &dyn World) {
    let (name_of_world, bob) = (world.name(), name("bob"));
    let (one, two) = (world.process().await, world.process().await);
    let mut first = opened(&*one.transcripts, name_of_world).await;
    first.log.append(&said("first")).await.unwrap();
    let mut all = vec![said("first")];
    match two.transcripts.open(&bob).await {
        Err(TranscriptError::Owned { owner, by }) => {
            assert_eq!(owner, bob, "{name_of_world}");
            assert_ne!(by, "", "{name_of_world}");
            first.log.append(&said("still the first")).await.unwrap();
            all.push(said("still the first"));
        }
        Err(error) => panic!("{name_of_world}: {error}"),
        Ok(mut second) => {
            assert_eq!(second.entries, all, "{name_of_world}");
            second.log.append(&said("second")).await.unwrap();
            all.push(said("second"));
            let late = first.log.append(&said("too late")).await;
            assert!(late.is_err(), "{name_of_world}: two owners");
        }
    }
    drop(first);
    let seen = two.transcripts.peek(&bob).await.unwrap();
    assert_eq!(seen, all, "{name_of_world}");
}

/// Entries that were acknowledged are there after a power cut, and the transcript goes on.
pub async fn what_was_appended_survives_a_crash(world: &dyn CrashingWorld) {
    let mut all = Vec::new();
    for seed in 0..8 {
        let process = world.process().await;
        let told = format!("{}, crash {seed}", world.name());
        let mut open = opened(&*process.transcripts, &told).await;
        assert_eq!(open.entries, all, "{told}");
        for entry in ["a", "b"].map(|text| said(&format!("{text}{seed}"))) {
            open.log.append(&entry).await.unwrap();
            all.push(entry);
        }
        world.crash(seed).await;
    }
    let last = world.process().await;
    let open = opened(&*last.transcripts, world.name()).await;
    assert_eq!(open.entries, all, "{}", world.name());
}
