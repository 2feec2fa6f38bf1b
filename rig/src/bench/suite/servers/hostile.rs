//! The memory that servers can make us take which misbehave in each way that the tests of `teammate-protocols` know.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::{
    super::{
        Measured, program,
        row::{Row, Target},
        wire::{Says, Wire},
    },
    configure,
};

/// A tool of a server for each way, named as `hostile_server` is said it.
const TOOLS: &[&str] = &[
    "mcp__asks__act",
    "mcp__bad-utf8__act",
    "mcp__call-hangs__act",
    "mcp__changes__act",
    "mcp__chatty__act",
    "mcp__dies-after-hello__act",
    "mcp__dies-in-call__act",
    "mcp__empty__act",
    "mcp__endless-line__act",
    "mcp__endless-pages__act",
    "mcp__escapes__act",
    "mcp__exits__act",
    "mcp__floods__act",
    "mcp__forks__act",
    "mcp__huge__act",
    "mcp__large__act",
    "mcp__list-hangs__act",
    "mcp__many__act",
    "mcp__no-content__act",
    "mcp__odd-names__act",
    "mcp__odd-schemas__act",
    "mcp__old-version__act",
    "mcp__orders__act",
    "mcp__progress__act",
    "mcp__refuses__act",
    "mcp__samples__act",
    "mcp__silent__act",
    "mcp__slow-with-progress__act",
    "mcp__stays__act",
    "mcp__stderr-flood__act",
    "mcp__string-schema__act",
    "mcp__twice__act",
    "mcp__unknown-content__act",
    "mcp__vanishes__act",
    "mcp__works__act",
    "mcp__wrong-id__act",
];

/// A team with each of them, one after the other; then one team with all: started and listed side by side, then called one after
/// the other.
pub(super) fn measure() -> Measured {
    let plain = peak(&[])?;
    let mut peaks = Vec::new();
    for tool in TOOLS.chunks(1) {
        peaks.push((peak(tool)?, mode(tool[0])));
    }
    peaks.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let most: Vec<String> = peaks
        .iter()
        .take(5)
        .map(|(peak, mode)| format!("{mode} {peak:.0}"))
        .collect();
    let worst = peaks.first().map_or(0.0, |(peak, _)| *peak);
    let together = peak(TOOLS)?;
    Ok(vec![
        Row::new(
            &format!(
                "peak memory with a hostile server, the worst of {} kinds",
                TOOLS.len()
            ),
            "MB",
            Target::AtMost(60.0),
            worst,
        )
        .note(format!("without a server {plain:.1}; {}", most.join(", "))),
        Row::new(
            "peak memory with all of them in one team, each called once",
            "MB",
            Target::Nothing,
            together,
        ),
    ])
}

/// The mode of the server that has this tool.
fn mode(tool: &str) -> &str {
    tool.split("__").nth(1).unwrap_or_default()
}

fn entry(mode: &str) -> (String, Value) {
    let server = json!({
        "command": program(),
        // A duration for `sleep` that nobody else uses.
        "args": [mode, "30.4711"],
        "timeout_s": 3,
    });
    (mode.to_owned(), server)
}

fn program() -> PathBuf {
    xtask::root().join("target/dist/examples/hostile_server")
}

/// The most memory that our process takes in a run with the servers of these tools, each of which is called once.
fn peak(tools: &'static [&'static str]) -> std::io::Result<f64> {
    let wire = Wire::start(false, move |asked| match tools.get(asked.before) {
        Some(tool) => Says::Calls(vec![(tool, json!({}))]),
        None => Says::Text("done".to_owned()),
    })?;
    let (dir, home) = (program::workspace()?, program::workspace()?);
    let command = &mut program::teammate(dir.path(), &wire.url());
    let entries: Map<String, Value> = tools.iter().map(|tool| entry(mode(tool))).collect();
    configure(command, home.path(), &entries)?;
    let cost = program::start(command.args(["run", "call the servers"]))?.finish()?;
    Ok(cost.peak_mb)
}
