//! Servers that do not report tokens: budgets hold all the same, and every face says that amounts are estimated.

use serde_json::{Value, json};
use teammate_core::estimate::LEGEND;
use teammate_testkit::Answer;

use crate::{
    wires::{Vendor, WIRES, Wire, configure, world_at},
    world::World,
};

/// What servers report that is no count.
const REPORTS: [&str; 4] = [
    "null",
    "{}",
    r#"{"prompt_tokens":0,"completion_tokens":0}"#,
    r#""""#,
];

/// A call of a command that prints 4 KB, over chat completions, with this usage.
fn call(number: usize, usage: &str) -> Answer {
    let arguments = json!({ "command": "head -c 4000 /dev/zero | tr '\\0' x" }).to_string();
    let call = json!([{ "index": 0, "id": format!("c{number}"), "type": "function",
        "function": { "name": "bash", "arguments": arguments } }]);
    let chunk = json!({ "choices": [{ "index": 0, "delta": { "tool_calls": call }, "finish_reason": "tool_calls" }] });
    let usage = format!("{{\"choices\":[],\"usage\":{usage}}}");
    Answer::stream(format!(
        "data: {chunk}\n\ndata: {usage}\n\ndata: [DONE]\n\n"
    ))
}

/// A lead that works for ever, at a server that reports this.
fn endless(usage: &'static str) -> (Vendor, World) {
    let mut asked = 0;
    let vendor = Vendor::answering(move |_| {
        asked += 1;
        call(asked, usage)
    });
    let world = world_at(Wire::OpenAi, &vendor.url());
    (vendor, world)
}

/// The job ends with a budget, which is of this kind.
fn assert_stops(world: &World, budget: [&str; 2], amount: &str) {
    let job = [
        "run",
        "--permission-mode",
        "bypass",
        budget[0],
        budget[1],
        "Go",
    ];
    let run = world.teammate(&job).ends(5);
    assert!(
        run.err.contains("the team's budget is spent: ~"),
        "{}",
        run.err
    );
    assert!(
        run.err.contains(amount) && run.err.contains(LEGEND),
        "{}",
        run.err
    );
}

fn json_of(world: &World, arguments: &[&str]) -> Value {
    serde_json::from_str(&world.teammate(arguments).ends(0).out).unwrap()
}

// fast: budgets where a server counts nothing
#[test]
fn a_budget_of_tokens_stops_a_run_whatever_the_server_reports() {
    for usage in REPORTS {
        let (vendor, world) = endless(usage);
        assert_stops(&world, ["--budget-tokens", "30000"], " of 30,000 tokens");
        let sent: usize = vendor
            .bodies()
            .iter()
            .map(|body| body.to_string().len())
            .sum();
        assert!((60_000..400_000).contains(&sent), "{usage}: {sent} bytes");
        world.assert_at_rest();
    }
}

#[test]
fn usage_by_other_names_and_with_fractions_is_counted() {
    let (vendor, world) = endless(r#"{"input_tokens":9000.0,"output_tokens":"1000"}"#);
    let job = [
        "run",
        "--permission-mode",
        "bypass",
        "--budget-tokens",
        "30000",
        "Go",
    ];
    world
        .teammate(&job)
        .ends(5)
        .complains("the team's budget is spent: 30,000 of 30,000 tokens;");
    assert_eq!(vendor.bodies().len(), 3);
    let cost = json_of(&world, &["cost", "--json"]);
    assert_eq!(cost["total"]["tokens_estimated"], 0, "{cost}");
}

#[test]
fn a_budget_of_money_stops_too_and_every_face_says_that_it_is_an_estimate() {
    let (_vendor, world) = endless("null");
    configure(
        &world,
        "[prices.\"openai:m\"]\ninput = 1000\noutput = 1000\n",
    );
    assert_stops(&world, ["--budget-money", "20"], " of 20.0000 USD");

    let cost = json_of(&world, &["cost", "--json"]);
    let (total, money) = (&cost["total"], &cost["total"]["money"]);
    let tokens = total["tokens_in"].as_u64().unwrap() + total["tokens_out"].as_u64().unwrap();
    assert!(tokens > 0 && total["tokens_estimated"] == tokens, "{cost}");
    assert_eq!(money["estimated"], true, "{cost}");
    let team = json_of(&world, &["team", "--json"]);
    assert_eq!(team["members"][0]["tokens_estimated"], tokens, "{team}");
    let export = json_of(&world, &["export", "--json"]);
    assert_eq!(
        export["cost"]["total"]["tokens_estimated"], tokens,
        "{export}"
    );

    for face in [&["cost"][..], &["export"], &["share"]] {
        let shown = world.teammate(face).ends(0).out;
        assert!(
            shown.contains(LEGEND) && shown.contains(" ~"),
            "{face:?}: {shown}"
        );
    }
    let answered = world.json_lines(".team/events.jsonl");
    let answered: Vec<_> = answered
        .iter()
        .filter(|event| event["event"] == "answered")
        .collect();
    assert!(!answered.is_empty());
    for event in answered {
        assert!(event["usage"]["estimated"].as_u64() > Some(0), "{event}");
        assert_eq!(event["money"]["estimated"], true, "{event}");
    }
}

#[test]
fn the_same_holds_over_all_wires() {
    for wire in WIRES {
        let vendor = Vendor::answering(|_| Answer::reply(silent()));
        let world = world_at(wire, &vendor.url());
        world.run("Go").ends(0).says("All is well.");
        let cost = json_of(&world, &["cost", "--json"]);
        let total = &cost["total"];
        assert!(
            total["tokens_in"].as_u64() > Some(1_000),
            "{wire:?}: {cost}"
        );
        assert!(
            total["tokens_estimated"].as_u64() > Some(1_000),
            "{wire:?}: {cost}"
        );
    }
}

/// An answer whose server reports zeros.
fn silent() -> teammate_core::model::Reply {
    let text = teammate_core::block::Block::text("All is well.");
    let mut reply = teammate_testkit::reply(vec![text], teammate_core::model::StopReason::EndTurn);
    reply.usage = teammate_core::model::Usage::default();
    reply
}
