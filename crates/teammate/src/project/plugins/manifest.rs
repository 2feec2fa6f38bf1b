//! Manifests of plug-ins, in the formats of the programs that have plug-ins.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{PluginName, PluginNameError};
use crate::project::tree::Tree;

/// The most bytes of a manifest.
const BYTES_MAX: usize = 256 * 1024;

/// A file that lists plug-ins.
const MARKETPLACE: &str = ".claude-plugin/marketplace.json";

/// The file in which a Gemini extension has its context for models, unless it names another one.
const GEMINI_CONTEXT: &str = "GEMINI.md";

/// Whose format a plug-in has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Make {
    /// `.claude-plugin/plugin.json`.
    Claude,
    /// `.codex-plugin/plugin.json`.
    Codex,
    /// `gemini-extension.json`, of which the servers and the context are used.
    Gemini,
}

impl Make {
    /// All, in the order in which they are looked for.
    const ALL: [Self; 3] = [Self::Claude, Self::Codex, Self::Gemini];

    /// The file by which it is known.
    pub fn file(self) -> &'static str {
        match self {
            Self::Claude => ".claude-plugin/plugin.json",
            Self::Codex => ".codex-plugin/plugin.json",
            Self::Gemini => "gemini-extension.json",
        }
    }
}

/// A plug-in that a marketplace lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name in the list.
    pub name: String,
    /// Where it is, as the marketplace says it.
    pub source: String,
}

/// Why a directory is no plug-in.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// There is no manifest.
    #[error("it has no {}, {} or {}", Make::Claude.file(), Make::Codex.file(), Make::Gemini.file())]
    Missing,
    /// It is a list of plug-ins.
    #[error("it is a marketplace, and no plug-in")]
    Marketplace(Vec<Listed>),
    /// It is not what it should be.
    #[error("{file} cannot be used: {why}")]
    Shape {
        /// Which.
        file: &'static str,
        /// Why.
        why: String,
    },
    /// Its name is none.
    #[error(transparent)]
    Name(#[from] PluginNameError),
}

/// Something that stands in a file of its own, or in the manifest.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    File(String),
    Inline(Value),
}

/// A manifest, read. Paths are below the plug-in's directory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Manifest {
    pub(super) make: Make,
    pub(super) name: PluginName,
    pub(super) version: String,
    pub(super) description: String,
    pub(super) skills: Vec<String>,
    pub(super) agents: Vec<String>,
    pub(super) commands: Vec<String>,
    pub(super) hooks: Vec<Part>,
    pub(super) servers: Vec<Part>,
    pub(super) context: Option<String>,
}

/// The fields that count, of all makes.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    name: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    skills: Paths,
    #[serde(default)]
    agents: Paths,
    #[serde(default)]
    commands: Paths,
    #[serde(default)]
    hooks: Value,
    #[serde(default)]
    mcp_servers: Value,
    #[serde(default)]
    context_file_name: Paths,
}

/// One path, or several.
#[derive(Deserialize, Default)]
#[serde(untagged)]
enum Paths {
    #[default]
    None,
    One(String),
    Several(Vec<String>),
}

impl Paths {
    fn all(self) -> Vec<String> {
        match self {
            Self::None => Vec::new(),
            Self::One(path) => vec![path],
            Self::Several(paths) => paths,
        }
    }
}

#[derive(Deserialize)]
struct WrittenMarketplace {
    #[serde(default)]
    plugins: Vec<WrittenListed>,
}

#[derive(Deserialize)]
struct WrittenListed {
    #[serde(default)]
    name: String,
    #[serde(default)]
    source: Value,
}

impl Manifest {
    /// The manifest of a directory.
    pub(super) fn read(tree: &Tree) -> Result<Self, ManifestError> {
        for make in Make::ALL {
            if let Some(bytes) = tree.file(make.file()) {
                return Self::of(make, bytes);
            }
        }
        match tree.file(MARKETPLACE) {
            Some(bytes) => Err(marketplace(bytes)),
            None => Err(ManifestError::Missing),
        }
    }

    fn of(make: Make, bytes: &[u8]) -> Result<Self, ManifestError> {
        let written: Written = parse(make.file(), bytes)?;
        let shape = |why: String| ManifestError::Shape {
            file: make.file(),
            why,
        };
        let paths = |usual: &str, more: Paths| -> Result<Vec<String>, ManifestError> {
            let more = more.all().into_iter();
            let more: Result<Vec<String>, String> = more.map(|path| inside(&path)).collect();
            let mut all = vec![usual.to_owned()];
            all.extend(more.map_err(shape)?);
            all.dedup();
            Ok(all)
        };
        let parts = |usual: &str, more: Value, wrap: Option<&str>| {
            let mut all = vec![Part::File(usual.to_owned())];
            for more in several(more) {
                match more {
                    Value::String(path) => all.push(Part::File(inside(&path).map_err(shape)?)),
                    Value::Object(_) => all.push(Part::Inline(wrapped(more, wrap))),
                    other => return Err(shape(format!("{other} is neither a path nor an object"))),
                }
            }
            all.dedup();
            Ok(all)
        };
        let name = PluginName::parse(&written.name)?;
        let nothing = || Ok(Vec::new());
        let is_gemini = make == Make::Gemini;
        let servers = match is_gemini {
            // Its own file is the manifest, and nothing else.
            true => parts(make.file(), Value::Null, None)?,
            false => parts(".mcp.json", written.mcp_servers, Some("mcpServers"))?,
        };
        let of_claude = |usual: &str, more: Paths| match is_gemini {
            true => nothing(),
            false => paths(usual, more),
        };
        Ok(Self {
            name,
            version: written.version,
            description: written.description,
            skills: of_claude("skills", written.skills)?,
            agents: of_claude("agents", written.agents)?,
            commands: of_claude("commands", written.commands)?,
            hooks: match is_gemini {
                true => Vec::new(),
                false => parts("hooks/hooks.json", written.hooks, None)?,
            },
            context: match is_gemini {
                true => {
                    let named = written.context_file_name.all().into_iter().next();
                    Some(inside(named.as_deref().unwrap_or(GEMINI_CONTEXT)).map_err(shape)?)
                }
                false => None,
            },
            servers,
            make,
        })
    }
}

fn parse<T: for<'de> Deserialize<'de>>(
    file: &'static str,
    bytes: &[u8],
) -> Result<T, ManifestError> {
    let wrong = |why: String| ManifestError::Shape { file, why };
    if bytes.len() > BYTES_MAX {
        return Err(wrong(format!("it is longer than {BYTES_MAX} bytes")));
    }
    serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))
}

/// A list of plug-ins, which is shown and not followed.
fn marketplace(bytes: &[u8]) -> ManifestError {
    let written: WrittenMarketplace = match parse(MARKETPLACE, bytes) {
        Ok(written) => written,
        Err(error) => return error,
    };
    let listed = written.plugins.into_iter().map(|plugin| Listed {
        name: plugin.name,
        source: match plugin.source {
            Value::String(path) => path,
            source => source.to_string(),
        },
    });
    ManifestError::Marketplace(listed.collect())
}

/// Nothing, one, or several.
fn several(value: Value) -> Vec<Value> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(all) => all,
        one => vec![one],
    }
}

/// Entries that stand in the manifest as they do in a file of their own.
fn wrapped(value: Value, key: Option<&str>) -> Value {
    match key {
        Some(key) if value.get(key).is_none() => json!({ key: value }),
        Some(_) | None => value,
    }
}

/// A path that leads nowhere but into the plug-in, as names with `/` between them; empty if it is the plug-in's directory.
fn inside(path: &str) -> Result<String, String> {
    let mut names = Vec::new();
    for name in path.split('/') {
        match name {
            "" if names.is_empty() && path.starts_with('/') => {
                return Err(format!("'{path}' is no path in the plug-in"));
            }
            "" | "." => {}
            ".." => return Err(format!("'{path}' leads out of the plug-in")),
            name => names.push(name),
        }
    }
    Ok(names.join("/"))
}
