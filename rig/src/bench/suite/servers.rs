//! Servers of tools (MCP): what their start, their tools in a request and their calls cost above what the servers take
//! themselves, and the memory that hostile ones can make us take.

mod hostile;
mod served;

use std::{fs, io, path::Path, process::Command, time::Duration};

use serde_json::{Map, Value, json};

use self::served::Raw;
pub(super) use self::served::serve;
use super::{
    Effort, Measured, program,
    row::{Row, Target},
    sample::Sample,
    turns,
    wire::{Exchange, Says, Wire},
};

/// Calls of a run.
const CALLS: usize = 50;
/// Servers whose tools are in a request, and the tools of each.
const SERVERS: usize = 10;
const TOOLS: usize = 20;

/// How many bytes are taken for a token, as the program does.
const TOKEN_BYTES: f64 = 3.6;

pub(super) fn measure(effort: Effort) -> Measured {
    let mut rows = vec![start(effort)?, calls(effort)?];
    rows.extend(requests()?);
    rows.extend(hostile::measure()?);
    Ok(rows)
}

/// A new team with a server that nobody knows yet, against one without, in turn.
fn start(effort: Effort) -> io::Result<Row> {
    let (mut costs, mut with, mut without, mut raw) = (vec![], vec![], vec![], vec![]);
    for _ in 0..effort.times(20, 7) {
        let plain = first_request(&Map::new())?;
        let served = first_request(&entries(1, 1, false)?)?;
        let (_, alone) = Raw::start()?;
        costs.push(millis(served) - millis(plain) - millis(alone));
        without.push(plain);
        with.push(served);
        raw.push(alone);
    }
    let costs = Sample::new(costs);
    let of = |times: Vec<Duration>| Sample::ms(times).median();
    Ok(Row::new(
        "launch -> first request of a new team, for a server that is started, listed and accepted on the way, above the server's own start and list",
        "ms",
        Target::Nothing,
        costs.median(),
    )
    .note(format!(
        "with it {:.1} ms, without {:.1}, the server alone {:.1}; {}",
        of(with),
        of(without),
        of(raw),
        costs.spread()
    )))
}

/// A call, against one of a tool that asks the team only, and the same call by a client that does nothing else.
fn calls(effort: Effort) -> io::Result<Row> {
    let (mut costs, mut served, mut own, mut raw) = (vec![], vec![], vec![], vec![]);
    for _ in 0..effort.times(7, 3) {
        let team = median_gap(("list_teammates", json!({})))?;
        let server = median_gap(("mcp__bench0__tool_0", json!({})))?;
        let (mut client, _) = Raw::start()?;
        let alone = Sample::ms(client.calls(CALLS)?).median();
        costs.push(server - team - alone);
        served.push(server);
        own.push(team);
        raw.push(alone);
    }
    let of = |values: Vec<f64>| Sample::new(values).median();
    let costs = Sample::new(costs);
    Ok(Row::new(
        "one call of an MCP server, above the server's own time and a call that asks the team",
        "ms",
        Target::AtMost(1.0),
        costs.median(),
    )
    .note(format!(
        "a turn with it {:.2} ms, with a call of the team {:.2}; the server alone {:.2}; {}",
        of(served),
        of(own),
        of(raw),
        costs.spread()
    )))
}

/// What many tools add to a request: found by searching, and all of them shown.
fn requests() -> Measured {
    let none = request_bytes(&Map::new())?;
    let searched = request_bytes(&entries(SERVERS, TOOLS, false)?)? - none;
    let shown = request_bytes(&entries(SERVERS, TOOLS, true)?)? - none;
    let tokens = |bytes: f64| bytes / TOKEN_BYTES;
    Ok(vec![
        Row::new(
            "200 tools of 10 servers, found by searching: tokens of each request",
            "",
            Target::AtMost(600.0),
            tokens(searched),
        )
        .note(format!("{searched} bytes, {TOKEN_BYTES} for a token")),
        Row::new(
            "200 tools of 10 servers, all shown: tokens of each request",
            "",
            Target::Nothing,
            tokens(shown),
        )
        .note(format!(
            "{:.1} kB; {:.0} times as many",
            shown / 1e3,
            shown / searched
        )),
    ])
}

/// The bytes of the first request.
fn request_bytes(entries: &Map<String, Value>) -> io::Result<f64> {
    let (exchanges, _) = run(entries, 0, ("", Value::Null))?;
    let first = exchanges.first().map_or(0, |exchange| exchange.bytes);
    Ok(first as f64)
}

fn first_request(entries: &Map<String, Value>) -> io::Result<Duration> {
    let (exchanges, begun) = run(entries, 0, ("", Value::Null))?;
    let first = exchanges.first();
    let first = first.ok_or_else(|| io::Error::other("no request came"))?;
    Ok(first.asked.saturating_duration_since(begun))
}

/// The median gap of a run of such calls, with a server in either case, in ms.
fn median_gap(call: (&'static str, Value)) -> io::Result<f64> {
    let (exchanges, _) = run(&entries(1, 1, false)?, CALLS, call)?;
    // The first call starts the server.
    let gaps = turns::gaps(&exchanges).split_off(1);
    Ok(Sample::ms(gaps).median())
}

/// A run in a workspace of its own with these servers and so many calls: the requests to the model, and when it was started.
fn run(
    entries: &Map<String, Value>,
    calls: usize,
    call: (&'static str, Value),
) -> io::Result<(Vec<Exchange>, std::time::Instant)> {
    let wire = Wire::start(false, move |asked| match asked.before < calls {
        true => Says::Calls(vec![call.clone()]),
        false => Says::Text("done".to_owned()),
    })?;
    let (dir, home) = (program::workspace()?, program::workspace()?);
    let command = &mut program::teammate(dir.path(), &wire.url());
    configure(command, home.path(), entries)?;
    let running = program::start(command.args(["run", "call the servers"]))?;
    let begun = running.begun();
    running.finish()?;
    let mut exchanges = wire.exchanges();
    // What the program asks of the server itself is nobody's.
    exchanges.retain(|exchange| exchange.member == "lead");
    Ok((exchanges, begun))
}

/// Gives it a home with these servers. Within the workspace nothing could be accepted for good.
fn configure(command: &mut Command, home: &Path, entries: &Map<String, Value>) -> io::Result<()> {
    command.env("HOME", home);
    let config = home.join(".config/teammate");
    fs::create_dir_all(&config)?;
    let file = json!({ "mcpServers": entries });
    fs::write(config.join("mcp.json"), file.to_string())
}

/// So many servers with so many tools, which are shown in any case or not.
fn entries(servers: usize, tools: usize, always: bool) -> io::Result<Map<String, Value>> {
    let program = std::env::current_exe()?;
    let shown: Vec<String> = (0..tools).map(served::tool_name).collect();
    let entry = |number: usize| {
        let entry = json!({
            "command": program,
            "args": ["bench", "serve-tools", tools.to_string()],
            "always_load": if always { shown.clone() } else { Vec::new() },
        });
        (format!("bench{number}"), entry)
    };
    Ok((0..servers).map(entry).collect())
}

fn millis(time: Duration) -> f64 {
    super::sample::ms(time)
}
