//! Budgets and cost: a team stops at a limit, says so, goes on with more, and every token is counted once, also if the
//! host is killed.

use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};
use teammate_core::transcript::Entry;

use crate::{
    play::{Scene as _, bash, calls, play, say, send, spawn},
    world::{World, until},
};

/// A scripted model that costs a dollar for a thousand tokens.
const PRICES: &str = r#"
[prices."scripted:*"]
input = 1000.0
output = 1000
cache_read = "1000"
"#;

/// A world with this configuration.
fn world(play: &Value, config: &str) -> World {
    let world = World::playing(play);
    let path = world.path("../config.toml");
    fs::write(&path, config).unwrap();
    world.env("TEAMMATE_CONFIG", &path.display().to_string())
}

fn steps(count: usize) -> Value {
    let mut lead: Vec<Value> = (1..=count)
        .map(|step| bash(&format!("echo step-{step} >> steps")))
        .collect();
    lead.push(say("All steps are made."));
    play([("lead", lead)])
}

/// What `teammate cost --json` says.
fn cost(world: &World) -> Value {
    serde_json::from_str(&world.teammate(&["cost", "--json"]).ends(0).out).unwrap()
}

/// What a member's transcript holds: requests, and all tokens.
fn held(world: &World, name: &str) -> (u64, u64) {
    let answers = world
        .entries(name)
        .into_iter()
        .filter_map(|entry| match entry {
            Entry::Answered(reply) => Some(reply.usage),
            _ => None,
        });
    answers.fold((0, 0), |(requests, tokens), usage| {
        let all = usage.input + usage.output + usage.cache_read + usage.cache_write;
        (requests + 1, tokens + all)
    })
}

fn counted(cost: &Value, name: &str) -> (u64, u64) {
    let spent = &cost["members"][name];
    let number = |key: &str| spent[key].as_u64().unwrap();
    (
        number("requests"),
        number("tokens_in") + number("tokens_out"),
    )
}

// fast: budgets
#[test]
fn a_team_stops_at_its_budget_and_goes_on_with_more() {
    let world = world(&steps(3), PRICES);
    let job = |money: &str| {
        let job = [
            "run",
            "--permission-mode",
            "bypass",
            "--budget-money",
            money,
            "Go",
        ];
        world.teammate(&job)
    };
    job("0.01")
        .ends(5)
        .complains("the team's budget is spent: ")
        .complains(
            " of 0.0100 USD; to continue, the user can raise it: `teammate resume --budget-money N`",
        );
    // The one request that reached the limit, and what it asked for.
    assert_eq!(held(&world, "lead").0, 1);
    assert_eq!(world.file("steps"), "step-1\n");

    // Without more, nothing is spent, and it says so again.
    let resume = |money: &str| {
        world.teammate(&[
            "resume",
            "--permission-mode",
            "bypass",
            "--budget-money",
            money,
        ])
    };
    resume("0.01")
        .ends(5)
        .complains("the team's budget is spent");
    assert_eq!(held(&world, "lead").0, 1);

    resume("1000")
        .ends(0)
        .says("All steps are made.")
        .complains("cost: ");
    assert_eq!(world.file("steps"), "step-1\nstep-2\nstep-3\n");
    assert_eq!(counted(&cost(&world), "lead"), held(&world, "lead"));
    world.assert_at_rest();
}

#[test]
fn every_kind_of_limit_stops_before_a_request() {
    for flag in [
        "--budget-tokens",
        "--budget-money",
        "--budget-turns",
        "--budget-minutes",
    ] {
        let world = world(&steps(1), PRICES);
        world
            .teammate(&["run", "--permission-mode", "bypass", flag, "0", "Go"])
            .ends(5)
            .complains(&format!("`teammate resume {flag} N`"));
        assert_eq!(held(&world, "lead").0, 0, "{flag}");
    }
}

#[test]
fn a_job_whose_teammate_was_stopped_is_not_done_whatever_the_lead_says() {
    let wait = || calls([("wait_for_team", json!({}))]);
    let world = world(
        &play([
            (
                "lead",
                vec![
                    spawn([("alice", "coder", "Work")]),
                    wait(),
                    send("alice", "Work more"),
                    wait(),
                    say("All is done, I believe."),
                ],
            ),
            ("alice", vec![say("One turn is all I have.").otherwise()]),
        ]),
        "[budget.member]\nturns = 1\n",
    );
    world
        .run("Go")
        .ends(5)
        .says("All is done, I believe.")
        .complains("alice's budget is spent: 1 of 1 turns")
        .complains("a higher `turns` in [budget.member]");
    let told = "alice idle_notification: alice's budget is spent: 1 of 1 turns";
    let heard = world.heard("lead");
    assert!(
        heard.iter().any(|mail| mail.starts_with(told)),
        "{heard:#?}"
    );
}

#[test]
fn money_cannot_be_limited_without_a_price() {
    let world = world(&steps(1), "");
    world
        .teammate(&["run", "--budget-money", "5", "Go"])
        .ends(1)
        .complains("the budget limits money, but there is no price for 'scripted:")
        .complains("[prices.");
    assert!(
        !world.path(".team/journal.jsonl").exists(),
        "nothing was made"
    );
}

#[test]
fn slips_in_prices_are_named() {
    for (config, says) in [
        (
            "[prices.gpt-5]\ninput = 1\noutput = 1\n",
            "'gpt-5' names no model",
        ),
        (
            "[prices.\"a:b\"]\ninput = -1\noutput = 1\n",
            "is not an amount",
        ),
        ("[prices.\"a:b\"]\ninput = 1\n", "output"),
        ("[budget]\ntoken = 1\n", "token"),
    ] {
        let world = world(&steps(1), config);
        world.run("Go").ends(1).complains(says);
    }
}

// fast: the verb cost
#[test]
fn cost_is_told_by_member_with_what_is_not_known() {
    let scenes = play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Work")]),
                say("Done.").after_mail("alice is through"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("alice is through")]),
    ]);
    let priced = world(&scenes, PRICES);
    let run = priced.teammate(&[
        "run",
        "--permission-mode",
        "bypass",
        "--output-format",
        "json",
        "Go",
    ]);
    let result: Value = serde_json::from_str(&run.ends(0).out).unwrap();
    let cost = cost(&priced);
    assert_eq!(result["money"], cost["total"]["money"]);
    let (mut requests, mut tokens) = (0, 0);
    for name in ["lead", "alice"] {
        assert_eq!(counted(&cost, name), held(&priced, name), "{name}");
        requests += held(&priced, name).0;
        tokens += held(&priced, name).1;
    }
    assert_eq!(cost["total"]["requests"], requests);
    let amount = format!("{}.{:03}", tokens / 1000, tokens % 1000);
    let shown = cost["total"]["money"]["amount"].as_str().unwrap();
    assert_eq!(shown.trim_end_matches('0'), amount.trim_end_matches('0'));
    assert_eq!(cost["members"]["alice"]["turns"], 1);

    let text = priced.teammate(&["cost"]).ends(0);
    text.says("alice").says("total").says(" $");
    fs::write(priced.path("../config.toml"), "").unwrap();
    let text = priced.teammate(&["cost"]).ends(0);
    text.says("unknown").says("has no [prices.\"scripted:");
    let unknown = self::cost(&priced);
    assert_eq!(unknown["total"]["money"]["amount"], Value::Null);
    assert_eq!(unknown["total"]["money"]["unpriced_tokens"], json!(tokens));
}

// fast: costs survive kills
#[test]
fn a_kill_in_mid_turn_loses_no_cost_and_doubles_none() {
    let mut lead: Vec<Value> = (1..=13).map(|_| bash("true")).collect();
    lead.push(bash("touch works; sleep 60"));
    lead.push(say("Later."));
    let world = world(&play([("lead", lead)]), PRICES);
    let host = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    until(|| world.path("works").exists(), || host.err());
    // From a second terminal, while it runs.
    assert_eq!(counted(&cost(&world), "lead"), held(&world, "lead"));
    host.signal(Signal::KILL);
    host.end().ends(137);
    assert_eq!(held(&world, "lead").0, 14);
    assert_eq!(counted(&cost(&world), "lead"), held(&world, "lead"));

    world.resume().ends(0).says("Later.");
    let cost = cost(&world);
    assert_eq!(held(&world, "lead").0, 15);
    assert_eq!(counted(&cost, "lead"), held(&world, "lead"));
    assert_eq!(cost["members"]["lead"]["turns"], 1);
    // A whole turn is a handful of records, not one for each request.
    let journal = world.file(".team/journal.jsonl");
    let spent = journal.matches("\"event\":\"spent\"").count();
    assert!((2..=4).contains(&spent), "{journal}");
}

#[test]
fn the_prompt_tells_what_a_session_and_the_whole_life_cost() {
    let world = world(&play([("lead", vec![say("Hello.").otherwise()])]), PRICES);
    world.run("One").ends(0);
    let mut command = world.command(&[]);
    command.stdin(std::process::Stdio::piped());
    let mut talk = world.launch(command);
    let mut stdin = talk.stdin();
    std::io::Write::write_all(&mut stdin, b"Two\n/cost\n").unwrap();
    drop(stdin);
    let talk = talk.end().ends(0);
    let (session, life) = talk.out.split_once("In all runs of the team:").unwrap();
    let requests = |text: &str| {
        let line = text
            .lines()
            .find(|line| line.trim_start().starts_with("total"));
        line.unwrap().split_whitespace().nth(1).unwrap().to_owned()
    };
    assert_eq!(requests(session), "1", "{}", talk.out);
    assert_eq!(requests(life), "2", "{}", talk.out);
}
