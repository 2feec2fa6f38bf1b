//! How much members think: the default of the model, flags, spawns, definitions, and the prompt.

use std::fs;

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, calls, play, say},
    terminal::Terminal,
    wires::Vendor,
    world::World,
};

/// A world whose provider `work` has models that think as these lines say.
fn world(vendor: &Vendor, wire: &str, thinking: &str, more: &str) -> World {
    let world = World::with_model("work:m");
    let home = world.path("../home/.config/teammate");
    fs::create_dir_all(&home).unwrap();
    let url = match wire {
        "anthropic" => vendor.url(),
        _ => format!("{}/v1", vendor.url()),
    };
    let text = format!(
        "{more}\n[providers.work]\nwire = \"{wire}\"\nbase_url = \"{url}\"\n\n[models.\"work:m\"]\nthinking = {thinking}\n"
    );
    fs::write(home.join("config.toml"), text).unwrap();
    world
}

const ADAPTIVE: &str = r#"{ form = "adaptive", levels = { low = "low", high = "high", max = "max" }, default = "high" }"#;
const REASONING: &str =
    r#"{ form = "reasoning-effort", levels = { low = "low", high = "high" }, default = "high" }"#;

/// The efforts of all requests, by who asks.
fn efforts(vendor: &Vendor) -> Vec<(String, String)> {
    let effort = |body: &Value| {
        let effort = match body["output_config"]["effort"].as_str() {
            Some(effort) => Some(effort),
            None => body["reasoning_effort"].as_str(),
        };
        effort.unwrap_or("nothing").to_owned()
    };
    let asker = |body: &Value| {
        let text = body.to_string();
        let (_, name) = text.split_once("You are '").unwrap();
        name.split('\'').next().unwrap().to_owned()
    };
    let bodies = vendor.bodies();
    bodies
        .iter()
        .map(|body| (asker(body), effort(body)))
        .collect()
}

fn team() -> Value {
    play([
        (
            "lead",
            vec![
                calls([
                    (
                        "spawn_teammate",
                        json!({ "name": "alice", "prompt": "Say hi", "effort": "max" }),
                    ),
                    (
                        "spawn_teammate",
                        json!({ "name": "bob", "prompt": "Say hi", "effort": "off" }),
                    ),
                    (
                        "spawn_teammate",
                        json!({ "name": "carol", "prompt": "Say hi" }),
                    ),
                ]),
                say("All said hi.").again(),
            ],
        ),
        ("*", vec![say("hi").again()]),
    ])
}

#[test]
fn each_member_thinks_as_much_as_was_asked_for_it() {
    let vendor = Vendor::playing("127.0.0.1:0", &team());
    let world = world(&vendor, "anthropic", ADAPTIVE, "");
    let run = world.run("Go").ends(0);
    assert!(
        run.err.contains("work:m thinks at effort high"),
        "{}",
        run.err
    );
    vendor.assert_content();
    let mut efforts = efforts(&vendor);
    efforts.sort();
    efforts.dedup();
    let expected = [
        ("alice", "max"),
        ("bob", "nothing"),
        ("carol", "high"),
        ("lead", "high"),
    ];
    assert_eq!(
        efforts,
        expected.map(|(name, effort)| (name.to_owned(), effort.to_owned()))
    );
    // What costs money is said once.
    let run = world.run_anew("Once more").ends(0);
    assert!(!run.err.contains("thinks at effort"), "{}", run.err);
}

#[test]
fn off_asks_for_what_earlier_versions_asked_for() {
    let asked = |arguments: &[&str], more: &str| {
        let vendor = Vendor::answering(|_| teammate_testkit::Answer::text("ok"));
        let world = world(&vendor, "openai", REASONING, more);
        let arguments = [&["run", "Go"][..], arguments].concat();
        let run = world.teammate(&arguments).ends(0);
        vendor.assert_content();
        (vendor.bodies()[0].clone(), run.err)
    };
    let (plain, said) = asked(&["--effort", "off"], "");
    for field in ["reasoning_effort", "reasoning", "thinking"] {
        assert!(plain[field].is_null(), "{plain}");
    }
    assert_eq!(plain["max_tokens"], 16_000);
    assert!(!said.contains("thinks at"), "{said}");
    // The flag wins over the file, and what the file says of a model over what it says of all.
    let (body, _) = asked(&[], "effort = \"low\"");
    assert_eq!(body["reasoning_effort"], "low");
    let (body, _) = asked(&["--effort", "max"], "effort = \"low\"");
    assert_eq!(
        body["reasoning_effort"], "high",
        "the nearest that it takes"
    );
}

#[test]
fn an_agent_definition_says_how_much_its_members_think() {
    let script = play([
        (
            "lead",
            vec![
                calls([(
                    "spawn_teammate",
                    json!({ "name": "rita", "prompt": "Say hi", "agent": "reviewer" }),
                )]),
                say("done").again(),
            ],
        ),
        ("*", vec![say("hi").again()]),
    ]);
    let vendor = Vendor::playing("127.0.0.1:0", &script);
    let world = world(&vendor, "anthropic", ADAPTIVE, "");
    let agents = world.path("../home/.config/teammate/agents");
    fs::create_dir_all(&agents).unwrap();
    let definition = "---\nname: reviewer\ndescription: Reviews\neffort: low\n---\nReview.\n";
    fs::write(agents.join("reviewer.md"), definition).unwrap();
    world.run("Go").ends(0);
    let rita = efforts(&vendor)
        .into_iter()
        .find(|(name, _)| name == "rita");
    assert_eq!(rita.unwrap().1, "low");
}

#[test]
fn a_word_that_is_no_effort_is_refused_before_anything_is_asked() {
    let world = World::playing(&play([("lead", vec![say("hi")])]));
    world
        .teammate(&["run", "--effort", "xhigh", "Go"])
        .ends(2)
        .complains("'xhigh' is no effort; write off, low, medium, high or max");
    let other = world.again().env("TEAMMATE_EFFORT", "much");
    other
        .teammate(&["run", "Go"])
        .complains("'much' is no effort");
}

#[test]
fn model_and_effort_are_chosen_at_the_prompt_and_kept() {
    let vendor = Vendor::answering(|_| teammate_testkit::Answer::text("So it is."));
    let world = world(&vendor, "anthropic", ADAPTIVE, "");
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.until("work:m thinks at effort high");
    terminal.types("/effort max");
    terminal.until("lead: work:m at effort max");
    terminal.types("How is it?");
    terminal.until("So it is.");
    terminal.types("/effort medium");
    terminal.until("work:m at effort low, the nearest to medium that it takes");
    terminal.types("/model work:other");
    terminal
        .until("work:other; the catalogue does not know it, so nothing is asked about thinking");
    terminal.types("/effort much");
    terminal.until("Not changed: 'much' is no effort");
    terminal.types("/model nowhere:m");
    terminal.until("Not changed:");
    terminal.quits();
    // It is kept for the next opening.
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.types("And now?");
    terminal.until("> And now?");
    crate::world::until(|| vendor.bodies().len() == 2, || terminal.shows());
    terminal.quits();
    let asked: Vec<_> = vendor
        .bodies()
        .iter()
        .map(|body| {
            (
                body["model"].clone(),
                body["output_config"]["effort"].clone(),
            )
        })
        .collect();
    assert_eq!(
        asked,
        [(json!("m"), json!("max")), (json!("other"), Value::Null)]
    );
}
