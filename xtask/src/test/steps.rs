//! The steps, in the order in which a mistake is found soonest, with the part that each belongs to.

use std::path::Path;

use xtask::{
    built,
    command::{Ended, cargo, command, run, run_without_warnings},
    tools,
};

use super::{browser::Browser, look::look, programs, tests};

/// What can run apart from the rest, on a machine of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// What is read, not run: format, lints, documentation, licences.
    Lints,
    /// Every crate for itself, and the examples.
    Tests,
    /// The whole program as a user runs it.
    E2e,
    /// Teams on several machines, and their servers.
    Machines,
    Browser,
    /// The vendors' own clients.
    Sdk,
    /// Random kills, and ways out of the sandbox.
    Torture,
}

impl Part {
    const ALL: [Self; 7] = [
        Self::Lints,
        Self::Tests,
        Self::E2e,
        Self::Machines,
        Self::Browser,
        Self::Sdk,
        Self::Torture,
    ];

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Lints => "lints",
            Self::Tests => "tests",
            Self::E2e => "e2e",
            Self::Machines => "machines",
            Self::Browser => "browser",
            Self::Sdk => "sdk",
            Self::Torture => "torture",
        }
    }

    /// The part with this name, if there is one.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }
}

/// Where a step is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tier {
    /// In both: the fast tier runs it whole.
    Both,
    /// In the fast tier only: steps of `Full` run all of it and more.
    Fast,
    /// Not in the fast tier.
    Full,
}

impl Tier {
    pub(crate) fn is_fast(self) -> bool {
        matches!(self, Self::Both | Self::Fast)
    }

    pub(crate) fn is_full(self) -> bool {
        matches!(self, Self::Both | Self::Full)
    }
}

/// One step.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    pub(crate) part: Part,
    pub(crate) tier: Tier,
    pub(crate) run: fn(&Path) -> Ended,
}

/// What runs before all others, also where a part is named: without it none of them can pass.
pub(crate) const FIRST: Step = Step {
    name: "look",
    what: "this machine has what the other steps need",
    part: Part::Lints,
    tier: Tier::Both,
    run: look,
};

/// All others.
pub(crate) const ALL: &[Step] = &[
    Step {
        name: "format",
        what: "the code is formatted",
        part: Part::Lints,
        tier: Tier::Both,
        run: format,
    },
    Step {
        name: "lints",
        what: "everything but benchmarks and examples compiles, and clippy has nothing to say",
        part: Part::Lints,
        tier: Tier::Both,
        run: lints,
    },
    Step {
        name: "fast tests",
        what: "every crate for itself but for long stories, and an end-to-end story for each promise",
        part: Part::Tests,
        tier: Tier::Fast,
        run: tests::fast,
    },
    Step {
        name: "tests",
        what: "every crate for itself, doctests included",
        part: Part::Tests,
        tier: Tier::Full,
        run: tests::of_crates,
    },
    Step {
        name: "examples",
        what: "the examples compile without a word of clippy and run, and so does the demo",
        part: Part::Tests,
        tier: Tier::Full,
        run: programs::examples,
    },
    Step {
        name: "e2e",
        what: "the whole program as a user runs it",
        part: Part::E2e,
        tier: Tier::Full,
        run: tests::end_to_end,
    },
    Step {
        name: "machines",
        what: "teams on several machines: simulated ones, and on NATS servers",
        part: Part::Machines,
        tier: Tier::Full,
        run: tests::on_machines,
    },
    Step {
        name: "browser",
        what: "the page and the shared file in Chromium",
        part: Part::Browser,
        tier: Tier::Full,
        run: browser,
    },
    Step {
        name: "docs",
        what: "the documentation builds and its links lead somewhere",
        part: Part::Lints,
        tier: Tier::Full,
        run: docs,
    },
    Step {
        name: "benchmarks",
        what: "the benchmarks compile, and clippy has nothing to say",
        part: Part::Lints,
        tier: Tier::Full,
        run: benchmarks,
    },
    Step {
        name: "small core",
        what: "the program builds without any feature, and without a warning",
        part: Part::Lints,
        tier: Tier::Full,
        run: small_core,
    },
    Step {
        name: "deny",
        what: "licences and sources of what is depended on",
        part: Part::Lints,
        tier: Tier::Full,
        run: deny,
    },
    Step {
        name: "sdk",
        what: "both wires are as the vendors' own clients have them, and agent SDKs start a team in place of their program",
        part: Part::Sdk,
        tier: Tier::Full,
        run: programs::sdk,
    },
    Step {
        name: "conformance",
        what: "both sides of MCP are as its authors' suite has them, but for what does not apply",
        part: Part::Sdk,
        tier: Tier::Full,
        run: programs::conformance,
    },
    Step {
        name: "torture",
        what: "mail, whole teams and teams on servers survive random kills, commands do not and stay in the sandbox (at length: cargo xtask torture)",
        part: Part::Torture,
        tier: Tier::Full,
        run: programs::torture,
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
    // Two commands: with targets named, `cargo test` would build examples as tests only.
    let tests = [
        "test",
        "--workspace",
        "--exclude",
        built::BUILT_WHEN_CALLED,
        "--no-run",
        "--lib",
        "--bins",
        "--tests",
    ];
    match run_without_warnings(&mut cargo(root, &built::FOR_TESTS)) {
        Ended::Passed(_) => run_without_warnings(&mut cargo(root, &tests)),
        ended @ (Ended::Failed(_) | Ended::Skipped(_)) => ended,
    }
}

fn benchmarks(root: &Path) -> Ended {
    // Of the whole workspace, or cargo would build the dependencies with other features.
    let args = ["build", "--workspace", "--bin", "rig", "--features"];
    let tests = ["test", "--workspace", "--no-run", "--bin", "rig", "--test"];
    match run_without_warnings(cargo(root, &args).arg("rig/bench")) {
        Ended::Passed(_) => run_without_warnings(cargo(root, &tests).arg("torture")),
        ended @ (Ended::Failed(_) | Ended::Skipped(_)) => ended,
    }
}

fn browser(root: &Path) -> Ended {
    match Browser::find(root) {
        Ok(browser) => browser.run(root, "browser::", &[]),
        Err(why) => Ended::Skipped(why),
    }
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

fn small_core(root: &Path) -> Ended {
    let args = ["check", "-p", "teammate-cli", "--no-default-features"];
    run_without_warnings(&mut command(root, "cargo", &args))
}

fn deny(root: &Path) -> Ended {
    let Some(program) = tools::cargo_deny(root) else {
        return Ended::Skipped("cargo-deny is not there and cannot be installed".to_owned());
    };
    let args = ["--all-features", "--log-level", "error", "check"];
    run(command(root, program, &args).args(["licenses", "bans", "sources"]))
}
