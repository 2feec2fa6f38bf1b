//! The steps, in the order in which a mistake is found soonest.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use xtask::{
    command::{Ended, command, run, run_seeing},
    tools,
};

use super::{browser::Browser, look::look};

/// One step.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    pub(crate) run: fn(&Path) -> Ended,
}

/// What runs before all others, also where they are named: without it none of them can pass.
pub(crate) const FIRST: Step = Step {
    name: "look",
    what: "this machine has what the other steps need",
    run: look,
};

/// All others.
pub(crate) const ALL: &[Step] = &[
    Step {
        name: "format",
        what: "the code is formatted",
        run: format,
    },
    Step {
        name: "lints",
        what: "no warnings",
        run: lints,
    },
    Step {
        name: "build",
        what: "everything builds: program, tests, examples",
        run: build,
    },
    Step {
        name: "tests",
        what: "all tests, doctests included",
        run: tests,
    },
    Step {
        name: "browser",
        what: "the page and the shared file in Chromium",
        run: browser,
    },
    Step {
        name: "docs",
        what: "the documentation builds and its links lead somewhere",
        run: docs,
    },
    Step {
        name: "deny",
        what: "licences and sources of what is depended on",
        run: deny,
    },
    Step {
        name: "examples",
        what: "the examples run, and so does the demo",
        run: examples,
    },
    Step {
        name: "sdk",
        what: "both wires are as the vendors' own clients have them",
        run: sdk,
    },
    Step {
        name: "torture",
        what: "mail, whole teams and teams on servers survive random kills, commands do not and stay in the sandbox (at length: cargo xtask torture)",
        run: torture,
    },
];

fn format(root: &Path) -> Ended {
    if !tools::component("fmt", "rustfmt") {
        return Ended::Skipped("rustfmt is not installed: rustup component add rustfmt".to_owned());
    }
    run(&mut command(root, "cargo", &["fmt", "--all", "--check"]))
}

fn lints(root: &Path) -> Ended {
    if !tools::component("clippy", "clippy") {
        return Ended::Skipped("clippy is not installed: rustup component add clippy".to_owned());
    }
    let args = ["clippy", "--workspace", "--all-targets", "--all-features"];
    run(command(root, "cargo", &args).args(["--", "-D", "warnings"]))
}

/// With all targets, so that features are the same as for the tests and nothing is built twice.
fn build(root: &Path) -> Ended {
    run(&mut command(
        root,
        "cargo",
        &["build", "--workspace", "--all-targets"],
    ))
}

/// Passes on what `cargo test` says and adds up its closing lines.
fn tests(root: &Path) -> Ended {
    let (mut passed, mut failed) = (0, 0);
    let mut test = command(root, "cargo", &["test", "--workspace", "--no-fail-fast"]);
    if let Some(server) = tools::nats_server(root) {
        test.env("TEAMMATE_NATS_SERVER", server);
    }
    let ended = run_seeing(&mut test, |line| {
        if let Some(closing) = line.strip_prefix("test result: ") {
            passed += count(closing, " passed");
            failed += count(closing, " failed");
        }
    });
    println!("all tests together: {passed} passed, {failed} failed");
    match ended {
        Ended::Passed(_) => Ended::Passed(format!("{passed} tests")),
        Ended::Failed(why) if failed > 0 => {
            Ended::Failed(format!("{failed} of {} tests; {why}", passed + failed))
        }
        ended @ (Ended::Failed(_) | Ended::Skipped(_)) => ended,
    }
}

fn browser(root: &Path) -> Ended {
    match Browser::find(root) {
        Ok(browser) => browser.run(root, "browser::", &[]),
        Err(why) => Ended::Skipped(why),
    }
}

/// The number that stands before `word`.
fn count(closing: &str, word: &str) -> u32 {
    closing
        .split(['.', ';'])
        .find_map(|part| part.trim().strip_suffix(word)?.parse().ok())
        .unwrap_or(0)
}

fn docs(root: &Path) -> Ended {
    // Private items too: those who change the code follow these links.
    let args = [
        "doc",
        "--workspace",
        "--no-deps",
        "--document-private-items",
    ];
    run(command(root, "cargo", &args).env("RUSTDOCFLAGS", "-D warnings"))
}

fn deny(root: &Path) -> Ended {
    let Some(program) = tools::cargo_deny(root) else {
        return Ended::Skipped("cargo-deny is not there and cannot be installed".to_owned());
    };
    let args = ["--all-features", "--log-level", "error", "check"];
    run(command(root, program, &args).args(["licenses", "bans", "sources"]))
}

fn examples(root: &Path) -> Ended {
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
    let built = built(root);
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

fn sdk(root: &Path) -> Ended {
    let script = "crates/teammate-models/tests/sdk/check.py";
    if !root.join(script).exists() {
        return Ended::Skipped(format!("{script} is not there"));
    }
    let mut skipped = None;
    let mut check = command(root, "python3", &[script]);
    check.env("TEAMMATE_EXAMPLES", built(root).join("examples"));
    let ended = run_seeing(&mut check, |line| {
        if let Some(why) = line.strip_prefix("skipped: ") {
            skipped = Some(why.to_owned());
        }
    });
    match (ended, skipped) {
        (Ended::Passed(_), Some(why)) => Ended::Skipped(why),
        (ended, _) => ended,
    }
}

/// Short rounds on NATS servers; they say so aloud where there are none. Each has a least number of blows.
const ON_SERVERS: [[&str; 6]; 2] = [
    ["torture", "machines", "--kills", "30", "--seconds", "24"],
    ["torture", "workers", "--blows", "6", "--seconds", "45"],
];

fn torture(root: &Path) -> Ended {
    for (what, kills) in [("mail", "300"), ("contain", "20"), ("verbs", "24")] {
        let short = ["torture", what, "--kills", kills, "--seconds", "60"];
        let ended = run(&mut command(root, built(root).join("rig"), &short));
        if !matches!(ended, Ended::Passed(_)) {
            return ended;
        }
    }
    for words in &ON_SERVERS {
        let mut short = command(root, built(root).join("rig"), words);
        if let Some(server) = tools::nats_server(root) {
            short.env("TEAMMATE_NATS_SERVER", server);
        }
        let ended = run(&mut short);
        if !matches!(ended, Ended::Passed(_)) {
            return ended;
        }
    }
    let escape = ["torture", "escape", "--short", "--only", "repository"];
    run(&mut command(root, built(root).join("rig"), &escape))
}

/// Where the step `build` has put the programs.
fn built(root: &Path) -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    root.join(target).join("debug")
}
