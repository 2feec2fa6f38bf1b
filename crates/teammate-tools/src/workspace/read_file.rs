//! `read_file`: shows a text file, or a part of it, or a picture, or a document.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _},
};

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    attachment::MediaType,
    port::{Action, Target, ToolContext, Workspace},
    tool::{EffectClass, Outcome, OutcomePart},
};
use teammate_process::blocking::{self, CancelFlag};

use crate::{
    beneath::{Intent, ResolvedPath, resolve},
    media,
    typed_tool::{Reply, TypedTool},
    workspace::known::{KnownFiles, Reader, VersionReader},
};

mod kind;
mod nearest;
mod page;

use kind::Kind;
use page::Page;

/// What it shows is known by its reader.
pub(super) struct ReadFile(pub(super) KnownFiles);

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(alias = "file_path")]
    path: String,
    /// First line, from 1.
    #[serde(default)]
    offset: Option<u64>,
    #[serde(default)]
    limit: Option<u64>,
}

impl TypedTool for ReadFile {
    type Input = Input;
    const NAME: &'static str = "read_file";
    const DESCRIPTION: &'static str = "Read a text file or a part of it, a picture, a PDF, or a kept output. Directories: \
        {tool:glob}.";
    const CLASS: EffectClass = EffectClass::Reads;

    fn action(&self, input: &Input, context: &ToolContext) -> Result<Action, Outcome> {
        let place = resolve(&context.workspace, &input.path, Intent::Look)?;
        let shown = place.display_path().display().to_string();
        Ok(Action {
            shows: format!("read {shown}"),
            summary: match (input.offset, input.limit) {
                (None, None) => shown,
                (Some(from), None) => format!("{shown} (from line {from})"),
                (from, Some(count)) => {
                    format!("{shown} ({count} lines from {})", from.unwrap_or(1))
                }
            },
            target: Target::Path(place.location()),
        })
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let workspace = context.workspace.clone();
        let (known, reader) = (self.0.clone(), Reader::of(&context.caller));
        blocking::run(move |stop| read(&input, &workspace, (&known, &reader), stop)).await
    }
}

fn read(
    input: &Input,
    workspace: &Workspace,
    (known, reader): (&KnownFiles, &Reader),
    stop: &CancelFlag,
) -> Result<Outcome, Outcome> {
    let place = resolve(workspace, &input.path, Intent::Look)?;
    let shown = place.display_path().display();
    let failed = |why: io::Error| Outcome::error(format!("'{shown}' cannot be read: {why}."));
    let mut file = match place.open() {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(absent(&place, workspace, stop));
        }
        Err(error) => return Err(failed(error)),
    };
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(Outcome::error(format!(
            "'{shown}' is a directory; find what is in it with the pattern \"*\" and this path."
        )));
    }
    if !metadata.is_file() {
        return Err(Outcome::error(format!(
            "'{shown}' is not a regular file (a device, pipe or socket)."
        )));
    }
    match kind_of(&mut file).map_err(failed)? {
        Kind::Media(kind) => show(file, metadata.len(), kind, &place),
        Kind::Binary(guess) => Err(Outcome::error(format!(
            "'{shown}' is a binary file, {} bytes, {guess}; look into it with a shell command.",
            metadata.len()
        ))),
        Kind::Text => {
            let mut file = VersionReader::new(file);
            let page = Page::new(input.offset, input.limit).read(&mut file, stop);
            let page = page.map_err(failed)?;
            if !stop.is_set() {
                known.read(reader, place.full(), file.version(), page.shown());
            }
            page.outcome(&shown.to_string())
        }
    }
}

/// Looks at the beginning and goes back to it.
fn kind_of(file: &mut File) -> io::Result<Kind> {
    let mut start = Vec::new();
    file.by_ref()
        .take(kind::SAMPLE_BYTES)
        .read_to_end(&mut start)?;
    file.rewind()?;
    Ok(Kind::guess(&start))
}

fn show(file: File, bytes: u64, kind: MediaType, place: &ResolvedPath) -> Result<Outcome, Outcome> {
    let path = place.display_path();
    let name = path.display();
    let shown = media::show(file, bytes, kind)
        .map_err(|why| Outcome::error(format!("'{name}' cannot be shown: {why}.")))?;
    let text = shown.describe(&name.to_string(), kind);
    let file_name = path.file_name().unwrap_or(path.as_os_str());
    let part = shown.part(file_name.to_string_lossy().into_owned());
    Ok(Outcome {
        parts: vec![OutcomePart::Text(text), part],
        is_error: false,
        ran: None,
        change: None,
        merge: None,
        refused: None,
    })
}

fn absent(place: &ResolvedPath, workspace: &Workspace, stop: &CancelFlag) -> Outcome {
    let shown = place.display_path().display();
    Outcome::error(match nearest::file(workspace, place.display_path(), stop) {
        Some(near) => format!("'{shown}' does not exist. Did you mean {}?", near.display()),
        None => format!("'{shown}' does not exist; search for its name."),
    })
}
