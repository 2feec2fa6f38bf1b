//! `fs/read_text_file` and `fs/write_text_file`: files of the workspace, and no others.

use std::{path::PathBuf, sync::Arc};

use serde::Deserialize;
use serde_json::{Value, json};
use teammate_core::port::{LineRange, WorkspaceFiles};

use crate::rpc::{BAD_PARAMETERS, FAILED};

#[derive(Deserialize)]
struct Read {
    path: PathBuf,
    /// From 1.
    #[serde(default)]
    line: Option<usize>,
    #[serde(default)]
    limit: Option<usize>,
}

#[derive(Deserialize)]
struct Write {
    path: PathBuf,
    content: String,
}

type Answer = Result<Value, (i64, String)>;

/// Answers with the text of a file, or with lines of it.
pub(crate) fn read(files: &Arc<dyn WorkspaceFiles>, params: Value) -> Answer {
    let asked: Read = parse(params)?;
    let lines = LineRange {
        first: asked.line.unwrap_or(LineRange::ALL.first).max(1),
        count: asked.limit.unwrap_or(LineRange::ALL.count),
    };
    let text = files.read(&asked.path, lines);
    let text = text.map_err(|why| (FAILED, why))?;
    Ok(json!({ "content": text }))
}

/// Writes a file.
pub(crate) fn write(files: &Arc<dyn WorkspaceFiles>, params: Value) -> Answer {
    let asked: Write = parse(params)?;
    let written = files.write(&asked.path, &asked.content);
    written.map(|()| json!({})).map_err(|why| (FAILED, why))
}

fn parse<T: serde::de::DeserializeOwned>(params: Value) -> Result<T, (i64, String)> {
    serde_json::from_value(params).map_err(|error| (BAD_PARAMETERS, error.to_string()))
}
