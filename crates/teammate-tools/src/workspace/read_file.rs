//! `read_file`: shows a text file, or a part of it, or a picture, or a document.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _},
    path::{Path, PathBuf},
};

use ignore::WalkBuilder;
use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    attachment::MediaType,
    name::edit_distance,
    port::{Action, Target, ToolContext, Workspace},
    tool::{EffectClass, Outcome, OutcomePart},
};
use teammate_process::blocking::{self, CancelFlag};

use crate::{
    beneath::{Intent, ResolvedPath, resolve, team_dirs},
    media::{self, media_type},
    typed_tool::{Reply, TypedTool},
    workspace::{
        known::{FileReader, FileVersion, KnownFiles, VersionReader},
        text_encoding::TextEncoding,
    },
};

mod page;

use page::FilePage;

/// How many bytes of a file are looked at to guess what it is.
const SAMPLE_BYTES: u64 = 8192;
/// The longest file in UTF-16 that is read.
const UTF16_BYTES_MAX: u64 = 16 << 20;
/// How many entries of the workspace are looked at for the file that was probably meant.
const LOOKED_AT_MAX: usize = 5_000;

/// The kind of a file, guessed from its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GuessedKind {
    Text,
    /// Text in UTF-16, by its mark.
    Utf16,
    /// A picture or document.
    Media(MediaType),
    /// Something else, in words.
    Binary(&'static str),
}

/// First bytes that tell.
const MAGIC: [(&[u8], GuessedKind); 10] = [
    (
        b"PK\x03\x04",
        GuessedKind::Binary("a zip archive (also docx, xlsx, jar, whl)"),
    ),
    (b"\x1f\x8b", GuessedKind::Binary("gzip data")),
    (b"\xfd7zXZ\0", GuessedKind::Binary("xz data")),
    (b"(\xb5/\xfd", GuessedKind::Binary("zstd data")),
    (b"\x7fELF", GuessedKind::Binary("an ELF program or library")),
    (
        b"\xcf\xfa\xed\xfe",
        GuessedKind::Binary("a Mach-O program or library"),
    ),
    (b"\0asm", GuessedKind::Binary("a WebAssembly module")),
    (
        b"SQLite format 3\0",
        GuessedKind::Binary("a SQLite database"),
    ),
    (b"\xff\xfe", GuessedKind::Utf16),
    (b"\xfe\xff", GuessedKind::Utf16),
];

/// The tool `read_file`; its readers know how each kind is shown.
pub(crate) struct ReadFile(pub(super) KnownFiles);

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
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
        let (known, reader) = (self.0.clone(), FileReader::of(&context.caller));
        blocking::run(move |stop| read(&input, &workspace, (&known, &reader), stop)).await
    }
}

fn read(
    input: &Input,
    workspace: &Workspace,
    (known, reader): (&KnownFiles, &FileReader),
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
        GuessedKind::Media(kind) => show(file, metadata.len(), kind, &place),
        GuessedKind::Binary(guess) => Err(Outcome::error(format!(
            "'{shown}' is a binary file, {} bytes, {guess}; look into it with a shell command.",
            metadata.len()
        ))),
        GuessedKind::Utf16 => {
            let bytes = whole_bytes(&mut file).map_err(failed)?;
            let text = TextEncoding::of(&bytes).decode(&bytes);
            let Some(text) = text.filter(|_| bytes.len() as u64 == metadata.len()) else {
                return Err(Outcome::error(format!(
                    "'{shown}' looks like UTF-16 text, {} bytes, and is not or is too long; look into it with a shell command.",
                    metadata.len()
                )));
            };
            let text = text.trim_start_matches('\u{feff}');
            let page = FilePage::new(input.offset, input.limit).of_utf16();
            let page = page.read(text.as_bytes(), stop).map_err(failed)?;
            if !stop.is_set() {
                known.read(reader, place.full(), FileVersion::of(&bytes), page.shown());
            }
            page.outcome(&shown.to_string())
        }
        GuessedKind::Text => {
            let mut file = VersionReader::new(file);
            let page = FilePage::new(input.offset, input.limit).read(&mut file, stop);
            let page = page.map_err(failed)?;
            if !stop.is_set() {
                known.read(reader, place.full(), file.version(), page.shown());
            }
            page.outcome(&shown.to_string())
        }
    }
}

/// A file as a whole, up to a limit.
fn whole_bytes(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(UTF16_BYTES_MAX).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Looks at the beginning and goes back to it.
fn kind_of(file: &mut File) -> io::Result<GuessedKind> {
    let mut start = Vec::new();
    file.by_ref().take(SAMPLE_BYTES).read_to_end(&mut start)?;
    file.rewind()?;
    Ok(GuessedKind::guess(&start))
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
    Outcome::error(match nearest(workspace, place.display_path(), stop) {
        Some(near) => format!("'{shown}' does not exist. Did you mean {}?", near.display()),
        None => format!("'{shown}' does not exist; search for its name."),
    })
}

/// The existing file whose name, and then whose path, is nearest to `wanted`. Relative to the workspace.
fn nearest(workspace: &Workspace, wanted: &Path, stop: &CancelFlag) -> Option<PathBuf> {
    let name = wanted.file_name()?.to_string_lossy().into_owned();
    let path = wanted.to_string_lossy();
    let teams = team_dirs(workspace);
    WalkBuilder::new(&workspace.root)
        .require_git(false)
        .filter_entry(move |entry| !teams.iter().any(|dir| entry.path() == dir))
        .build()
        .take(LOOKED_AT_MAX)
        .take_while(|_| !stop.is_set())
        .flatten()
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .filter_map(|entry| {
            let near = edit_distance(&name, &entry.file_name().to_string_lossy());
            let found = entry.path().strip_prefix(&workspace.root).ok()?.to_owned();
            (near <= 1 + name.chars().count() / 4).then_some((near, found))
        })
        .min_by_key(|(near, found)| (*near, edit_distance(&path, &found.to_string_lossy())))
        .map(|(_, found)| found)
}

impl GuessedKind {
    /// The likely kind of a file that begins with `start`.
    fn guess(start: &[u8]) -> Self {
        if let Some(kind) = media_type(start) {
            return Self::Media(kind);
        }
        let known = MAGIC.iter().find(|(magic, _)| start.starts_with(magic));
        match known {
            Some((_, kind)) => *kind,
            None if memchr::memchr(0, start).is_some() => Self::Binary("of unknown type"),
            None => Self::Text,
        }
    }
}
