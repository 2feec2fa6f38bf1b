//! The peers' job: a lead spawns three teammates, each calls the shell five times and reports; plain, and with tasks on the board
//! and shutdowns. What it takes on each wire without any latency of the model, and how close the time comes to the longest chain
//! of model calls with it.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use teammate_models::Scripted;
use teammate_testkit::{Server, Totals};

use super::{
    Effort, Measured, program,
    program::Cost,
    row::{Row, Target},
};

/// A model call's latency in the second run.
const LATENCY_MS: u64 = 800;

/// The lead's call that spawns, one teammate's six, the lead's last one.
const CHAIN: u64 = 8;

const MODELS: [&str; 3] = ["anthropic:test", "openai:test", "responses:test"];
const WORKERS: [&str; 3] = ["w1", "w2", "w3"];

type Ran = Result<(Totals, Cost), Box<dyn std::error::Error + Send + Sync>>;

/// How the work is given, and heard of.
#[derive(Clone, Copy)]
enum Kind {
    /// The lead waits for the team.
    Waiting,
    /// The lead ends its turn, and hears of the results.
    EndingItsTurn,
    /// A task each; at the end the lead asks all to shut down.
    OnTheBoard,
}

pub(super) fn measure(_: Effort) -> Measured {
    let mut rows = Vec::new();
    for model in MODELS {
        for kind in [Kind::Waiting, Kind::EndingItsTurn, Kind::OnTheBoard] {
            let (totals, cost) = run(model, &kind.play(0))?;
            rows.extend(rows_of(model, kind, &totals, &cost));
        }
    }
    let (_, slow) = run("anthropic:test", &Kind::Waiting.play(LATENCY_MS))?;
    let chain = Duration::from_millis(LATENCY_MS * CHAIN);
    let ratio = slow.wall.as_secs_f64() / chain.as_secs_f64();
    rows.push(
        Row::new(
            "job at 800 ms a call: wall / longest chain (8 calls)",
            "",
            Target::AtMost(1.1),
            ratio,
        )
        .note(format!("{:.2} s", slow.wall.as_secs_f64())),
    );
    Ok(rows)
}

fn rows_of(model: &str, kind: Kind, totals: &Totals, cost: &Cost) -> Vec<Row> {
    let job = format!("job, 3 teammates x 5 shell calls, {}, {model}", kind.name());
    let most = match kind {
        Kind::Waiting | Kind::EndingItsTurn => 22.0,
        Kind::OnTheBoard => 25.0,
    };
    let begins = totals.shared as f64 / totals.bytes as f64;
    vec![
        Row::new(
            &format!("{job}: requests"),
            "",
            Target::AtMost(most),
            totals.requests as f64,
        )
        .note(format!("{} refused by the strict server", totals.refused)),
        Row::new(
            &format!("{job}: bytes sent"),
            "MB",
            Target::AtMost(0.4),
            totals.bytes as f64 / 1e6,
        )
        .note(format!(
            "{begins:.2} of them begin as the request before did"
        )),
        Row::new(
            &format!("{job}: CPU"),
            "s",
            Target::AtMost(0.15),
            cost.cpu.as_secs_f64(),
        ),
        Row::new(
            &format!("{job}: peak memory"),
            "MB",
            Target::AtMost(15.0),
            cost.peak_mb,
        )
        .note(format!("{:.0} ms in all", cost.wall.as_secs_f64() * 1e3)),
    ]
}

fn run(model: &str, play: &Value) -> Ran {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let scripted = Arc::new(Scripted::read("job", &play.to_string())?);
    let server = runtime.block_on(Server::with_model("127.0.0.1:0", scripted, false))?;
    let dir = program::workspace()?;
    let home = dir.path().join(".config/teammate");
    std::fs::create_dir_all(&home)?;
    let responses = format!(
        "[providers.responses]\nwire = \"responses\"\nbase_url = \"{}/v1\"\n",
        server.url()
    );
    std::fs::write(home.join("config.toml"), responses)?;
    let command = &mut program::teammate_with(dir.path(), &server.url(), model);
    let cost = program::start(command.args(["run", "Have three teammates do it."]))?.finish()?;
    Ok((server.totals(), cost))
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Waiting => "the lead waits",
            Self::EndingItsTurn => "the lead ends its turn",
            Self::OnTheBoard => "board and shutdown",
        }
    }

    /// Each model call takes so long.
    fn play(self, pause_ms: u64) -> Value {
        let calls = |calls: Vec<Value>| json!({"pause_ms": pause_ms, "calls": calls});
        let says = |text: &str| json!({"pause_ms": pause_ms, "say": text});
        let last = |text: &str| json!({"pause_ms": pause_ms, "say": text, "repeat": true});
        let spawns = WORKERS.map(|name| call("spawn_teammate", json!({"name": name, "role": "worker", "prompt": "Call the shell five times, then report."})));
        let reported = last("All three have reported.");
        let lead = match self {
            Self::Waiting => vec![
                calls(spawns.to_vec()),
                calls(vec![call("wait_for_team", json!({}))]),
                reported,
            ],
            Self::EndingItsTurn => {
                vec![calls(spawns.to_vec()), says("They are at work."), reported]
            }
            Self::OnTheBoard => {
                let tasks = WORKERS.map(|owner| {
                    call(
                        "create_task",
                        json!({"subject": format!("part of {owner}"), "owner": owner}),
                    )
                });
                let shutdowns = WORKERS.map(|name| call("request_shutdown", json!({"name": name})));
                vec![
                    calls(spawns.into_iter().chain(tasks).collect()),
                    says("They are at work."),
                    calls(shutdowns.to_vec()),
                    reported,
                ]
            }
        };
        let worker = |number: usize| {
            let mut steps = vec![calls(vec![call("bash", json!({"command": "true"}))]); 5];
            if let Self::OnTheBoard = self {
                let complete = json!({"task_id": number, "result": "done"});
                steps.push(calls(vec![call("complete_task", complete)]));
            }
            steps.push(last("All five calls ran."));
            steps
        };
        let mut members = serde_json::Map::from_iter([("lead".to_owned(), json!(lead))]);
        for (at, name) in WORKERS.iter().enumerate() {
            members.insert((*name).to_owned(), json!(worker(at + 1)));
        }
        json!({"members": members})
    }
}

fn call(tool: &str, input: impl Into<Value>) -> Value {
    json!({"tool": tool, "input": input.into()})
}
