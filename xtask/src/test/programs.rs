//! Steps that run programs of the repository: its examples, the vendors' clients against its test server, the torture rig.

use std::{fs, path::Path};

use xtask::{
    built,
    command::{Ended, command, run, run_seeing},
    tools,
};

pub(super) fn examples(root: &Path) -> Ended {
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
        let ended = run_seeing(&mut check, |line| {
            if let Some(why) = line.strip_prefix("skipped: ") {
                skipped = Some(why.to_owned());
            }
        });
        if !matches!(ended, Ended::Passed(_)) {
            return ended;
        }
    }
    skipped.map_or_else(Ended::passed, Ended::Skipped)
}

/// Short rounds, one after the other. Those on NATS servers say so aloud where there are none. Each has a least number of blows.
const ROUNDS: [&str; 6] = [
    "mail --kills 300 --seconds 60",
    "contain --kills 20 --seconds 60",
    "verbs --kills 24 --seconds 60",
    "machines --kills 30 --seconds 24",
    "workers --blows 6 --seconds 45",
    "escape --short --only repository",
];

pub(super) fn torture(root: &Path) -> Ended {
    let rig = match built::programs(root, &[]) {
        Ok(built) => built.join("rig"),
        Err(ended) => return ended,
    };
    let server = tools::nats_server(root);
    for round in ROUNDS {
        let words: Vec<&str> = round.split(' ').collect();
        let mut short = command(root, &rig, &["torture"]);
        if let Some(server) = &server {
            short.env("TEAMMATE_NATS_SERVER", server);
        }
        let ended = run(short.args(words));
        if !matches!(ended, Ended::Passed(_)) {
            return ended;
        }
    }
    Ended::passed()
}
