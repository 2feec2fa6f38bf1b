//! Runs a program in the repository and says how it ended.

use std::{
    env,
    ffi::OsStr,
    io::{BufRead as _, BufReader, IsTerminal as _, Read, stderr},
    path::Path,
    process::{Child, Command, Stdio},
};

/// Whether cargo keeps what it knows of a crate for the next build.
const INCREMENTAL: &str = "CARGO_INCREMENTAL";

/// How much of a command line is shown.
const SHOWN_CHARS: usize = 200;

/// How a step ended, with a few words for the summary.
pub enum Ended {
    /// It did what it was to do.
    Passed(String),
    /// It was not done, and why.
    Skipped(String),
    /// What went wrong.
    Failed(String),
}

impl Ended {
    /// Nothing is to be said of it.
    pub fn passed() -> Self {
        Self::Passed(String::new())
    }
}

/// A command in the repository. The build's own settings for xtask are not passed on, or all would be built again.
pub fn command(root: &Path, program: impl AsRef<OsStr>, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root).args(args);
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Cargo in the repository, with clippy as the compiler of the workspace's own packages where clippy is installed: a build lints what
/// it compiles, so that nothing is compiled once to be linted and once more to be run. Not incrementally, unless the environment says
/// so: from a fresh clone that costs a third more and gigabytes, and saves seconds after a change.
pub fn cargo(root: &Path, args: &[&str]) -> Command {
    let mut cargo = command(root, "cargo", args);
    if env::var_os(INCREMENTAL).is_none() {
        cargo.env(INCREMENTAL, "0");
    }
    if works("clippy-driver", &["--version"]) {
        cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    }
    cargo
}

/// Runs a build; its output is shown, and it fails for warnings, also for those of a package that was built before.
pub fn run_without_warnings(cargo: &mut Command) -> Ended {
    if stderr().is_terminal() {
        cargo.env("CARGO_TERM_COLOR", "always");
    }
    let mut targets = 0;
    let see = |line: &str| {
        eprintln!("{line}");
        targets += usize::from(is_count_of_warnings(line));
    };
    match watch(
        cargo.stderr(Stdio::piped()),
        |child| child.stderr.take(),
        see,
    ) {
        Ended::Passed(_) if targets > 0 => Ended::Failed(format!("warnings in {targets} targets")),
        ended @ (Ended::Passed(_) | Ended::Failed(_) | Ended::Skipped(_)) => ended,
    }
}

/// Whether this is cargo's last line on a target with warnings: "warning: `x` (lib) generated 2 warnings".
fn is_count_of_warnings(line: &str) -> bool {
    line.contains("warning") && line.contains("` (") && line.contains(") generated ")
}

/// Runs it; its output is shown.
pub fn run(command: &mut Command) -> Ended {
    println!("$ {}", shown(command));
    match command.status() {
        Ok(status) if status.success() => Ended::passed(),
        Ok(status) => Ended::Failed(status.to_string()),
        Err(error) => Ended::Failed(format!("cannot be run: {error}")),
    }
}

/// The same; each line of its standard output is also given to `see`.
pub fn run_seeing(command: &mut Command, mut see: impl FnMut(&str)) -> Ended {
    let piped = command.stdout(Stdio::piped());
    watch(
        piped,
        |child| child.stdout.take(),
        |line| {
            println!("{line}");
            see(line);
        },
    )
}

/// What a program has printed on its standard output, and how it ended.
pub struct Gathered {
    pub ended: Ended,
    pub lines: Vec<String>,
}

/// Runs it beside others; its standard output is shown in one piece when it has ended.
pub fn run_gathering(command: &mut Command) -> Gathered {
    let mut lines = Vec::new();
    let ended = watch(
        command.stdout(Stdio::piped()),
        |child| child.stdout.take(),
        |line| lines.push(line.to_owned()),
    );
    println!("{}\n$ ended: {}", lines.join("\n"), shown(command));
    Gathered { ended, lines }
}

/// Runs it; each line of the output that `piped` takes is given to `see`, which shows it.
fn watch<R: Read>(
    command: &mut Command,
    piped: impl FnOnce(&mut Child) -> Option<R>,
    mut see: impl FnMut(&str),
) -> Ended {
    println!("$ {}", shown(command));
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Ended::Failed(format!("cannot be run: {error}")),
    };
    if let Some(output) = piped(&mut child) {
        let lines = BufReader::new(output).lines();
        lines.map_while(Result::ok).for_each(|line| see(&line));
    }
    match child.wait() {
        Ok(status) if status.success() => Ended::passed(),
        Ok(status) => Ended::Failed(status.to_string()),
        Err(error) => Ended::Failed(error.to_string()),
    }
}

/// Whether it can be run and succeeds; its output is not shown.
pub fn works(program: impl AsRef<OsStr>, args: &[&str]) -> bool {
    let quiet = Command::new(program)
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    quiet.is_ok_and(|status| status.success())
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    let line = words.join(" ");
    match line.char_indices().nth(SHOWN_CHARS) {
        Some((at, _)) => format!("{} ... ({} words)", &line[..at], words.len()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::is_count_of_warnings;

    #[test]
    fn a_target_with_warnings_is_known_by_cargos_last_line_on_it() {
        for line in [
            "warning: `teammate-cli` (bin \"teammate\") generated 1 warning",
            "\u{1b}[33mwarning\u{1b}[0m: `x` (lib test) generated 2 warnings (1 duplicate)",
        ] {
            assert!(is_count_of_warnings(line), "{line}");
        }
        for line in [
            "warning: unused import: `Path`",
            "   Compiling teammate-cli v0.1.0",
        ] {
            assert!(!is_count_of_warnings(line), "{line}");
        }
    }
}
