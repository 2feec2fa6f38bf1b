//! `teammate completions` and `teammate man`: what shells and `man` know of the command line, made from the command line itself.

use std::{
    io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context as _;
use clap::{Args, Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;

use super::{Cli, CliContext, CliResult, SharedOptions, Verb, help, print_line};

/// Print the script that lets a shell complete commands and flags
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

const AFTER_HELP: &str = "\
Examples:
  bash   teammate completions bash > ~/.local/share/bash-completion/completions/teammate
  zsh    teammate completions zsh > ~/.zfunc/_teammate      (with ~/.zfunc in $fpath)
  fish   teammate completions fish > ~/.config/fish/completions/teammate.fish";

impl Verb for Completions {
    const SHARED: SharedOptions = SharedOptions::None;

    async fn run(self, _: &CliContext) -> CliResult {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command(), "teammate", &mut script);
        print_line(String::from_utf8_lossy(&script).trim_end());
        Ok(ExitCode::SUCCESS)
    }
}

/// Write the manual pages into a directory, one for each command
#[derive(Args)]
#[command(hide = true)]
pub(crate) struct ManPages {
    /// Where to; made if it is not there
    dir: PathBuf,
}

impl Verb for ManPages {
    const SHARED: SharedOptions = SharedOptions::None;

    async fn run(self, _: &CliContext) -> CliResult {
        std::fs::create_dir_all(&self.dir)
            .and_then(|()| write_pages(&self.dir, command()))
            .with_context(|| format!("cannot write {}", self.dir.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn command() -> Command {
    help::arranged(Cli::command())
}

/// The page of a command, and those of the commands below it, named as `teammate-tasks-add.1`.
fn write_pages(dir: &Path, command: Command) -> io::Result<()> {
    for below in command.get_subcommands() {
        if !below.is_hide_set() && below.get_name() != "help" {
            write_pages(dir, below.clone())?;
        }
    }
    Man::new(command).generate_to(dir)?;
    Ok(())
}
