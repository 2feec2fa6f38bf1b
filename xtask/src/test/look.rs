//! The first step: what the others need is there, is installed where nothing else is touched (components of the toolchain,
//! virtual environments below `target`), or is named in one sentence with the package to install.

use std::path::Path;

use xtask::{
    command::{Ended, works},
    tools,
};

/// A program that a step or a test cannot do without.
struct Need {
    program: &'static str,
    /// Arguments with which it succeeds if it is whole.
    proof: &'static [&'static str],
    for_what: &'static str,
    /// Debian's name for it.
    package: &'static str,
}

const NEEDS: &[Need] = &[
    Need {
        program: "cc",
        proof: &["--version"],
        for_what: "cargo links programs with it",
        package: "gcc libc6-dev",
    },
    Need {
        program: "bash",
        proof: &["-c", "true"],
        for_what: "members' commands run in it",
        package: "bash",
    },
    Need {
        program: "git",
        proof: &["--version"],
        for_what: "the tests make repositories and worktrees",
        package: "git",
    },
    Need {
        program: "python3",
        proof: &["-c", "import ensurepip, venv"],
        for_what: "both wires are checked against the vendors' Python clients",
        package: "python3-venv",
    },
];

/// Programs without which a test or a step says what it leaves out.
const WISHES: &[(&str, &[&str], &str)] = &[
    (
        "strace",
        &["-o", "/dev/null", "true"],
        "what a hostile repository starts is not watched (package strace)",
    ),
    (
        "setpriv",
        &["--version"],
        "the sandbox is not tried as another user (package util-linux)",
    ),
];

pub(super) fn look(root: &Path) -> Ended {
    let missing: Vec<&Need> = NEEDS
        .iter()
        .filter(|need| !works(need.program, need.proof))
        .collect();
    if !missing.is_empty() {
        return Ended::Failed(named(&missing));
    }
    for (program, proof, without) in WISHES {
        if !works(program, proof) {
            println!("{program} does not work here: {without}");
        }
    }
    for (cargo, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !tools::component(cargo, component) {
            println!("{component} is not installed: its step is skipped");
        }
    }
    if tools::cargo_deny(root).is_none() {
        println!("cargo-deny is not there and cannot be installed: its step is skipped");
    }
    if tools::nats_server(root).is_none() {
        println!("nats-server is not there and cannot be installed: nothing is tested on it");
    }
    Ended::passed()
}

/// One sentence: what is missing, what for, and the command that installs it.
fn named(missing: &[&Need]) -> String {
    let reasons: Vec<String> = missing
        .iter()
        .map(|need| format!("{} ({})", need.program, need.for_what))
        .collect();
    let packages: Vec<&str> = missing.iter().map(|need| need.package).collect();
    format!(
        "install what is missing and try again: {}; on Debian: apt-get install {}",
        reasons.join(", "),
        packages.join(" ")
    )
}
