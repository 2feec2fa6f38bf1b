//! Names of workers.

use teammate::nats::WorkerName;

/// The longest name.
const NAME_MAX: usize = 32;

/// The name that somebody gave it. Servers let a worker's creds write under their own name only.
///
/// Errors: the creds are another worker's.
pub(super) fn given(
    name: &WorkerName,
    of_creds: Option<&WorkerName>,
) -> anyhow::Result<WorkerName> {
    match of_creds {
        Some(own) if own != name => anyhow::bail!(
            "the creds are those of worker '{own}', which cannot join as '{name}'; leave out --name, or make others with \
             `teammate keys worker {name}`"
        ),
        Some(_) | None => Ok(name.clone()),
    }
}

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
    fn creds_of_a_worker_are_for_its_name_only() {
        let [w1, other] = ["w1", "other"].map(|text| WorkerName::parse(text).unwrap());
        assert_eq!(given(&w1, Some(&w1)).unwrap(), w1);
        assert_eq!(given(&other, None).unwrap(), other);
        let refused = given(&other, Some(&w1)).unwrap_err().to_string();
        assert!(
            refused.contains("those of worker 'w1', which cannot join as 'other'"),
            "{refused}"
        );
    }

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
