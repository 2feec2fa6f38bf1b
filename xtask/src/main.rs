//! The developer's commands.

#![expect(clippy::print_stderr, reason = "a person reads them")]

mod torture;

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.split_first() {
        Some((&"torture", args)) => torture::run(args),
        Some(_) | None => {
            eprintln!("usage: cargo xtask {}", torture::USAGE);
            ExitCode::from(2)
        }
    }
}
