//! `teammate memory`: the notes that members keep across teams.

use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use teammate::memory::{MemoryFiles, MemoryNote, MemoryScope, NoteAuthor};

use super::{
    CliContext, CliResult, SharedOptions, Verb, outside::outside_of, own_programs, print_json,
    print_line,
};
use crate::{screen::clean, settings::user_dirs};

/// Show the notes that members keep across teams; change them, and answer those that wait for your yes
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct MemoryCommand {
    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(subcommand)]
    action: Option<MemoryAction>,
}

#[derive(Subcommand)]
enum MemoryAction {
    /// List the notes
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show notes whole: all of them, or one
    Show {
        /// The title
        title: Option<String>,
    },
    /// Open the notes about this project in your editor
    Edit {
        /// Those about you
        #[arg(long)]
        user: bool,
    },
    /// Write a note, in place of one of that title
    Write {
        /// The title
        title: String,
        /// What it says
        text: String,
        /// About you, in all projects
        #[arg(long)]
        user: bool,
    },
    /// Say yes to a note that waits for it
    Accept {
        /// The title
        title: String,
        /// It is about you
        #[arg(long)]
        user: bool,
    },
    /// Remove a note
    Remove {
        /// The title
        title: String,
        /// It is about you
        #[arg(long)]
        user: bool,
    },
}

const SCOPES: [MemoryScope; 2] = [MemoryScope::Project, MemoryScope::User];

impl Verb for MemoryCommand {
    const SHARED: SharedOptions = SharedOptions::OfPlace(&[]);

    async fn run(self, place: &CliContext) -> CliResult {
        let workspace = place
            .dir
            .canonicalize()
            .with_context(|| format!("cannot use {} as a workspace", place.dir.display()))?;
        let files = MemoryFiles::of(&workspace, &user_dirs(), place.team().team_name())
            .hiding(place.options.secrets()?);
        match self.action {
            None => list(&files, self.json)?,
            Some(MemoryAction::List { json }) => list(&files, json)?,
            Some(MemoryAction::Show { title }) => show(&files, title.as_deref())?,
            Some(MemoryAction::Edit { user }) => {
                let scope = scope(user);
                // So that there is a file, with what one should know at its beginning.
                files.edit_as_user(scope, |_| Ok(()))?;
                let path = files.path(scope)?;
                let editor = own_programs::editor().ok_or_else(|| {
                    anyhow!("set VISUAL or EDITOR, or open {} yourself", path.display())
                })?;
                let opened = own_programs::edit(&editor, &path, &outside_of(&workspace));
                opened.map_err(|why| anyhow!(why))?;
            }
            Some(MemoryAction::Write { title, text, user }) => {
                files.edit_as_user(scope(user), |memory| {
                    memory.write(&title, &text, NoteAuthor::User).map(drop)
                })?;
                print_line(format!("Remembered: {}", clean(&title)));
            }
            Some(MemoryAction::Accept { title, user }) => {
                files.edit_as_user(scope(user), |memory| memory.accept(&title))?;
                print_line(format!("Accepted: {}", clean(&title)));
            }
            Some(MemoryAction::Remove { title, user }) => {
                files.edit_as_user(scope(user), |memory| {
                    memory.remove(&title, &NoteAuthor::User)
                })?;
                print_line(format!("Forgotten: {}", clean(&title)));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn scope(is_about_user: bool) -> MemoryScope {
    match is_about_user {
        true => MemoryScope::User,
        false => MemoryScope::Project,
    }
}

fn list(files: &MemoryFiles, json: bool) -> anyhow::Result<()> {
    if json {
        print_json(&json_of(files)?);
        return Ok(());
    }
    for scope in SCOPES {
        let notes = files.notes(scope)?;
        print_line(format!(
            "{}: {}",
            about(scope),
            clean(&files.path(scope)?.display().to_string())
        ));
        if notes.notes().is_empty() {
            print_line("  no notes");
        }
        for note in notes.notes() {
            print_line(format!("  {}", line(note)));
        }
    }
    Ok(())
}

fn about(scope: MemoryScope) -> &'static str {
    match scope {
        MemoryScope::Project => "About this project",
        MemoryScope::User => "About you",
    }
}

fn line(note: &MemoryNote) -> String {
    let by = match &note.by {
        Some(origin) => clean(&origin.to_string()).into_owned(),
        None => "by you".to_owned(),
    };
    let waits = if note.is_proposed() {
        "  waits for your yes"
    } else {
        ""
    };
    format!("{}  ({by}){waits}", clean(&note.title))
}

fn show(files: &MemoryFiles, title: Option<&str>) -> anyhow::Result<()> {
    let mut is_found = false;
    for scope in SCOPES {
        let notes = files.notes(scope)?;
        let wanted = |note: &&MemoryNote| {
            let one = title.and_then(|title| notes.note(title));
            title.is_none() || one == Some(*note)
        };
        for note in notes.notes().iter().filter(wanted) {
            is_found = true;
            print_line(line(note));
            for text in note.text.lines() {
                print_line(format!("    {}", clean(text)));
            }
        }
    }
    match (is_found, title) {
        (false, Some(title)) => Err(anyhow!(
            "there is no note '{title}'; `teammate memory` lists them"
        )),
        (false, None) => {
            print_line("No notes");
            Ok(())
        }
        (true, _) => Ok(()),
    }
}

fn json_of(files: &MemoryFiles) -> anyhow::Result<Value> {
    let mut all = Vec::new();
    for scope in SCOPES {
        for note in files.notes(scope)?.notes() {
            all.push(json!({
                "about": scope,
                "title": note.title,
                "text": note.text,
                "by": note.by,
            }));
        }
    }
    Ok(json!({
        "project_file": files.path(MemoryScope::Project)?,
        "user_file": files.path(MemoryScope::User)?,
        "notes": all,
    }))
}
