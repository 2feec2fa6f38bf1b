//! The developer's commands: `cargo xtask test`, `cargo xtask bench`, `cargo xtask doors`, `cargo xtask man`,
//! `cargo xtask pictures`, `cargo xtask simulate`, `cargo xtask structure`, `cargo xtask torture`, `cargo xtask wild`.

#![expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a person reads them"
)]

mod man;
mod pictures;
mod rig;
mod simulate;
mod structure;
mod test;

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.split_first() {
        Some((&"test", args)) => test::run(args),
        Some((name @ (&"bench" | &"doors" | &"torture" | &"wild"), args)) => {
            rig::run_command(name, args)
        }
        Some((&"man", args)) => man::run(args),
        Some((&"pictures", args)) => pictures::run(args),
        Some((&"simulate", args)) => simulate::run_seeds(args),
        Some((&"structure", args)) => structure::run(args),
        Some(_) | None => {
            for usage in [
                test::USAGE,
                man::USAGE,
                pictures::USAGE,
                simulate::USAGE,
                structure::USAGE,
                rig::USAGE,
            ] {
                eprintln!("usage: cargo xtask {usage}");
            }
            ExitCode::from(2)
        }
    }
}
