//! What measures the product and what tries to break it: `cargo xtask bench`, `cargo xtask doors`, `cargo xtask torture` and `cargo
//! xtask wild` build this program and run it. It is a package of its own because it needs half of the product, which the other
//! commands do without.

#![expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a person reads them"
)]

mod bench;
mod doors;
mod listed;
mod monitor;
mod torture;
mod wild;

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.split_first() {
        Some((&"bench", args)) => bench::run(args),
        Some((&"doors", args)) => doors::run(args),
        Some((&"torture", args)) => torture::run(args),
        Some((&"wild", args)) => wild::run(args),
        Some(_) | None => {
            for usage in [bench::USAGE, doors::USAGE, torture::USAGE, wild::USAGE] {
                eprintln!("usage: cargo xtask {usage}");
            }
            ExitCode::from(2)
        }
    }
}
