//! A user types at the prompt at bad moments: half words, Ctrl-C anywhere, answers to questions that
//! are not open. Whatever is typed, the program leaves on request, gives the terminal back, loses and
//! doubles no message, leaves no process behind, and the team continues.
//!
//! `TEAMMATE_SEED=7` is the first seed, `TEAMMATE_TYPING=100` plays so many.

#![expect(clippy::print_stdout, reason = "what fails shows what was typed")]

mod fingers;

use std::{
    fs::{metadata, read_to_string},
    os::unix::process::ExitStatusExt as _,
};

use rustix::process::Signal;
use serde_json::Value;
use teammate_core::{MemberName, transcript::Entry};

use self::fingers::{Fingers, Said};
use crate::{
    crash::Chance,
    play::{Scene as _, bash, play, say, send, spawn},
    protocols::runs,
    terminal::Terminal,
    world::{World, files, json_lines, until},
};

/// How often the program is opened and left with one seed.
const SESSIONS: u64 = 2;

#[test]
fn whatever_is_typed_at_whatever_moment_nothing_is_lost_and_nothing_stays_behind() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let first = number("TEAMMATE_SEED").unwrap_or(0);
    for seed in first..first + number("TEAMMATE_TYPING").unwrap_or(2) {
        println!("TEAMMATE_SEED={seed}");
        survives(seed);
    }
}

/// A lead and two members with slow models and slow commands, all of which ask the user. `mark` is in every command line.
fn busy_team(mark: &str) -> World {
    let slow = |name: &str, step: u64| {
        let command = format!("sleep 0.{}{mark}; echo {name}-{step} >> ran", step % 4);
        bash(&command).slowly(step * 40 % 300)
    };
    let member = |name: &str| {
        let mut scenes: Vec<_> = (1..=4).map(|step| slow(name, step)).collect();
        scenes.insert(2, send("lead", &format!("{name} is half through")));
        scenes.push(say("I hear you.").otherwise().slowly(150));
        scenes
    };
    let mut lead = vec![spawn([
        ("alice", "coder", "Begin"),
        ("bob", "tester", "Begin"),
    ])];
    lead.extend((1..=6).flat_map(|step| [slow("lead", step), say("A line.\nAnother line.")]));
    lead.push(say("I wait.").otherwise().slowly(100));
    World::playing(&play([
        ("lead", lead),
        ("alice", member("alice")),
        ("bob", member("bob")),
    ]))
}

fn survives(seed: u64) {
    // A fraction of a second that no other command has.
    let mark = format!("0{}0{seed}", std::process::id());
    let world = busy_team(&mark);
    let mut chance = Chance(seed);
    let mut said = Vec::new();
    for session in 0..SESSIONS {
        println!("--- session {session}");
        let mut terminal = Terminal::open(&world, 100, &[]);
        let prefix = format!("word-{seed}-{session}");
        let mut fingers = Fingers::new(&mut terminal, &mut chance, prefix);
        if session + 1 == SESSIONS {
            fingers.waits_for_prompt();
        }
        fingers.type_wildly();
        fingers.leave();
        let (more, is_early) = fingers.done();
        said.extend(more);
        has_left(&mut terminal, is_early);
        // There is no team yet if the first Ctrl-C came before it was made.
        if metadata(world.path(".team/journal.jsonl")).is_ok_and(|data| data.len() > 0) {
            is_whole(&world);
        }
        until(|| !runs(&mark), || "a command runs on".into());
    }
    comes_to_rest(&world);
    is_whole(&world);
    is_heard_once(&world, &said);
    assert!(!runs(&mark), "a command runs on");
}

/// It ends as documented, in bounded time, and gives the terminal back.
fn has_left(terminal: &mut Terminal, is_early: bool) {
    let status = terminal.leaves();
    // Before it handles Ctrl-C, that ends it as it ends any program.
    let is_killed = is_early && status.signal() == Some(Signal::INT.as_raw());
    let shows = terminal.shows();
    assert!(status.code() == Some(0) || is_killed, "{status}\n{shows}");
    assert!(terminal.is_restored(), "{shows}");
    let printed = terminal.printed();
    assert!(!printed.contains("panicked"), "{printed}");
}

/// Every line that was written is whole, and those who look at the team are shown it.
fn is_whole(world: &World) {
    for path in files(&world.path(".team")) {
        let end = path.extension().and_then(|end| end.to_str());
        if !matches!(end, Some("json" | "jsonl")) {
            continue;
        }
        let text = read_to_string(&path).unwrap();
        if end == Some("jsonl") {
            let is_whole = text.is_empty() || text.ends_with('\n');
            assert!(is_whole, "{}", path.display());
            json_lines(&text);
        } else {
            serde_json::from_str::<Value>(&text).unwrap();
        }
    }
    for command in ["team", "log", "doctor"] {
        let run = world.teammate(&[command]);
        assert_eq!(run.code, 0, "{command}: {}{}", run.out, run.err);
    }
}

fn comes_to_rest(world: &World) {
    let run = world.resume();
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    world.assert_at_rest();
}

/// What the program took is heard; nothing is heard twice.
fn is_heard_once(world: &World, said: &[Said]) {
    let heard: Vec<(String, String)> = world
        .entries(MemberName::lead().as_str())
        .into_iter()
        .filter_map(|entry| match entry {
            Entry::Heard(mail) => Some(mail),
            _ => None,
        })
        .flatten()
        .map(|mail| (mail.id.to_string(), mail.content))
        .collect();
    let mut ids: Vec<_> = heard.iter().map(|(id, _)| id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), heard.len(), "{heard:#?}");
    for Said { word, is_taken } in said {
        let count = heard.iter().filter(|(_, text)| text.contains(word)).count();
        let fits = if *is_taken { count == 1 } else { count <= 1 };
        assert!(
            fits,
            "'{word}' (taken: {is_taken}) is heard {count} times: {heard:#?}"
        );
    }
}
