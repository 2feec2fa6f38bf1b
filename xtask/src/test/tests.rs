//! Steps that run `cargo test`: always on the whole workspace, so that each package is built once with one set of features, and with
//! the test programs named.

use std::{
    env, fs,
    num::NonZero,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

use xtask::{
    built,
    command::{Ended, cargo, command, run_seeing},
    tools,
};

use super::{
    executables::{self, Executable},
    tags,
};

/// The test program of the whole program.
const END_TO_END: &str = "e2e";
/// The test program that reads the whole repository.
const GUARDS: &str = "guards";
/// Test programs of teams on several machines.
const OF_MACHINES: [&str; 2] = ["nats", "runtime"];
/// Where other test programs have such tests.
const ON_SERVERS: [&str; 2] = ["nats::", "on_servers::"];

/// How the test programs learn how many tests run side by side.
const THREADS: &str = "RUST_TEST_THREADS";

/// How many tests run side by side: about half of their time they wait for processes, disks and timers.
fn test_threads() -> usize {
    2 * thread::available_parallelism().map_or(1, NonZero::get)
}

/// Every crate for itself but for what is tagged as slow, and the end-to-end stories that are tagged as fast. A test program that has
/// passed as it is passes again.
pub(super) fn fast(root: &Path) -> Ended {
    // Tests of crates start examples as servers and agents, which `cargo test` builds only where no target is named.
    if let Err(ended) = built::programs(root, &[]) {
        return ended;
    }
    let mut build = CargoTest::new("--lib --bins", &crates_alone(root));
    build.targets(&["library", "runtime", END_TO_END]);
    let programs = match executables::build(root, &build.arguments) {
        Ok(programs) => programs,
        Err(why) => return Ended::Failed(why),
    };
    let (slow, stories) = (tags::slow(root), tags::fast(root));
    let mut counted = Counted::new(root);
    let mut unchanged = 0;
    for program in &programs {
        let is_end_to_end = program.name == END_TO_END;
        let looks_further = is_end_to_end || program.name == GUARDS;
        if !looks_further && program.has_passed(root) {
            unchanged += 1;
            continue;
        }
        let mut run = run_of(root, program);
        if is_end_to_end {
            run.arg("--exact").args(&stories);
        } else {
            run.args(slow.iter().flat_map(|name| ["--skip", name]));
        }
        let before = counted.passed;
        let has_passed = counted.run(&mut run);
        let ran = counted.passed - before;
        if is_end_to_end && ran != stories.len() {
            let wrong = format!("{} stories are tagged, {ran} passed", stories.len());
            counted.wrong.push(wrong);
        }
        if has_passed && !looks_further {
            program.note_passed(root);
        }
    }
    if unchanged > 0 {
        println!(
            "{unchanged} test programs are as they were when they passed, and were not run again"
        );
    }
    counted.ended()
}

/// Every crate for itself; doctests too. Of a test program that the fast tier has seen pass as it is, only what that left out.
pub(super) fn of_crates(root: &Path) -> Ended {
    if let Err(ended) = built::programs(root, &[]) {
        return ended;
    }
    let build = CargoTest::new("--lib --bins", &crates_alone(root));
    let programs = match executables::build(root, &build.arguments) {
        Ok(programs) => programs,
        Err(why) => return Ended::Failed(why),
    };
    let slow = tags::slow(root);
    let mut counted = Counted::new(root);
    for program in &programs {
        let mut run = run_of(root, program);
        if program.has_passed(root) {
            run.args(&slow);
        }
        counted.run(&mut run);
    }
    let mut library = CargoTest::new("", &["library".to_owned()]);
    library.filter(["--skip", "on_servers::"]);
    counted.run_all(root, &[library, CargoTest::new("--doc", &[])]);
    counted.ended()
}

/// A test program, to be run where `cargo test` runs it.
fn run_of(root: &Path, program: &Executable) -> Command {
    let mut run = command(root, &program.path, &[]);
    run.current_dir(&program.package);
    if env::var_os(THREADS).is_none() {
        run.env(THREADS, test_threads().to_string());
    }
    run
}

/// The whole program.
pub(super) fn end_to_end(root: &Path) -> Ended {
    let mut all = CargoTest::new("", &[END_TO_END.to_owned()]);
    all.filter(ON_SERVERS.iter().flat_map(|name| ["--skip", name]));
    all.threads = Some(test_threads());
    run_all(root, &[all])
}

/// Teams on several machines.
pub(super) fn on_machines(root: &Path) -> Ended {
    let whole = CargoTest::new("", &OF_MACHINES.map(str::to_owned));
    let mut some = CargoTest::new("", &["library".to_owned(), END_TO_END.to_owned()]);
    some.filter(ON_SERVERS);
    run_all(root, &[whole, some])
}

/// A sentence on the tests that the fast tier passes over.
pub(super) fn left_out(root: &Path) -> String {
    format!(
        "tests, e2e, machines: {} long stories of crates, doctests, examples, the tests on NATS servers, and all end-to-end stories \
         but {} (tagged `// {}` and `// {}`)",
        tags::slow(root).len(),
        tags::fast(root).len(),
        tags::SLOW,
        tags::FAST,
    )
}

/// The test programs of crates that need nothing but the crate: all but the whole program's, the library's and the machines'.
fn crates_alone(root: &Path) -> Vec<String> {
    let apart = [END_TO_END, "library"].into_iter().chain(OF_MACHINES);
    let apart: Vec<&str> = apart.collect();
    let packages = fs::read_dir(root.join("crates")).into_iter().flatten();
    let mut dirs: Vec<_> = packages.flatten().map(|entry| entry.path()).collect();
    dirs.extend([root.join("xtask"), root.join("rig")]);
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

/// One call of `cargo test`.
struct CargoTest {
    arguments: Vec<String>,
    filter: Vec<String>,
    /// How many tests run side by side, if not one for each processor.
    threads: Option<usize>,
}

impl CargoTest {
    fn new(kinds: &str, targets: &[String]) -> Self {
        let mut test = Self {
            arguments: kinds.split_whitespace().map(str::to_owned).collect(),
            filter: Vec::new(),
            threads: None,
        };
        let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        test.targets(&targets);
        test
    }

    fn targets(&mut self, names: &[&str]) {
        let named = names.iter().flat_map(|name| ["--test", name]);
        self.arguments.extend(named.map(str::to_owned));
    }

    fn filter<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        self.filter.extend(words.into_iter().map(str::to_owned));
    }
}

/// Runs each, passes on what it says and adds up the closing lines.
fn run_all(root: &Path, all: &[CargoTest]) -> Ended {
    let mut counted = Counted::new(root);
    counted.run_all(root, all);
    counted.ended()
}

/// What several runs say at their ends.
struct Counted {
    passed: usize,
    failed: usize,
    wrong: Vec<String>,
    nats_server: Option<PathBuf>,
}

impl Counted {
    fn new(root: &Path) -> Self {
        Self {
            passed: 0,
            failed: 0,
            wrong: Vec::new(),
            nats_server: tools::nats_server(root),
        }
    }

    /// Runs tests and adds up; returns whether all have passed.
    fn run(&mut self, tests: &mut Command) -> bool {
        if let Some(server) = &self.nats_server {
            tests.env("TEAMMATE_NATS_SERVER", server);
        }
        let ended = run_seeing(tests, |line| {
            if let Some(closing) = line.strip_prefix("test result: ") {
                self.passed += count(closing, " passed");
                self.failed += count(closing, " failed");
            }
        });
        match ended {
            Ended::Passed(_) => true,
            Ended::Failed(why) | Ended::Skipped(why) => {
                self.wrong.push(why);
                false
            }
        }
    }

    fn run_all(&mut self, root: &Path, all: &[CargoTest]) {
        for test in all {
            let mut cargo = cargo(root, &["test", "--workspace", "--no-fail-fast"]);
            cargo.args(&test.arguments).arg("--").args(&test.filter);
            if let Some(threads) = test.threads
                && env::var_os(THREADS).is_none()
            {
                cargo.env(THREADS, threads.to_string());
            }
            self.run(&mut cargo);
        }
    }

    fn ended(self) -> Ended {
        let Self {
            passed,
            failed,
            wrong,
            nats_server: _,
        } = self;
        println!("all tests together: {passed} passed, {failed} failed");
        if wrong.is_empty() {
            return Ended::Passed(format!("{passed} tests"));
        }
        Ended::Failed(format!(
            "{failed} of {} tests; {}",
            passed + failed,
            wrong.join("; ")
        ))
    }
}

/// The number that stands before `word`.
fn count(closing: &str, word: &str) -> usize {
    closing
        .split(['.', ';'])
        .find_map(|part| part.trim().strip_suffix(word)?.parse().ok())
        .unwrap_or(0)
}
