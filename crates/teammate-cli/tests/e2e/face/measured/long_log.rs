//! An event log that is long: members ask models, talk and run commands.

use std::fmt::Write as _;

use serde_json::Value;

use crate::world::{World, json_lines};

/// Appends so many events to the log of a world's team. Returns its size.
pub(super) fn write(world: &World, events: u64) -> u64 {
    let path = world.path(".team/events.jsonl");
    let mut log = std::fs::read_to_string(&path).unwrap();
    let known = json_lines(&log);
    let last: &Value = known.last().unwrap();
    let (at, n) = (last["at"].as_u64().unwrap(), last["n"].as_u64().unwrap());
    let (run, r) = (&last["run"], &last["r"]);
    for number in 0..events {
        let call = number / 4;
        let what = match number % 4 {
            0 => r#""event":"asked","round":1,"model":"test:model""#.to_owned(),
            1 => format!(
                r#""event":"answered","text":"I **look** at `file {number}`:\n\n- one\n- two","stop":"tool_use","usage":{{"input":900,"output":90,"cache_read":9000,"cache_write":100}}"#
            ),
            2 => format!(
                r#""event":"tool_started","call":"c{call}","tool":"bash","summary":"cargo test {number}","input":"{{\"command\":\"cargo test {number}\"}}""#
            ),
            _ => format!(
                r#""event":"tool_finished","call":"c{call}","tool":"bash","ok":true,"summary":"","took_ms":12,"exit":0,"bytes":200,"lines":18,"output":{{"head":"test {number} ... ok\ntest result: ok. 41 passed"}}"#
            ),
        };
        let _ = writeln!(
            log,
            r#"{{"at":{},"member":"lead",{what},"run":{run},"n":{},"r":{r}}}"#,
            at + number,
            n + 1 + number
        );
    }
    std::fs::write(&path, &log).unwrap();
    u64::try_from(log.len()).unwrap()
}
