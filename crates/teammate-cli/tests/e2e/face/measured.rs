//! What a screen costs: printed, never judged. The figures are in docs/project/faces.md.
//!
//! `cargo build --release -p teammate-cli`, then
//! `TEAMMATE_PROGRAM=$PWD/target/release/teammate cargo test -p teammate-cli --test e2e face::measured -- --ignored --nocapture
//! --test-threads 1`

mod long_log;
mod streaming;

use std::{
    path::PathBuf,
    thread,
    time::{SystemTime, UNIX_EPOCH},
};

use pty_process::blocking::Command;
use serde_json::Value;

use self::streaming::talkers;
use super::{attached::until_attached, *};
use crate::{
    play::{Scene as _, bash, play, say},
    world::{Running, json_lines},
};

/// How many members talk at the same time.
const TALKERS: usize = 10;

/// How long what the host does is looked at.
const LOOK: Duration = Duration::from_secs(6);

/// The program: the one that was built with the tests, unless the environment names an optimised one.
fn program() -> PathBuf {
    let named = std::env::var_os("TEAMMATE_PROGRAM");
    named.map_or_else(|| env!("CARGO_BIN_EXE_teammate").into(), PathBuf::from)
}

fn face(world: &World, arguments: &[&str]) -> Terminal {
    Terminal::running(world, SIZE, Command::new(program()).args(arguments))
}

/// A host without a screen.
fn host(world: &World) -> Running {
    let mut command = std::process::Command::new(program());
    command
        .args(["up", "--permission-mode", "ask"])
        .env_clear()
        .envs(world.variables())
        .current_dir(world.work());
    let host = world.launch(command);
    until(
        || world.teammate(&["team"]).out.contains("running in process"),
        || host.err(),
    );
    host
}

/// A number of /proc/PID/status, in kB.
fn status_kb(pid: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// The processor time that all threads of a process have had.
fn cpu(pid: u32) -> Duration {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let used = |thread: fs::DirEntry| -> Option<u64> {
        let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    let nanos = threads.filter_map(|thread| used(thread.ok()?)).sum();
    Duration::from_nanos(nanos)
}

/// How much of one processor a process uses.
fn percent(pid: u32) -> f64 {
    let (before, begun) = (cpu(pid), Instant::now());
    thread::sleep(LOOK);
    let used = cpu(pid).saturating_sub(before);
    100.0 * used.as_secs_f64() / begun.elapsed().as_secs_f64()
}

fn millis(times: &mut [Duration], percent: usize) -> f64 {
    times.sort();
    times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3
}

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(now.as_millis()).unwrap()
}

#[test]
#[ignore = "a measurement, not a test"]
fn memory_and_first_view_with_100_000_events() {
    let world = full(&play([("lead", vec![say("Well.").otherwise()])]));
    world.run("Begin").ends(0);
    let bytes = long_log::write(&world, 100_000);
    let host = host(&world);
    for (name, arguments, first) in [
        ("full screen", &[][..], "live"),
        ("plain", &["--plain"][..], "Attached to the team"),
    ] {
        let begun = Instant::now();
        let face = face(&world, arguments);
        face.until(first);
        let shown = begun.elapsed();
        thread::sleep(Duration::from_secs(3));
        println!(
            "viewer, {name}, 100,000 events ({} MB): first view {} ms, {:.1} MB, at most {:.1} MB",
            bytes / 1_000_000,
            shown.as_millis(),
            status_kb(face.id(), "VmRSS") as f64 / 1e3,
            status_kb(face.id(), "VmHWM") as f64 / 1e3,
        );
    }
    let kb = status_kb(host.id(), "VmRSS");
    println!("host without a screen: {:.1} MB", kb as f64 / 1e3);
}

#[test]
#[ignore = "a measurement, not a test"]
fn what_viewers_cost_the_host_while_members_talk() {
    let world = talkers(TALKERS);
    let host = host(&world);
    world.teammate(&["send", "lead", "Spawn them"]).ends(0);
    let talking = face(&world, &[]);
    until_attached(&talking);
    talking.until("m9");
    talking.leaves_well();
    let pid = host.id();
    for _ in 0..2 {
        let alone = percent(pid);
        let faces = [&[][..], &[], &["--plain"]].map(|arguments| face(&world, arguments));
        faces
            .iter()
            .for_each(|face| face.until("Attached to the team"));
        thread::sleep(Duration::from_secs(1));
        let watched = percent(pid);
        let face_percent = percent(faces[0].id());
        println!(
            "host while {TALKERS} members talk: {alone:.2} % of a processor, with 3 viewers {watched:.2} %; \
             a viewer itself {face_percent:.2} %"
        );
    }
}

#[test]
#[ignore = "a measurement, not a test"]
fn from_key_to_screen_while_members_talk() {
    let world = talkers(TALKERS);
    let host = face(&world, &[]);
    host.says("Spawn them");
    host.until("m9");
    let guest = face(&world, &[]);
    until_attached(&guest);
    for (name, terminal) in [("host", &host), ("attached", &guest)] {
        for screen in [F1, F2] {
            terminal.keys(screen);
            terminal.until_prompt("lead", "");
            let mut times = keys(terminal);
            println!(
                "key to screen, {name}, {}: median {:.1} ms, p99 {:.1} ms, most {:.1} ms",
                if screen == F1 { "team" } else { "member" },
                millis(&mut times, 50),
                millis(&mut times, 99),
                millis(&mut times, 100),
            );
        }
    }
}

/// From the writing of a key to the moment when the terminal has its letter.
fn keys(terminal: &Terminal) -> Vec<Duration> {
    let mut times = Vec::new();
    for number in 0..300 {
        let column = || terminal.cursor().map(|(_, column)| column);
        let before = column();
        let begun = Instant::now();
        terminal.keys("x");
        while column() == before {
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "{}",
                terminal.shows()
            );
            thread::sleep(Duration::from_micros(100));
        }
        times.push(begun.elapsed());
        // People do not type in step with frames.
        thread::sleep(Duration::from_millis(number * 7 % 50));
        if number % 40 == 39 {
            terminal.keys(CTRL_U);
            terminal.until_prompt("lead", "");
        }
    }
    terminal.keys(CTRL_U);
    times
}

/// When the journal recorded the team's latest question, of so many.
fn asked_at(world: &World, count: usize) -> u64 {
    let mut records = json_lines(&world.file(".team/journal.jsonl"));
    let has = |record: &Value, event: &str| record["events"].to_string().contains(event);
    records.retain(|record| has(record, r#""on":"permission""#));
    assert_eq!(records.len(), count);
    records[count - 1]["at"].as_u64().unwrap()
}

#[test]
#[ignore = "a measurement, not a test"]
fn from_a_question_in_the_journal_to_an_attached_screen() {
    const QUESTIONS: usize = 20;
    let asks = |number: usize| {
        bash(&format!("echo {number} > /dev/null")).after_mail(&format!("Ask {number}."))
    };
    let mut lead: Vec<_> = (0..QUESTIONS).map(asks).collect();
    lead.push(say("Well.").otherwise());
    let world = full(&play([("lead", lead)]));
    let _host = host(&world);
    let guest = face(&world, &[]);
    until_attached(&guest);
    let mut times = Vec::new();
    for number in 0..QUESTIONS {
        let id = format!("req_{:06}", number + 1);
        world
            .teammate(&["send", "lead", &format!("Ask {number}.")])
            .ends(0);
        // The row of what needs the user: the line of the event comes in its own time.
        let row = format!(" 1 {id} ");
        while !guest.shows().contains(&row) {
            thread::sleep(Duration::from_micros(200));
        }
        let seen = now_ms();
        let at = asked_at(&world, number + 1);
        times.push(Duration::from_millis(seen.saturating_sub(at)));
        world.teammate(&["deny", &id]).ends(0);
        guest.until_gone("NEEDS YOU");
    }
    println!(
        "question from record to attached screen: median {:.0} ms, p95 {:.0} ms, most {:.0} ms",
        millis(&mut times, 50),
        millis(&mut times, 95),
        millis(&mut times, 100),
    );
}
