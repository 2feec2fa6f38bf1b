//! Steps that run tests: each package is built once with one set of features, always as a part of the whole workspace, and the test
//! programs are run as cargo would run them, two side by side.

use std::{
    env, fs,
    num::NonZero,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use xtask::{
    built::{self, BUILT_WHEN_CALLED},
    command::{Ended, cargo, command, run, run_gathering},
    tools,
};

use super::{
    counted::Counted,
    executables::{self, END_TO_END, Executable},
    side_by_side, tags,
};

/// The test program of the library as others use it.
const LIBRARY: &str = "library";
/// Test programs of teams on several machines.
const OF_MACHINES: [&str; 2] = ["nats", "runtime"];
/// Where other test programs have such tests.
const ON_SERVERS: [&str; 2] = ["nats::", "on_servers::"];

/// How the test programs learn how many tests run side by side.
const THREADS: &str = "RUST_TEST_THREADS";

/// Every crate for itself but for what is tagged as slow, and the end-to-end stories that are tagged as fast. A test program that has
/// passed as it is passes again.
pub(super) fn fast(root: &Path) -> Ended {
    if let Err(ended) = build_what_tests_start(root) {
        return ended;
    }
    let mut targets = crates_alone(root, &[]);
    targets.extend([LIBRARY, "runtime", END_TO_END].map(str::to_owned));
    let kinds = ["--exclude", BUILT_WHEN_CALLED, "--lib", "--bins"];
    let mut programs = match build(root, &kinds, &targets) {
        Ok(programs) => programs,
        Err(ended) => return ended,
    };
    // The longest first, so that nothing waits for it alone at the end.
    programs.sort_by_key(|program| program.name != END_TO_END);
    let all = programs.len();
    programs.retain(|program| program.looks_further() || !program.has_passed(root));
    let (slow, stories) = (tags::slow(root), tags::fast(root));
    let tests = Tests::beside_others(root);
    let runs = programs.iter().map(|program| {
        let mut run = tests.of(root, program);
        if program.name == END_TO_END {
            run.arg("--exact").args(&stories);
        } else {
            run.args(skip(&slow));
        }
        run
    });
    let finished = side_by_side::run_all(runs.collect());
    let mut counted = Counted::default();
    for (program, finished) in programs.iter().zip(finished) {
        let before = counted.passed;
        let has_passed = counted.add(finished);
        let ran = counted.passed - before;
        if program.name == END_TO_END && ran != stories.len() {
            counted.wrong(format!(
                "{} stories are tagged, {ran} passed",
                stories.len()
            ));
        }
        if has_passed && !program.looks_further() {
            program.note_passed(root);
        }
    }
    if programs.len() < all {
        println!(
            "{} test programs are as they were when they passed, and were not run again",
            all - programs.len()
        );
    }
    counted.ended()
}

/// Every crate for itself; doctests too. Of a test program that the fast tier has seen pass as it is, only what that left out.
pub(super) fn of_crates(root: &Path) -> Ended {
    if let Err(ended) = build_what_tests_start(root) {
        return ended;
    }
    let mut targets = crates_alone(root, &[BUILT_WHEN_CALLED]);
    targets.push(LIBRARY.to_owned());
    let slow = tags::slow(root);
    let tests = Tests::beside_others(root);
    let all = run_all(root, (&["--lib", "--bins"], &targets), |program| {
        let mut run = tests.of(root, program);
        if program.has_passed(root) {
            run.args(&slow);
        } else if program.name == LIBRARY {
            run.args(skip(&ON_SERVERS));
        }
        run
    });
    let mut counted = match all {
        Ok(counted) => counted,
        Err(ended) => return ended,
    };
    let doctests = ["test", "--workspace", "--doc", "--no-fail-fast"];
    counted.add(run_gathering(&mut cargo(root, &doctests)));
    counted.ended()
}

/// The whole program.
pub(super) fn end_to_end(root: &Path) -> Ended {
    let tests = Tests::alone(root);
    let all = run_all(root, (&[], &[END_TO_END.to_owned()]), |program| {
        let mut run = tests.of(root, program);
        run.args(skip(&ON_SERVERS));
        run
    });
    all.map_or_else(|ended| ended, Counted::ended)
}

/// Teams on several machines.
pub(super) fn on_machines(root: &Path) -> Ended {
    let targets = OF_MACHINES.into_iter().chain([LIBRARY, END_TO_END]);
    let targets: Vec<String> = targets.map(str::to_owned).collect();
    // Beside each other all the same: they wait for elections, syncs and leases.
    let tests = Tests::alone(root);
    let all = run_all(root, (&[], &targets), |program| {
        let mut run = tests.of(root, program);
        if !OF_MACHINES.contains(&program.name.as_str()) {
            run.args(ON_SERVERS);
        }
        run
    });
    all.map_or_else(|ended| ended, Counted::ended)
}

/// Builds test programs, of these kinds and targets, and runs each as `run_of` says.
///
/// Errors: how the build ended.
fn run_all(
    root: &Path,
    (kinds, targets): (&[&str], &[String]),
    run_of: impl FnMut(&Executable) -> Command,
) -> Result<Counted, Ended> {
    let programs = build(root, kinds, targets)?;
    let runs = programs.iter().map(run_of).collect();
    let mut counted = Counted::default();
    for finished in side_by_side::run_all(runs) {
        counted.add(finished);
    }
    Ok(counted)
}

/// A sentence on the tests that the fast tier passes over.
pub(super) fn left_out(root: &Path) -> String {
    format!(
        "tests, e2e, machines: {} long stories of crates, doctests, examples, {BUILT_WHEN_CALLED}, the tests on NATS servers, and all \
         end-to-end stories but {} (tagged `// {}` and `// {}`)",
        tags::slow(root).len(),
        tags::fast(root).len(),
        tags::SLOW,
        tags::FAST,
    )
}

/// The test programs of crates that need nothing but the crate: all but the whole program's, the library's and the machines', with
/// those of `more` beside the product's own.
fn crates_alone(root: &Path, more: &[&str]) -> Vec<String> {
    let apart = [END_TO_END, LIBRARY].into_iter().chain(OF_MACHINES);
    let apart: Vec<&str> = apart.collect();
    let packages = fs::read_dir(root.join("crates")).into_iter().flatten();
    let mut dirs: Vec<_> = packages.flatten().map(|entry| entry.path()).collect();
    dirs.push(root.join("xtask"));
    dirs.extend(more.iter().map(|package| root.join(package)));
    let mut targets: Vec<String> = dirs
        .iter()
        .flat_map(|dir| fs::read_dir(dir.join("tests")).into_iter().flatten())
        .flatten()
        .filter_map(|entry| {
            let path = entry.path();
            let is_target =
                path.extension().is_some_and(|end| end == "rs") || path.join("main.rs").exists();
            is_target.then(|| Some(path.file_stem()?.to_str()?.to_owned()))?
        })
        .filter(|name| !apart.contains(&name.as_str()))
        .collect();
    targets.sort();
    targets
}

/// Builds the programs and the examples that tests start as servers and agents: `cargo test` builds these only where no target is named.
fn build_what_tests_start(root: &Path) -> Result<(), Ended> {
    match run(&mut cargo(root, &built::FOR_TESTS)) {
        Ended::Passed(_) => Ok(()),
        ended @ (Ended::Failed(_) | Ended::Skipped(_)) => Err(ended),
    }
}

/// Builds test programs: of these kinds, as cargo names them, and these files and directories in `tests`.
fn build(root: &Path, kinds: &[&str], targets: &[String]) -> Result<Vec<Executable>, Ended> {
    let named = targets.iter().flat_map(|name| ["--test", name]);
    let arguments: Vec<&str> = kinds.iter().copied().chain(named).collect();
    executables::build(root, &arguments).map_err(Ended::Failed)
}

/// Arguments of a test program that runs all tests but those whose names hold one of these.
fn skip(names: &[impl AsRef<str>]) -> impl Iterator<Item = &str> {
    names.iter().flat_map(|name| ["--skip", name.as_ref()])
}

/// How test programs are run.
struct Tests {
    nats_server: Option<PathBuf>,
    /// How many tests of one program run side by side. The environment may say another number.
    threads: usize,
}

impl Tests {
    /// Of programs that run beside others.
    fn beside_others(root: &Path) -> Self {
        Self {
            nats_server: tools::nats_server(root),
            threads: thread::available_parallelism().map_or(1, NonZero::get),
        }
    }

    /// Of one program that runs alone, or of several that mostly wait: as many tests at a time as otherwise those of all programs.
    fn alone(root: &Path) -> Self {
        let mut tests = Self::beside_others(root);
        tests.threads *= side_by_side::PROGRAMS;
        tests
    }

    /// Runs this program where `cargo test` runs it.
    fn of(&self, root: &Path, program: &Executable) -> Command {
        let mut run = command(root, &program.path, &[]);
        run.current_dir(&program.package);
        if let Some(server) = &self.nats_server {
            run.env("TEAMMATE_NATS_SERVER", server);
        }
        if env::var_os(THREADS).is_none() {
            run.env(THREADS, self.threads.to_string());
        }
        run
    }
}
