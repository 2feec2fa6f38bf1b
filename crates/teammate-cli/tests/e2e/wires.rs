//! The same play over all wires against a strict server, and servers that behave badly.

use std::{
    net::TcpListener,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use rustix::process::Signal;
use serde_json::{Value, json};
use teammate_core::{
    block::Block,
    model::{CALLS_MAX, StopReason},
    port::Model,
    tool::{CallId, ToolCall, ToolInput},
};
use teammate_models::Scripted;
use teammate_testkit::{Answer, RecordedRequest, Server, reply};
use tokio::runtime::Runtime;

use crate::{
    play::{Scene as _, bash, calls, play, say, send, spawn},
    world::World,
};

/// A server of a vendor, and what runs it.
pub(crate) struct Vendor {
    pub(crate) server: Server,
    // Let go last.
    _runtime: Runtime,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    Anthropic,
    OpenAi,
    Responses,
}

pub(crate) const WIRES: [Wire; 3] = [Wire::Anthropic, Wire::OpenAi, Wire::Responses];

impl Vendor {
    fn run(start: impl Future<Output = std::io::Result<Server>>) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let server = runtime.block_on(start).unwrap();
        Self {
            server,
            _runtime: runtime,
        }
    }

    /// Answers from a closure.
    pub(crate) fn answering(
        answers: impl FnMut(&RecordedRequest) -> Answer + Send + 'static,
    ) -> Self {
        Self::run(Server::start(answers))
    }

    pub(crate) fn playing(address: &str, play: &Value) -> Self {
        let model: Arc<dyn Model> = Arc::new(Scripted::read("play", &play.to_string()).unwrap());
        Self::run(Server::with_model(address, model, true))
    }

    /// These, and from then on good answers.
    fn bad_at_first(bad: Vec<Answer>) -> Self {
        let asked = AtomicUsize::new(0);
        Self::answering(move |_| {
            let at = asked.fetch_add(1, Ordering::Relaxed);
            bad.get(at)
                .cloned()
                .unwrap_or_else(|| Answer::text("All is well."))
        })
    }

    /// Every request's body, in the order in which they came.
    pub(crate) fn bodies(&self) -> Vec<Value> {
        self.server
            .seen()
            .iter()
            .map(RecordedRequest::json)
            .collect()
    }

    /// Where it is.
    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// No request was refused for what it said.
    pub(crate) fn assert_content(&self) {
        let refused: Vec<_> = self
            .server
            .seen()
            .into_iter()
            .filter_map(|seen| seen.problem)
            .collect();
        assert!(refused.is_empty(), "{refused:?}");
    }
}

/// A world whose vendor is at this address.
pub(crate) fn world_at(wire: Wire, url: &str) -> World {
    match wire {
        Wire::Anthropic => World::with_model("anthropic:m")
            .env("ANTHROPIC_API_KEY", "key")
            .env("ANTHROPIC_BASE_URL", url),
        Wire::OpenAi => World::with_model("openai:m")
            .env("OPENAI_API_KEY", "key")
            .env("OPENAI_BASE_URL", &format!("{url}/v1")),
        Wire::Responses => {
            let world = World::with_model("responses:m").env("RESPONSES_KEY", "key");
            configure(
                &world,
                &format!(
                    "[providers.responses]\nwire = \"responses\"\nbase_url = \"{url}/v1\"\nkey_env = \"RESPONSES_KEY\"\n"
                ),
            );
            world
        }
    }
}

/// Writes the user's configuration.
pub(crate) fn configure(world: &World, text: &str) {
    let home = world.path("../home/.config/teammate");
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(home.join("config.toml"), text).unwrap();
}

pub(crate) fn anthropic_at(vendor: &Vendor) -> World {
    world_at(Wire::Anthropic, &vendor.server.url())
}

fn team_work() -> Value {
    play([
        (
            "lead",
            vec![
                spawn([
                    ("alice", "coder", "Write it"),
                    ("bob", "tester", "Test it when alice says so"),
                ]),
                say("The report: {{mail}}").after_mail("it prints"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                calls([
                    (
                        "write_file",
                        json!({ "path": "a.sh", "content": "echo 'ä \\ \" $HOME'\n" }),
                    ),
                    ("list_teammates", json!({})),
                    ("read_file", json!({ "path": "a.sh" })),
                ]),
                send("bob", "a.sh is ready"),
                say("written"),
            ],
        ),
        (
            "bob",
            vec![
                bash("sh a.sh").after("a.sh is ready"),
                say("it prints: {{last_result}}").after("exit status"),
                say("not yet").otherwise(),
            ],
        ),
    ])
}

// fast: the wires
#[test]
fn a_team_works_the_same_on_all_wires() {
    for wire in WIRES {
        let vendor = Vendor::playing("127.0.0.1:0", &team_work());
        let world = world_at(wire, &vendor.server.url());
        world
            .run("Go")
            .ends(0)
            .says("The report: it prints: ä \\ \" $HOME");
        assert_eq!(world.file("a.sh"), "echo 'ä \\ \" $HOME'\n");
        let heard = world.heard("bob");
        assert!(
            heard.contains(&"alice message: a.sh is ready".to_owned()),
            "{heard:?}"
        );
        world.assert_at_rest();
        vendor.assert_content();
    }
}

/// A lead and two teammates, each at a server of its own on another wire.
#[test]
fn a_mixed_team_works_over_all_three_wires() {
    let mut script = team_work();
    let given = |name: &str, role: &str, prompt: &str, model: &str| {
        let input = json!({ "name": name, "role": role, "prompt": prompt, "model": model });
        ("spawn_teammate", input)
    };
    script["members"]["lead"][0] = calls([
        given("alice", "coder", "Write it", "chat:m"),
        given("bob", "tester", "Test it when alice says so", "responses:m"),
    ]);
    let [first, second, third] = WIRES.map(|_| Vendor::playing("127.0.0.1:0", &script));
    let world = World::with_model("messages:m");
    configure(
        &world,
        &format!(
            "[providers.messages]\nwire = \"anthropic\"\nbase_url = \"{}\"\n\n\
             [providers.chat]\nwire = \"chat\"\nbase_url = \"{}/v1\"\n\n\
             [providers.responses]\nwire = \"responses\"\nbase_url = \"{}/v1\"\n",
            first.url(),
            second.url(),
            third.url()
        ),
    );
    world
        .run("Go")
        .ends(0)
        .says("The report: it prints: ä \\ \" $HOME");
    for (vendor, path) in [
        (&first, "/v1/messages"),
        (&second, "/v1/chat/completions"),
        (&third, "/v1/responses"),
    ] {
        vendor.assert_content();
        let seen = vendor.server.seen();
        assert!(
            seen.len() > 1 && seen.iter().all(|seen| seen.path == path),
            "{path}"
        );
    }
    world.assert_at_rest();
}

/// The whole conversation goes along when its member changes from one wire to the next, and nobody reads what it cannot.
#[test]
fn a_conversation_moves_from_wire_to_wire() {
    let thought = r#"{"type":"thinking","thinking":"Secretly so.","signature":"c2lnbmVk"}"#;
    let thought = Block::from_json(thought.to_owned()).unwrap();
    let answer = move |text: &str| {
        let blocks = vec![thought.clone(), Block::text(text)];
        Answer::reply(reply(blocks, StopReason::EndTurn))
    };
    let vendor = Vendor::answering(move |_| answer("So it is."));
    let world = World::with_model("messages:m");
    let url = vendor.url();
    configure(
        &world,
        &format!(
            "[providers.messages]\nwire = \"anthropic\"\nbase_url = \"{url}\"\n\n\
             [providers.chat]\nwire = \"chat\"\nbase_url = \"{url}/v1\"\n\n\
             [providers.responses]\nwire = \"responses\"\nbase_url = \"{url}/v1\"\n",
        ),
    );
    let models = [
        "messages:m",
        "chat:m",
        "responses:m",
        "messages:m",
        "responses:m",
    ];
    for (at, model) in models.into_iter().enumerate() {
        let job = format!("Question {at}");
        let run = ["run", "--continue", "--model", model, &job];
        world.teammate(&run).ends(0).says("So it is.");
    }
    vendor.assert_content();
    let bodies: Vec<String> = vendor.bodies().iter().map(Value::to_string).collect();
    for (at, body) in bodies.iter().enumerate() {
        assert_eq!(body.matches("So it is.").count(), at, "{body}");
    }
    // Reasoning is read by its own wire alone, and again when the member comes back to it.
    let signed: Vec<bool> = bodies
        .iter()
        .map(|body| body.contains("c2lnbmVk"))
        .collect();
    assert_eq!(signed, [false, false, false, true, false]);
    let encrypted: Vec<bool> = bodies.iter().map(|body| body.contains("enc-12")).collect();
    assert_eq!(encrypted, [false, false, false, false, true]);
}

#[test]
fn what_passes_is_tried_again() {
    let passing = [
        (
            "busy",
            Answer::error(429, "rate_limit_error", "slow down").header("retry-after", "0"),
        ),
        (
            "overloaded",
            Answer::error(529, "overloaded_error", "Overloaded"),
        ),
        ("page", Answer::html(502, "Bad Gateway")),
        (
            "half",
            Answer::text("a half answer that nobody may believe").cut_at(300),
        ),
        (
            "short",
            Answer::text("a half answer that nobody may believe").claim_length_but_end_at(300),
        ),
        ("nothing", Answer::close_without_answer()),
    ];
    for wire in WIRES {
        // All at once, so that their pauses overlap.
        let runs: Vec<_> = passing
            .clone()
            .map(|(name, answer)| {
                let vendor = Vendor::bad_at_first(vec![answer]);
                let world = world_at(wire, &vendor.server.url());
                let run = world.start(&["run", "Go"]);
                (name, vendor, world, run)
            })
            .into();
        for (name, vendor, world, run) in runs {
            let run = run.end().ends(0).says("All is well.").complains("try 2 in");
            assert!(!run.out.ends_with("believe\n"), "{name}: {}", run.out);
            assert_eq!(world.heard("lead"), ["user message: Go"]);
            let entries = format!("{:?}", world.entries("lead"));
            assert!(
                !entries.contains("nobody may believe"),
                "{name}: half an answer was kept"
            );
            world.assert_at_rest();
            vendor.assert_content();
        }
    }
}

#[test]
fn what_does_not_pass_says_what_to_do_and_loses_nothing() {
    let cases = [
        (
            Answer::error(401, "authentication_error", "invalid key"),
            ["invalid key", "Check the key in "],
        ),
        (
            Answer::error(404, "not_found_error", "model: m"),
            ["model: m", "Check the model name 'm'"],
        ),
        (
            Answer::html(200, "Welcome to the proxy"),
            ["Welcome to the proxy", "base URL"],
        ),
        (
            Answer::error(429, "insufficient_quota", "You exceeded your current quota"),
            ["current quota", "Check the plan, credit"],
        ),
    ];
    for wire in WIRES {
        for (answer, words) in cases.clone() {
            let vendor = Vendor::bad_at_first(vec![answer]);
            let world = world_at(wire, &vendor.server.url());
            let run = world.run("First").ends(3);
            for word in words {
                assert!(
                    run.err.contains(word),
                    "{wire:?}: '{word}' is not said in\n{}",
                    run.err
                );
            }
            assert!(
                !run.err.contains("try 2"),
                "it was tried again for nothing:\n{}",
                run.err
            );
            // Once it is set right, a word goes on, and the first is not forgotten.
            world.run("Second").ends(0).says("All is well.");
            assert_eq!(
                world.heard("lead"),
                ["user message: First", "user message: Second"]
            );
            let last = vendor.server.seen().pop().unwrap();
            assert!(
                last.body.contains("First") && last.body.contains("Second"),
                "{}",
                last.body
            );
            world.assert_at_rest();
            vendor.assert_content();
        }
    }
}

#[test]
fn a_failing_teammate_is_told_to_the_lead_over_the_wire() {
    for wire in WIRES {
        let play = play([
            (
                "lead",
                vec![
                    spawn([("alice", "coder", "Work")]),
                    say("Seen: {{mail}}").after_mail("failed:"),
                    say("I wait.").otherwise(),
                ],
            ),
            (
                "alice",
                vec![
                    json!({ "fail": { "what": "no such deployment", "remedy": "never", "times": 99 } }),
                ],
            ),
        ]);
        let vendor = Vendor::playing("127.0.0.1:0", &play);
        let world = world_at(wire, &vendor.server.url());
        world
            .run("Go")
            .ends(7)
            .says("Seen: failed: ")
            .complains("[alice] failed: ");
        world.assert_at_rest();
    }
}

#[test]
fn a_server_that_is_not_there_yet_is_waited_for() {
    // A port that is free for now.
    let address = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .to_string();
    let world = world_at(Wire::Anthropic, &format!("http://{address}"));
    let job = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    job.until("try 2 in");
    // Killed in the outage, it goes on in the outage, and ends when the server is back.
    job.signal(Signal::KILL);
    job.end().ends(137);
    let job = world.start(&["resume", "--permission-mode", "bypass"]);
    job.until("try 2 in");
    let vendor = Vendor::playing(&address, &team_work());
    job.end().ends(0).says("The report: it prints: ");
    assert_eq!(world.heard("lead")[0], "user message: Go");
    world.assert_at_rest();
    vendor.assert_content();
}

#[test]
fn patience_can_be_bounded() {
    let world = world_at(Wire::OpenAi, "http://127.0.0.1:9");
    world
        .teammate(&["run", "--retry-minutes", "0.0001", "Go"])
        .ends(3)
        .complains("127.0.0.1:9")
        .complains("gave up after 1 try in 0 s, without one answer from this server")
        .complains("the conversation is kept")
        .complains("wait longer for the server with --retry-minutes N");
    world.assert_at_rest();
}

#[test]
fn a_server_that_says_no_more_can_be_interrupted() {
    for wire in WIRES {
        let vendor = Vendor::bad_at_first(vec![
            Answer::text("half a word and then silence").stalled_at(200),
        ]);
        let world = world_at(wire, &vendor.server.url());
        let job = world.start(&["run", "Go"]);
        crate::world::until(|| vendor.server.totals().requests > 0, || job.err());
        job.signal(Signal::INT);
        job.end()
            .ends(130)
            .complains("interrupted: the team is paused");
        world.assert_at_rest();
        world.run("Again").ends(0).says("All is well.");
        vendor.assert_content();
    }
}

/// A server that asks for too much at once is answered call by call, and neither the screen nor the clock is flooded.
#[test]
fn calls_beyond_the_limit_of_one_answer_are_refused_on_all_wires() {
    const CALLS: usize = 1_000;
    for wire in WIRES {
        let call = |at: usize| {
            Block::tool_use(&ToolCall {
                id: CallId::new(format!("c{at}")),
                name: "bash".into(),
                input: ToolInput::from_json(format!(r#"{{"command":"echo {at} >> ran"}}"#)),
            })
        };
        let blocks: Vec<Block> = (0..CALLS).map(call).collect();
        let asked = AtomicUsize::new(0);
        let vendor = Vendor::answering(move |_| match asked.fetch_add(1, Ordering::Relaxed) {
            0 => Answer::reply(reply(blocks.clone(), StopReason::ToolUse)),
            _ => Answer::text("Enough."),
        });
        let world = world_at(wire, &vendor.url());
        let run = world.run("Go").ends(0);
        vendor.assert_content();
        assert_eq!(vendor.bodies().len(), 2, "{wire:?}");
        assert_eq!(world.file("ran").lines().count(), CALLS_MAX, "{wire:?}");
        let told: Vec<&str> = run
            .err
            .lines()
            .filter(|line| line.contains("refused"))
            .collect();
        let all =
            "one answer asked for 1000 tool calls; the first 128 run, the other 872 are refused";
        assert!(
            told.len() == 1 && told[0].contains(all),
            "{wire:?}: {told:#?}"
        );
        assert!(
            run.err.lines().count() < CALLS_MAX + 20,
            "{wire:?}: {}",
            run.err
        );
        let outcomes = world.outcomes("lead");
        assert_eq!(outcomes.len(), CALLS, "{wire:?}");
        let refused = |outcome: &&String| outcome.starts_with("Not run: ");
        assert_eq!(
            outcomes.iter().filter(refused).count(),
            CALLS - CALLS_MAX,
            "{wire:?}"
        );
    }
}
