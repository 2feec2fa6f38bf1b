//! Results by a schema at servers that can hold a model to one, and at one that says it can and cannot.

use std::fs;

use serde_json::{Value, json};
use teammate_testkit::Answer;

use crate::{
    wires::{Vendor, WIRES, Wire, configure},
    world::World,
};

const VERDICT: &str = r#"{"verdict":"good"}"#;

/// A world whose model `work:m` can be held to a schema.
fn world(vendor: &Vendor, wire: Wire) -> World {
    let world = World::with_model("work:m");
    let (wire, url) = match wire {
        Wire::Anthropic => ("anthropic", vendor.url()),
        Wire::OpenAi => ("chat", format!("{}/v1", vendor.url())),
        Wire::Responses => ("responses", format!("{}/v1", vendor.url())),
    };
    configure(
        &world,
        &format!(
            "[providers.work]\nwire = \"{wire}\"\nbase_url = \"{url}\"\n\n[models.\"work:m\"]\nschema = true\n"
        ),
    );
    world
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": { "verdict": { "enum": ["good", "bad"] } },
        "required": ["verdict"],
        "additionalProperties": false,
    })
}

/// Runs a job whose result fits the schema, and returns what was printed.
fn judged(world: &World) -> String {
    let path = world.path("schema.json");
    fs::write(&path, schema().to_string()).unwrap();
    let path = path.display().to_string();
    let run = world.teammate(&["run", "--output-schema", &path, "Judge it"]);
    run.ends(0).out
}

/// The schema that a request holds the model to.
fn held_to(body: &Value, wire: Wire) -> &Value {
    match wire {
        Wire::Anthropic => &body["output_config"]["format"]["schema"],
        Wire::OpenAi => &body["response_format"]["json_schema"]["schema"],
        Wire::Responses => &body["text"]["format"]["schema"],
    }
}

#[test]
fn a_server_that_can_holds_the_model_to_the_schema() {
    for wire in WIRES {
        let vendor = Vendor::answering(|_| Answer::text(VERDICT));
        assert_eq!(judged(&world(&vendor, wire)).trim(), VERDICT, "{wire:?}");
        let bodies = vendor.bodies();
        assert_eq!(*held_to(&bodies[0], wire), schema(), "{wire:?}");
        vendor.assert_content();
    }
}

#[test]
fn a_schema_that_the_server_refuses_is_checked_here() {
    for wire in WIRES {
        let vendor = Vendor::answering(move |seen| {
            let body = seen.json();
            match (
                held_to(&body, wire).is_null(),
                body.to_string().contains("does not fit"),
            ) {
                (false, _) => Answer::error(
                    400,
                    "invalid_request_error",
                    "output_config.format / response_format / text.format: this schema is not supported",
                ),
                (true, false) => Answer::text("It is good."),
                (true, true) => Answer::text(VERDICT),
            }
        });
        assert_eq!(judged(&world(&vendor, wire)).trim(), VERDICT, "{wire:?}");
        let bodies = vendor.bodies();
        let holds: Vec<bool> = bodies
            .iter()
            .map(|body| !held_to(body, wire).is_null())
            .collect();
        // Once with it, again without; then the result was repaired.
        assert_eq!(holds, [true, false, false], "{wire:?}");
    }
}
