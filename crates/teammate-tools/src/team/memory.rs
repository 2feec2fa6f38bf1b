//! `memory`: notes that outlive the team, where the user has members keep some.
//!
//! A member writes about the project. What it would remember about the user, in all projects, and what it writes while its
//! conversation holds mail of which nobody knows the author, counts only after the user's yes.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    fence::fenced,
    memory::{MemoryNotes, MemoryScope, NoteAuthor, NoteOrigin},
    port::{Action, MemoryError, MemoryStore, ToolContext},
    tool::{EffectClass, Outcome},
};
use teammate_process::blocking;

use crate::{
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

/// The most bytes that a search shows.
const FOUND_BYTES_MAX: usize = 8_000;

pub(crate) struct KeepNotes(pub(crate) Arc<dyn MemoryStore>);

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum What {
    #[serde(alias = "replace")]
    Write,
    Remove,
    Search,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    action: What,
    /// Of the note; for search: words.
    #[serde(alias = "query")]
    title: String,
    #[serde(default)]
    text: Option<String>,
    /// Not the project but the user in all projects: counts after the user's yes.
    #[serde(default)]
    about_user: bool,
}

impl Input {
    fn scope(&self) -> MemoryScope {
        match self.about_user {
            true => MemoryScope::User,
            false => MemoryScope::Project,
        }
    }
}

impl TypedTool for KeepNotes {
    type Input = Input;
    const NAME: &'static str = "memory";
    const DESCRIPTION: &'static str = "Notes for later teams: lasting facts about this project that its files do not \
        say. Write replaces the note of that title.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let word = match input.action {
            What::Write => "remember",
            What::Remove => "forget",
            What::Search => "search notes for",
        };
        let title = one_line(&input.title, 80);
        let text = input.text.as_deref().unwrap_or_default();
        let shows = format!("{word} {}\n{text}", input.title);
        Ok(team_action(shows.trim_end(), format!("{word} {title}")))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let store = self.0.clone();
        let context = context.clone();
        blocking::run(move |_| match input.action {
            What::Write => write(&*store, &input, &context),
            What::Remove => remove(&*store, &input, &context),
            What::Search => search(&*store, &input.title),
        })
        .await
    }
}

fn write(store: &dyn MemoryStore, input: &Input, context: &ToolContext) -> Reply {
    let Some(text) = &input.text else {
        return Err(Outcome::error(
            "Nothing was remembered: a note needs its text.",
        ));
    };
    let author = author(store, input, context);
    let mut was_there = false;
    let written = store.change(input.scope(), &mut |memory| {
        was_there = memory.write(&input.title, text, author.clone())?;
        Ok(())
    });
    written.map_err(|why| refused("remembered", &why))?;
    let waits = match &author {
        NoteAuthor::Member(origin) if origin.is_proposed => " It counts only after the user's yes.",
        NoteAuthor::Member(_) | NoteAuthor::User => "",
    };
    let word = if was_there { "Replaced" } else { "Remembered" };
    done(format!("{word}.{waits}"))
}

fn remove(store: &dyn MemoryStore, input: &Input, context: &ToolContext) -> Reply {
    let author = author(store, input, context);
    let removed = store.change(input.scope(), &mut |memory| {
        memory.remove(&input.title, &author)
    });
    removed.map_err(|why| refused("forgotten", &why))?;
    done("Forgotten.")
}

fn search(store: &dyn MemoryStore, words: &str) -> Reply {
    let mut found = String::new();
    for scope in [MemoryScope::Project, MemoryScope::User] {
        let memory = store.read(scope).map_err(|why| refused("found", &why))?;
        found.push_str(&listed(&memory, words));
    }
    if found.is_empty() {
        return done("No note has these words.");
    }
    if found.len() > FOUND_BYTES_MAX {
        let end = found.floor_char_boundary(FOUND_BYTES_MAX);
        found.truncate(end);
        found.push_str("\n[More were found; search for more words]");
    }
    done(fenced("notes", "memory", &found))
}

fn listed(memory: &MemoryNotes, words: &str) -> String {
    let found = memory.search(words);
    found
        .map(|note| {
            let by = note.by.as_ref();
            let by = by.map_or_else(|| "by the user".to_owned(), ToString::to_string);
            format!("## {}\n{}\n({by})\n", note.title, note.text)
        })
        .collect()
}

/// The caller, with whose words stand behind what it does.
fn author(store: &dyn MemoryStore, input: &Input, context: &ToolContext) -> NoteAuthor {
    let caller = &context.caller;
    NoteAuthor::Member(NoteOrigin {
        member: caller.name.clone(),
        team: store.team().to_owned(),
        day: store.today(),
        from: caller.sources.to_string(),
        is_proposed: input.scope() == MemoryScope::User || caller.sources.has_unverified(),
    })
}

fn refused(done: &str, why: &MemoryError) -> Outcome {
    Outcome::error(format!("Nothing was {done}: {why}."))
}
