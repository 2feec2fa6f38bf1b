//! Agreements, told end to end: what the journal says of requests, and what runs on the machine. The tests are in the modules.

mod kills;
mod rights;
mod scenes;
mod shutdowns;

use crate::world::World;

/// What happened to requests, in the order of the journal: `req_1 opened plan`.
pub(crate) fn happened(world: &World) -> Vec<String> {
    let records = world.json_lines(".team/journal.jsonl");
    let events = records
        .iter()
        .flat_map(|record| record["events"].as_array().unwrap());
    events
        .filter(|event| {
            event["event"] == "request"
                && !["told", "heard"].contains(&event["change"].as_str().unwrap())
        })
        .map(|event| {
            let (id, change) = (&event["request"], event["change"].as_str().unwrap());
            let kind = event["kind"].as_str().map(|kind| format!(" {kind}"));
            format!("{id} {change}{}", kind.unwrap_or_default())
        })
        .collect()
}

/// Whether anything runs that has this in its command line.
pub(crate) fn runs(what: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .any(|line| {
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            line.contains(what)
        })
}
