//! Steps that run programs of the repository: its examples, the vendors' clients against its test server, the torture rig.

use std::{fs, path::Path, process::Command};

use xtask::{
    built,
    command::{Ended, cargo, command, run, run_seeing, run_without_warnings},
    tools,
};

use super::side_by_side;

pub(super) fn examples(root: &Path) -> Ended {
    if let ended @ (Ended::Failed(_) | Ended::Skipped(_)) =
        run_without_warnings(&mut cargo(root, &built::ALL))
    {
        return ended;
    }
    let built = match built::programs(root, &[]) {
        Ok(built) => built,
        Err(ended) => return ended,
    };
    let examples = fs::read_dir(root.join("crates/teammate/examples"));
    let mut names: Vec<String> = examples
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let name = entry.ok()?.file_name().into_string().ok()?;
            Some(name.strip_suffix(".rs")?.to_owned())
        })
        .collect();
    names.sort();
    for name in &names {
        let ended = run(&mut command(root, built.join("examples").join(name), &[]));
        if !matches!(ended, Ended::Passed(_)) {
            return ended;
        }
    }
    let dir = root.join("target/tmp/demo");
    let _ = fs::remove_dir_all(&dir);
    let demo = ["demo", "--dir"];
    let mut failed = None;
    let ended = run_seeing(
        command(root, built.join("teammate"), &demo).arg(&dir),
        |line| {
            if line.contains("] failed ") {
                failed.get_or_insert_with(|| line.to_owned());
            }
        },
    );
    match ended {
        Ended::Passed(_) if failed.is_some() => Ended::Failed(failed.unwrap_or_default()),
        Ended::Passed(_) => Ended::Passed(format!("{} and the demo", names.len())),
        ended @ (Ended::Failed(_) | Ended::Skipped(_)) => ended,
    }
}

/// The vendors' clients against our wires, and their agent SDKs with our program in place of theirs.
const SDK_CHECKS: [&str; 2] = [
    "crates/teammate-models/tests/sdk/check.py",
    "crates/teammate-serve/tests/claude_sdk/check.py",
];

pub(super) fn sdk(root: &Path) -> Ended {
    let built = match built::programs(root, &[]) {
        Ok(built) => built,
        Err(ended) => return ended,
    };
    let mut skipped = None;
    for script in SDK_CHECKS {
        let mut check = command(root, "python3", &[script]);
        check.env("TEAMMATE_EXAMPLES", built.join("examples"));
        check.env("TEAMMATE", built.join("teammate"));
        match skippable(&mut check, |_| {}) {
            Ended::Passed(_) => {}
            Ended::Skipped(why) => skipped = Some(why),
            ended @ Ended::Failed(_) => return ended,
        }
    }
    skipped.map_or_else(Ended::passed, Ended::Skipped)
}

pub(super) fn conformance(root: &Path) -> Ended {
    let built = match built::programs(root, &[]) {
        Ok(built) => built,
        Err(ended) => return ended,
    };
    let mut counts = Vec::new();
    let mut check = command(root, "python3", &["rig/conformance/check.py"]);
    let ended = skippable(check.arg(built.join("teammate")), |line| {
        if line.ends_with(" are left out") {
            counts.push(line.to_owned());
        }
    });
    match ended {
        Ended::Passed(_) => Ended::Passed(counts.join("; ")),
        ended @ (Ended::Failed(_) | Ended::Skipped(_)) => ended,
    }
}

/// Runs what says "skipped: WHY" where it cannot do its work; other lines are given to `see`.
fn skippable(check: &mut Command, mut see: impl FnMut(&str)) -> Ended {
    let mut skipped = None;
    let ended = run_seeing(check, |line| match line.strip_prefix("skipped: ") {
        Some(why) => skipped = Some(why.to_owned()),
        None => see(line),
    });
    match (ended, skipped) {
        (Ended::Passed(_), Some(why)) => Ended::Skipped(why),
        (ended, _) => ended,
    }
}

/// Short rounds. Those on NATS servers say so aloud where there are none. Each has a least number of blows.
const ROUNDS: [&str; 6] = [
    "mail --kills 300 --seconds 60",
    "verbs --kills 24 --seconds 60",
    "contain --kills 20 --seconds 60",
    "workers --blows 6 --seconds 45",
    "machines --kills 30 --seconds 24",
    "escape --short --only repository",
];

pub(super) fn torture(root: &Path) -> Ended {
    let rig = match built::programs(root, &[]) {
        Ok(built) => built.join("rig"),
        Err(ended) => return ended,
    };
    let server = tools::nats_server(root);
    let rounds = ROUNDS.map(|round| {
        let mut short = command(root, &rig, &["torture"]);
        if let Some(server) = &server {
            short.env("TEAMMATE_NATS_SERVER", server);
        }
        short.args(round.split(' '));
        short
    });
    let finished = side_by_side::run_all(rounds.into());
    let failed = finished.into_iter().zip(ROUNDS).find_map(|(run, round)| {
        let is_bad = !matches!(run.ended, Ended::Passed(_));
        is_bad.then(|| Ended::Failed(format!("torture {round}")))
    });
    failed.unwrap_or_else(Ended::passed)
}
