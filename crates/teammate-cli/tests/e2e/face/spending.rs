//! What the cost screen sums is what `teammate cost` says.

use serde_json::{Value, json};

use super::*;
use crate::play::{Scene as _, bash, calls, play, say, spawn};

/// A thousand dollars for a million tokens: no row is less than a cent.
const PRICES: &str = "[prices.\"scripted:*\"]\ninput = 1000\noutput = 1000\ncache_read = 1000\n";

fn priced(world: &World) {
    let place = world.path("../home/.config/teammate");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("config.toml"), PRICES).unwrap();
}

/// The amounts of the rows below a heading, by how they begin.
fn amounts(shown: &str, head: &str) -> Vec<(String, f64)> {
    let rows = shown
        .lines()
        .skip_while(|row| !row.starts_with(head))
        .skip(1);
    let rows = rows.take_while(|row| row.starts_with(' ') && !row.starts_with(" Prices"));
    let row = |row: &str| {
        // Bars for the tokens stand behind the money.
        let row = row.trim_end_matches(|c| matches!(c, '▁'..='█' | ' '));
        let words: Vec<&str> = row.split_whitespace().collect();
        let amount = words.last()?.trim_start_matches('$').parse().ok()?;
        Some((words[0].to_owned(), amount))
    };
    rows.filter_map(row).collect()
}

#[test]
fn spending_by_member_and_by_task_and_without_one_is_what_cost_says() {
    let world = full(&play([
        (
            "lead",
            vec![
                calls([("create_task", json!({ "subject": "Look" }))]).after_mail("Begin"),
                spawn([("alice", "coder", "Take it")]),
                say("Well.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                calls([("claim_task", json!({ "task_id": 1 }))]),
                bash("echo seen"),
                calls([("complete_task", json!({ "task_id": 1, "result": "seen" }))]),
                say("Done.").otherwise(),
            ],
        ),
    ]));
    priced(&world);
    let host = Terminal::sized(&world, SIZE, &["--permission-mode", "bypass"]);
    host.says("Begin");
    host.until("-> lead: Done.");
    host.comes_to_rest();
    host.keys("\u{1b}6");
    host.until("[6 Cost]");
    host.until("no task");
    let shown = host.shows();
    let members = amounts(&shown, " member");
    let tasks = amounts(&shown, "── By task");
    host.leaves_well();

    let told = world.teammate(&["cost", "--json"]).ends(0).out;
    let told: Value = serde_json::from_str(&told).unwrap();
    let amount = |value: &Value| -> f64 {
        let amount = value["money"]["amount"].as_str().unwrap();
        amount.parse().unwrap()
    };
    let total = amount(&told["total"]);
    // The screen rounds.
    let is =
        |shown: f64, told: f64| assert!((shown - told).abs() < 0.02, "{shown} {told}\n{shown}");
    let names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["lead", "alice", "total"], "{shown}");
    for (name, shown) in &members[..2] {
        is(*shown, amount(&told["members"][name]));
    }
    is(members[2].1, total);
    let names: Vec<&str> = tasks.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["#1", "no"], "{shown}");
    is(tasks.iter().map(|(_, amount)| amount).sum(), total);
    assert!(tasks.iter().all(|(_, amount)| *amount > 0.0), "{shown}");
}
