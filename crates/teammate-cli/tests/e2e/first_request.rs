//! What a lead and a teammate carry before the first word: every request pays for it again.

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, calls, play, say},
    wires::{Vendor, anthropic_at},
};

/// The most bytes of the parts of a first request.
struct Budget {
    tools: usize,
    system: usize,
    opening: usize,
}

const LEAD: Budget = Budget {
    tools: 9_150,
    system: 1_900,
    opening: 150,
};
const TEAMMATE: Budget = Budget {
    tools: 6_250,
    system: 1_150,
    opening: 150,
};

fn first_requests() -> [Value; 2] {
    let spawn = json!({"name": "bob", "role": "engineer", "prompt": "work"});
    let lead = vec![calls([("spawn_teammate", spawn)]), say("Done.").otherwise()];
    let bob = vec![say("Done.").otherwise()];
    let vendor = Vendor::playing("127.0.0.1:0", &play([("lead", lead), ("bob", bob)]));
    let world = anthropic_at(&vendor);
    world.run("go").ends(0);
    vendor.assert_content();
    let bodies = vendor.bodies();
    let is_bob = |body: &Value| body.to_string().contains("You are 'bob'");
    let [of_lead, of_bob] = [false, true].map(|wanted| {
        let found = bodies.iter().find(|body| is_bob(body) == wanted);
        found.unwrap().clone()
    });
    [of_lead, of_bob]
}

/// A list of tools or blocks, or a message.
fn without_markers(mut part: Value) -> Value {
    for item in part.as_array_mut().into_iter().flatten() {
        item.as_object_mut().unwrap().remove("cache_control");
    }
    part
}

#[test]
fn the_first_request_stays_within_its_budget() {
    let requests = first_requests();
    for (who, budget, body) in [
        ("lead", LEAD, &requests[0]),
        ("teammate", TEAMMATE, &requests[1]),
    ] {
        for (part, most) in [
            ("tools", budget.tools),
            ("system", budget.system),
            ("messages", budget.opening),
        ] {
            // Cache markers are no tokens.
            let bytes = without_markers(body[part].clone()).to_string().len();
            assert!(
                bytes <= most,
                "{who}: {part} has {bytes} bytes, at most {most}"
            );
        }
    }
}

#[test]
fn a_lead_and_a_teammate_begin_alike_up_to_a_cache_marker() {
    let requests = first_requests();
    let [of_lead, of_teammate] = requests.each_ref().map(|body| {
        let tools = body["tools"].as_array().unwrap();
        let is_marked = |tool: &Value| tool["cache_control"].is_object();
        let last = tools.iter().rposition(is_marked).unwrap();
        &tools[..=last]
    });
    assert_eq!(of_lead, of_teammate);
    let bytes = of_lead.iter().map(|tool| tool.to_string().len());
    let common: usize = bytes.sum();
    let all = requests[1]["tools"].to_string().len();
    // A teammate's own tools are the rest.
    assert!(common * 10 > all * 8, "{common} of {all} bytes");
    for body in requests {
        assert!(body["system"][0]["cache_control"].is_object());
    }
}
