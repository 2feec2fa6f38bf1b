//! `teammate demo`: a whole team at work, played by the built-in scripted model. Everything around the model is real.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};
use teammate_view::t;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::Value;
use teammate::{ModelRef, RunOutcome, RunStats};

use super::{CliContext, CliResult, SharedOptions, Verb, closing, exit_code, print_line};
use crate::screen::{EventPrinter, OutputFormat, Style, summary};

struct DemoPlay {
    name: &'static str,
    script: &'static str,
    /// The files of its workspace: path and content.
    files: &'static [(&'static str, &'static str)],
    /// The first message to the lead.
    prompt: &'static str,
    /// Whether an agent of another make is there.
    has_guest: bool,
}

const PLAYS: &[DemoPlay] = &[
    DemoPlay {
        name: "hello",
        script: include_str!("../../plays/hello.json"),
        files: &[],
        prompt: "Spawn alice (coder) and bob (tester). Have alice write a greeting program and bob test it.",
        has_guest: false,
    },
    DemoPlay {
        name: "board",
        script: include_str!("../../plays/board.json"),
        files: &[("rest.sh", include_str!("../../plays/board/rest.sh"))],
        prompt: "Move the shop in rest.sh from REST to GraphQL. Make a team for it and let it take its tasks from the board.",
        has_guest: false,
    },
    DemoPlay {
        name: "protocols",
        script: include_str!("../../plays/protocols.json"),
        files: &[("auth.sh", include_str!("../../plays/protocols/auth.sh"))],
        prompt: "Have alice create a config file and shut her down. Then have bob refactor auth.sh, but read his plan before he writes.",
        has_guest: false,
    },
    #[cfg(feature = "acp")]
    DemoPlay {
        name: "doors",
        script: include_str!("../../plays/doors.json"),
        files: &[("rest.sh", include_str!("../../plays/board/rest.sh"))],
        prompt: "Have bob, whom an agent of another make answers, count the lines of rest.sh, and let alice check it.",
        has_guest: true,
    },
];

/// Settings that a demo has of its own.
const OWN_SETTINGS: &[&str] = &[
    "model",
    "fallback",
    "permission-mode",
    "allow",
    "lead-may-allow",
    "no-project-instructions",
];

/// Watch a team work, without a key or a server
///
/// A scripted model plays the members. The agent loop, the mail, the shell and the files are real.
#[derive(Args)]
pub(crate) struct Demo {
    /// The play: hello (two members and their mail), board (teammates that claim tasks from the board), protocols
    /// (a shutdown, and a plan that the lead reviews before anything is written) or doors (a mixed team: an agent of
    /// another make answers a teammate)
    #[arg(default_value = "hello")]
    name: String,
    /// Play this many times faster
    #[arg(long, value_name = "TIMES", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    speed: u64,
}

impl Verb for Demo {
    const SHARED: SharedOptions = SharedOptions::AllBut(OWN_SETTINGS);

    async fn run(self, place: &CliContext) -> CliResult {
        let Some(play) = PLAYS.iter().find(|play| play.name == self.name) else {
            let names: Vec<&str> = PLAYS.iter().map(|play| play.name).collect();
            bail!(
                "there is no demo '{}'; choose one of: {}",
                self.name,
                names.join(", ")
            );
        };
        let dir = match place.options.dir_given() {
            Some(dir) => dir,
            None => temp_dir()?,
        };
        std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
        let script = dir.join("play.json");
        write(&script, &at_speed(play.script, self.speed)?)?;
        for (name, content) in play.files {
            write(&dir.join(name), content)?;
        }
        let style = Style::for_stdout();
        print_line(style.bold(&t!(
            "Demo '{name}' in {dir}",
            name = self.name,
            dir = dir.display()
        )));
        print_line(style.dim(
            t("A built-in scripted model (play.json) plays the members; the agent loop, mail, shell and files are real."),
        ));
        print_line(format!("\n{} {}\n", style.dim(t("you:")), play.prompt));
        let model = ModelRef {
            provider: "scripted".to_owned(),
            name: script.display().to_string(),
        };
        run_play(
            &place.options.for_demo(dir.clone(), &model, play.has_guest),
            play.prompt,
            &dir,
        )
        .await
    }
}

/// A play with shorter pauses between its scenes.
fn at_speed(script: &str, speed: u64) -> anyhow::Result<String> {
    if speed == 1 {
        return Ok(script.to_owned());
    }
    let mut play: Value = serde_json::from_str(script)?;
    let members = play["members"].as_object_mut().into_iter().flatten();
    for scene in members
        .filter_map(|(_, scenes)| scenes.as_array_mut())
        .flatten()
    {
        if let Some(pause) = scene["pause_ms"].as_u64() {
            scene["pause_ms"] = (pause / speed).into();
        }
    }
    Ok(play.to_string())
}

fn write(path: &Path, content: &str) -> anyhow::Result<()> {
    std::fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
}

fn temp_dir() -> anyhow::Result<PathBuf> {
    let dir = std::env::temp_dir().join(format!("teammate-demo-{}", std::process::id()));
    std::fs::create_dir(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    Ok(dir)
}

async fn run_play(options: &crate::settings::Options, prompt: &str, dir: &Path) -> CliResult {
    let begun = Instant::now();
    let team = options.builder(false)?.prepare().await?;
    let screen = tokio::spawn(EventPrinter::new(OutputFormat::Text).follow(team.events()));
    team.start().await?;
    let ending = team.run(prompt).await;
    closing::close(team).await;
    // The feed has ended, so this does.
    let _ = screen.await;
    let ending = ending?;
    print_summary(&ending.stats, begun.elapsed().as_secs_f64(), dir)?;
    if ending.outcome != RunOutcome::Done {
        bail!("the demo did not finish: {:?}", ending.outcome);
    }
    Ok(ExitCode::from(exit_code(&ending.outcome, 0)))
}

/// Prints what was made, where, and how long it took.
fn print_summary(tally: &RunStats, seconds: f64, dir: &Path) -> anyhow::Result<()> {
    let style = Style::for_stdout();
    print_line(format!("\n{}", style.bold(t("Made:"))));
    let mut names: Vec<_> = std::fs::read_dir(dir)?.filter_map(Result::ok).collect();
    names.sort_by_key(std::fs::DirEntry::file_name);
    for entry in names {
        let (path, data) = (entry.path(), entry.metadata()?);
        let what = if data.is_dir() {
            t("the team").to_owned()
        } else {
            t!("{size} bytes", size = data.len())
        };
        print_line(format!("  {}  {}", path.display(), style.dim(&what)));
    }
    print_line(format!(
        "{} {}",
        style.bold(t("Took:")),
        summary(tally, seconds)
    ));
    print_line(t!(
        "Look around: teammate --dir {dir} team · teammate --dir {dir} log",
        dir = dir.display()
    ));
    Ok(())
}
