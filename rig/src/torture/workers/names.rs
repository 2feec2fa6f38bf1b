//! Who is on the machines of a rig, by name and number.

use super::cables::address;

/// The workers, in the order in which they become the steward.
pub(super) const WORKERS: [&str; 3] = ["w1", "w2", "w3"];

/// The numbers of the servers' machines.
pub(super) const SERVERS: [u8; 3] = [1, 2, 3];

/// The number of a worker's machine.
pub(super) fn machine_of(worker: usize) -> u8 {
    10 + u8::try_from(worker).unwrap_or_default()
}

/// Where people and workers find the servers.
pub(super) fn urls() -> Vec<String> {
    let url = |number| format!("tls://{}:4222", address(number));
    SERVERS.into_iter().map(url).collect()
}
