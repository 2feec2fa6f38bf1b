//! All benchmarks, and what becomes of their rows: a table for the user, `target/bench/results.json` for a program.

mod board;
mod burst;
mod calls;
mod disk;
mod goodbye;
mod hooks;
mod hops;
mod idle;
mod job;
mod launch;
mod life;
mod machines;
mod mail;
mod otel;
mod outage;
mod page;
mod program;
mod recovery;
mod row;
mod sample;
mod scale;
mod seal;
mod servers;
mod turns;
mod wire;

use std::{error::Error, fs, process::ExitCode, time::Instant};

use row::Row;

/// What a benchmark ends with.
type Measured = Result<Vec<Row>, Box<dyn Error + Send + Sync>>;

/// A benchmark.
type Benchmark = fn(Effort) -> Measured;

/// How thoroughly to measure.
#[derive(Clone, Copy)]
struct Effort {
    is_quick: bool,
}

impl Effort {
    /// So often in a full run, or so often in a quick one.
    fn times(self, full: usize, quick: usize) -> usize {
        if self.is_quick { quick } else { full }
    }
}

/// Those there are, by name.
const ALL: &[(&str, Benchmark)] = &[
    ("disk", disk::measure),
    ("launch", launch::measure),
    ("turns", turns::measure),
    ("calls", calls::measure),
    ("hooks", hooks::measure),
    ("servers", servers::measure),
    ("otel", otel::measure),
    ("life", life::measure),
    ("idle", idle::measure),
    ("mail", mail::measure),
    ("seal", seal::measure),
    ("board", board::measure),
    ("hops", hops::measure),
    ("job", job::measure),
    ("burst", burst::measure),
    ("recovery", recovery::measure),
    ("outage", outage::measure),
    ("goodbye", goodbye::measure),
    ("scale", scale::measure),
    ("page", page::measure),
    ("machines-store", machines::store),
    ("machines-claims", machines::claims),
    ("machines-takeover", machines::takeover),
    ("machines-crowd", machines::crowd),
];

/// Runs all, or those that are named.
pub(crate) fn run(args: &[&str]) -> ExitCode {
    // The floor that launches are compared with: a program that connects, posts and leaves.
    if let ["post", address] = args {
        return launch::post(address);
    }
    // A server of tools that costs as little as one can.
    if let ["serve-tools", tools] = args {
        return servers::serve(tools);
    }
    let effort = Effort {
        is_quick: args.contains(&"--quick"),
    };
    let named: Vec<&str> = args
        .iter()
        .copied()
        .filter(|arg| *arg != "--quick")
        .collect();
    if let Some(unknown) = named
        .iter()
        .find(|name| !ALL.iter().any(|(known, _)| means(name, known)))
    {
        let names: Vec<&str> = ALL.iter().map(|(name, _)| *name).collect();
        eprintln!(
            "there is no benchmark '{unknown}'; there are: {}",
            names.join(", ")
        );
        return ExitCode::from(2);
    }
    let mut rows = Vec::new();
    let mut failed = false;
    let before = load();
    for (name, measure) in ALL {
        if !named.is_empty() && !named.iter().any(|named| means(named, name)) {
            continue;
        }
        let begun = Instant::now();
        match measure(effort) {
            Ok(found) => {
                eprintln!("{name}: {:.1} s", begun.elapsed().as_secs_f64());
                rows.extend(found);
            }
            Err(error) => {
                eprintln!("{name}: could not be measured: {error}");
                failed = true;
            }
        }
    }
    let machine = format!("{} CPUs, load {before} -> {}", cpus(), load());
    println!("\n{machine}\n\n{}", row::table(&rows));
    let dir = xtask::root().join("target/bench");
    let file = dir.join("results.json");
    let written =
        fs::create_dir_all(&dir).and_then(|()| fs::write(&file, row::json(&machine, &rows)));
    match written {
        Ok(()) => println!("\nwritten to {}", file.display()),
        Err(error) => eprintln!("{} cannot be written: {error}", file.display()),
    }
    if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Whether this word means the benchmark: it is its name, or what is before the dash.
fn means(word: &str, name: &str) -> bool {
    let group = name.split_once('-').map(|(group, _)| group);
    word == name || group == Some(word)
}

fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How many wanted to run in the last minute: with more than there are CPUs, times are others' times too.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("?").to_owned()
}
