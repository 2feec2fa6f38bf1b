//! What a worker is called that nobody named.

use teammate::nats::WorkerName;

/// The longest name.
const NAME_MAX: usize = 32;

/// The name in its creds, else the machine's.
///
/// Errors: neither is a worker's name.
pub(super) fn usual(of_creds: Option<&WorkerName>) -> anyhow::Result<WorkerName> {
    if let Some(name) = of_creds {
        return Ok(name.clone());
    }
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    of_machine(&machine).ok_or_else(|| anyhow::anyhow!("name the worker: --name NAME"))
}

fn of_machine(machine: &str) -> Option<WorkerName> {
    let machine = machine.trim().to_lowercase();
    let is_kept = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let name: String = machine
        .chars()
        .map(|c| if is_kept(c) { c } else { '-' })
        .take(NAME_MAX)
        .collect();
    WorkerName::parse(name.trim_matches('-')).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_lends_its_name() {
        let name = |text| of_machine(text).map(|name| name.to_string());
        assert_eq!(
            name("Box.example.org\n").as_deref(),
            Some("box-example-org")
        );
        assert_eq!(name("\n"), None);
    }
}
