//! One rule: `bash`, `bash(git status:*)`, `bash(=make a > log)`, `edit(src/**)`, `net(*.crates.io)`, `web_fetch(docs.rs)`, `*`.

use std::{fmt, path::Path};

use super::{
    FileWall, WallStart, deny_match,
    host_name::Destination,
    host_pattern::HostPattern,
    path_pattern::{Flaw, PathPattern},
};
use crate::permission::{Target, word::words_of};

/// One permission rule, compiled, with its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    tool: String,
    pattern: Option<Pattern>,
    origin: RuleOrigin,
}

/// The origin of a rule: who made it, and where it can be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RuleOrigin {
    /// The user's configuration file.
    User,
    /// The command line of this run.
    CommandLine,
    /// The project's settings, which the user trusts.
    Project,
    /// The user answered a question with "always".
    Always,
    /// The policy of the machine, which its administrator wrote.
    Policy,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    /// The whole command, or the resolved path, to the letter.
    Exact(String),
    /// Words of a command.
    Words(String),
    /// Paths; of the tool `*`, its text is words, too.
    Paths(PathPattern),
    /// Hosts that commands connect to.
    Hosts(HostPattern),
}

/// The name of a command's connections in rules. It is no tool that models can call. A rule by this name holds for the tools
/// that look at the web, too.
pub const NET: &str = "net";

/// Tools that look at the web. Their patterns are hosts, as those of [`NET`].
const WEB_TOOLS: [&str; 2] = ["web_fetch", "web_search"];

/// A text that is not a rule: which text, its origin, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is not understood: {why}", origin.own(rule))]
pub struct RuleError {
    rule: String,
    origin: RuleOrigin,
    why: RuleFault,
}

/// The beginning of the names of tools of other servers.
const SERVER_TOOLS: &str = "mcp__";

/// Whether a rule's name is that of a server whose tool this is (`mcp__github`), or the tool's own but for large letters, which
/// servers use.
fn is_of_server(rule: &str, tool: &str) -> bool {
    let tool = tool.to_ascii_lowercase();
    let behind = rule
        .starts_with(SERVER_TOOLS)
        .then(|| tool.strip_prefix(rule))
        .flatten();
    behind.is_some_and(|behind| behind.is_empty() || behind.starts_with("__"))
}

/// Whether a rule's name is the tool's as other programs write names: `WebFetch` for `web_fetch`.
fn is_in_capitals(rule: &str, tool: &str) -> bool {
    let has_capitals = rule.starts_with(|c: char| c.is_ascii_uppercase()) && !rule.contains('_');
    has_capitals && !tool.starts_with(SERVER_TOOLS) && {
        let letters = tool.chars().filter(|c| *c != '_');
        rule.chars().map(|c| c.to_ascii_lowercase()).eq(letters)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum RuleFault {
    #[error(
        "write TOOL or TOOL(PATTERN), for example bash(git status:*), edit(src/**) or net(crates.io)"
    )]
    Form,
    #[error("at character {column}, {why}")]
    Pattern { column: usize, why: String },
}

impl RuleOrigin {
    /// The name used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::CommandLine => "command-line",
            Self::Project => "project",
            Self::Always => "always",
            Self::Policy => "policy",
        }
    }

    /// A rule with its owner: `the project's rule 'bash(git push:*)'`.
    fn own(self, rule: &dyn fmt::Display) -> String {
        match self {
            Self::User => format!("the user's rule '{rule}'"),
            Self::CommandLine => format!("the command line's rule '{rule}'"),
            Self::Project => format!("the project's rule '{rule}'"),
            Self::Always => format!("the remembered rule '{rule}'"),
            Self::Policy => format!("the administrator's rule '{rule}'"),
        }
    }
}

impl Rule {
    /// Reads `TOOL`, `TOOL(PATTERN)` or `TOOL(=TEXT)`, for connections `net(HOST)`. `edit` covers `write_file` and `edit_file`, `read` covers the readers.
    /// A pattern for paths is compiled; an invalid one is an error with the position.
    pub fn parse(text: &str, origin: RuleOrigin) -> Result<Self, RuleError> {
        let text = text.trim();
        let wrong = |why: RuleFault| RuleError {
            rule: text.to_owned(),
            origin,
            why,
        };
        let (tool, pattern) = match text.split_once('(') {
            Some((tool, rest)) => {
                let inner = rest
                    .strip_suffix(')')
                    .ok_or_else(|| wrong(RuleFault::Form))?;
                (tool, Some(inner))
            }
            None => (text, None),
        };
        let is_tool = tool == "*"
            || (!tool.is_empty()
                && tool
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)))
            // The tools of a server: `mcp__github__*`.
            || tool.strip_suffix('*').is_some_and(|beginning| {
                beginning.starts_with(SERVER_TOOLS)
                    && beginning.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
            });
        if !is_tool {
            return Err(wrong(RuleFault::Form));
        }
        let pattern = pattern.map(|inner| {
            Pattern::parse(tool, inner).map_err(|flaw| match flaw {
                None => wrong(RuleFault::Form),
                Some(Flaw { at, why }) => {
                    let before = tool.len() + 1 + at;
                    let column = text[..before.min(text.len())].chars().count() + 1;
                    wrong(RuleFault::Pattern { column, why })
                }
            })
        });
        Ok(Self {
            tool: tool.to_owned(),
            pattern: pattern.transpose()?,
            origin,
        })
    }

    /// The rule for exactly this text, which an "always" makes.
    pub(super) fn exactly(tool: &str, text: &str) -> Self {
        Self {
            tool: tool.to_owned(),
            pattern: Some(Pattern::Exact(text.to_owned())),
            origin: RuleOrigin::Always,
        }
    }

    /// A rule that denies connections to hosts that are not in a list.
    pub(super) fn for_other_hosts() -> Self {
        Self {
            tool: NET.to_owned(),
            pattern: Some(Pattern::Words("hosts that are not listed".to_owned())),
            origin: RuleOrigin::Policy,
        }
    }

    /// The rule for connections of a tool to exactly this, which an "always" makes.
    pub(super) fn for_destination(tool: &str, to: &Destination) -> Self {
        Self {
            tool: tool.to_owned(),
            pattern: Some(Pattern::Hosts(HostPattern::of(to))),
            origin: RuleOrigin::Always,
        }
    }

    /// Whether it is the user's own, names one host, and allows this.
    pub(super) fn is_users_for_host(&self, to: &Destination) -> bool {
        let is_users = match self.origin {
            RuleOrigin::User | RuleOrigin::CommandLine => true,
            RuleOrigin::Project | RuleOrigin::Always | RuleOrigin::Policy => false,
        };
        match &self.pattern {
            Some(Pattern::Hosts(hosts)) => is_users && hosts.is_one_host() && hosts.allows(to),
            Some(Pattern::Exact(_) | Pattern::Words(_) | Pattern::Paths(_)) | None => false,
        }
    }

    /// The rule's origin.
    pub fn origin(&self) -> RuleOrigin {
        self.origin
    }

    /// The rule with its owner: `the project's rule 'bash(git push:*)'`.
    pub fn describe(&self) -> String {
        self.origin.own(self)
    }

    /// Whether it is about this tool.
    pub(super) fn names(&self, tool: &str) -> bool {
        match self.tool.to_ascii_lowercase().as_str() {
            "*" => true,
            "edit" | "write" => matches!(tool, "write_file" | "edit_file"),
            "read" => READERS.contains(&tool),
            NET => tool == NET || WEB_TOOLS.contains(&tool),
            name => match name.strip_suffix('*') {
                Some(beginning) => tool.to_ascii_lowercase().starts_with(beginning),
                None => {
                    name == tool || is_of_server(name, tool) || is_in_capitals(&self.tool, tool)
                }
            },
        }
    }

    /// The tool that it names, as it is written.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Whether it is about a tool of a server, which only that server knows.
    pub fn is_about_server(&self) -> bool {
        self.tool.to_ascii_lowercase().starts_with(SERVER_TOOLS)
    }

    /// Whether it is about connections, or about one of these tools.
    pub fn is_about_any<'a>(&self, tools: impl IntoIterator<Item = &'a str>) -> bool {
        self.names(NET) || tools.into_iter().any(|tool| self.names(tool))
    }

    /// Whether it, as an allow rule about the tool, covers the whole call alone.
    pub(super) fn covers(&self, target: &Target) -> bool {
        match (&self.pattern, target) {
            (None, _) => true,
            // Its star is more words, not the shell's pattern for files.
            (Some(_), Target::Command(_)) if self.takes_more_words() => false,
            (Some(pattern), Target::Command(command)) => {
                pattern.text().trim() == command.text.trim()
            }
            (Some(Pattern::Paths(paths)), Target::Path(path)) => path.is_allowed_by(paths),
            (Some(Pattern::Exact(text) | Pattern::Words(text)), Target::Path(path)) => {
                path.is_exactly(text)
            }
            (Some(Pattern::Hosts(hosts)), Target::Host(to)) => hosts.allows(to),
            (Some(Pattern::Hosts(_)), Target::Path(_)) => false,
            (Some(_), Target::Host(_) | Target::Team) => false,
        }
    }

    /// The words that may be matched with parts of a command.
    pub(super) fn words(&self) -> Option<&str> {
        match self.pattern.as_ref()? {
            Pattern::Exact(_) | Pattern::Hosts(_) => None,
            pattern @ (Pattern::Words(_) | Pattern::Paths(_)) => Some(pattern.text()),
        }
    }

    /// Whether it covers words of a command and any after them.
    fn takes_more_words(&self) -> bool {
        self.words().is_some_and(|text| words_of(text).1)
    }

    /// Whether it, as a deny rule, catches the call.
    pub(super) fn denies(&self, tool: &str, target: &Target) -> bool {
        self.closes_to(tool, target)
            && match (&self.pattern, target) {
                (None, _) => true,
                (Some(pattern), Target::Command(command)) => {
                    deny_match::deny_matches(pattern.text().trim(), command)
                }
                (Some(Pattern::Paths(paths)), Target::Path(path)) => path.is_denied_by(paths),
                (Some(Pattern::Exact(text) | Pattern::Words(text)), Target::Path(path)) => {
                    path.is_at_or_below(text)
                }
                (Some(Pattern::Hosts(hosts)), Target::Host(to)) => hosts.denies(to),
                (Some(Pattern::Hosts(_)), Target::Path(_)) => false,
                (Some(_), Target::Host(_) | Target::Team) => false,
            }
    }

    /// Whether it, as a deny rule, holds for this tool. One about reading certain files holds for all that show their content.
    fn closes_to(&self, tool: &str, target: &Target) -> bool {
        let is_about_file = self.pattern.is_some() && matches!(target, Target::Path(_));
        self.names(tool) || (is_about_file && SHOW_CONTENT.contains(&tool) && self.closes_content())
    }

    fn closes_content(&self) -> bool {
        CONTENT_READERS.iter().any(|reader| self.names(reader))
    }

    /// Whether it, as a deny rule, closes a place to readers, by its path or by its path from the workspace. One without a
    /// pattern closes none: then they do not run at all.
    pub(crate) fn denies_reading(&self, full: &Path, within: &Path) -> bool {
        READERS.iter().any(|reader| self.names(reader)) && self.closes(full, within)
    }

    /// Whether its pattern closes a place, by its path or by its path from the workspace.
    pub(super) fn closes(&self, full: &Path, within: &Path) -> bool {
        let path = |is_absolute: bool| if is_absolute { full } else { within };
        match &self.pattern {
            None | Some(Pattern::Hosts(_)) => false,
            Some(Pattern::Paths(paths)) => paths.closes(path(paths.is_absolute())),
            Some(Pattern::Exact(text) | Pattern::Words(text)) => {
                path(text.starts_with('/')).starts_with(text)
            }
        }
    }

    /// The part of a place that it, as a deny rule, closes to commands. One without a pattern closes no file: then its tools
    /// do not run at all.
    pub(super) fn file_wall(&self) -> Option<FileWall> {
        match &self.pattern {
            None | Some(Pattern::Hosts(_) | Pattern::Words(_)) => None,
            Some(Pattern::Paths(_) | Pattern::Exact(_)) if self.closes_content() => {
                Some(FileWall::Hidden)
            }
            Some(Pattern::Paths(_) | Pattern::Exact(_)) => {
                let writes = WRITERS.iter().any(|writer| self.names(writer));
                writes.then_some(FileWall::ReadOnly)
            }
        }
    }

    /// Where what it closes can stand, for a command that runs in `root`.
    pub(super) fn wall_start(&self, root: &Path) -> Option<WallStart> {
        let (path, depth) = match self.pattern.as_ref()? {
            Pattern::Hosts(_) | Pattern::Words(_) => return None,
            Pattern::Exact(text) => (text.into(), Some(0)),
            Pattern::Paths(paths) if paths.is_absolute() => {
                let (path, depth) = paths.start();
                (Path::new("/").join(path), depth)
            }
            Pattern::Paths(paths) => paths.start(),
        };
        let path = match path.as_os_str().is_empty() {
            true => root.to_owned(),
            false => root.join(path),
        };
        Some(WallStart { path, depth })
    }
}

/// Tools that only look.
const READERS: [&str; 3] = ["read_file", "glob", "grep"];

/// Those of them that look into files.
const CONTENT_READERS: [&str; 2] = ["read_file", "grep"];

/// Tools whose outcome says something of a file's content, or where it is.
const SHOW_CONTENT: [&str; 4] = ["read_file", "glob", "grep", "edit_file"];

/// Tools that change files.
const WRITERS: [&str; 2] = ["write_file", "edit_file"];

impl Pattern {
    /// Reads the pattern between the brackets. An error of `None` means that it is empty.
    fn parse(tool: &str, text: &str) -> Result<Self, Option<Flaw>> {
        let connects = [NET]
            .iter()
            .chain(&WEB_TOOLS)
            .any(|name| tool.eq_ignore_ascii_case(name) || is_in_capitals(tool, name));
        if connects && !text.trim().is_empty() {
            // As other programs write it.
            let host = text.strip_prefix("domain:").unwrap_or(text);
            return Ok(Self::Hosts(HostPattern::parse(host)?));
        }
        let exact = text.strip_prefix('=');
        if exact.unwrap_or(text).trim().is_empty() {
            return Err(None);
        }
        if let Some(exact) = exact {
            return Ok(Self::Exact(exact.to_owned()));
        }
        if tool.eq_ignore_ascii_case("bash") {
            check_words(text)?;
            return Ok(Self::Words(text.to_owned()));
        }
        Ok(Self::Paths(PathPattern::parse(text)?))
    }

    fn text(&self) -> &str {
        match self {
            Self::Exact(text) | Self::Words(text) => text,
            Self::Paths(paths) => paths.text(),
            Self::Hosts(hosts) => hosts.text(),
        }
    }
}

/// A star anywhere but at the end would be taken for itself, and a deny rule with one would catch nothing.
fn check_words(text: &str) -> Result<(), Flaw> {
    let (words, _) = words_of(text);
    let has_star = words.iter().any(|word| word.contains('*'));
    match text.find('*').filter(|_| has_star) {
        None => Ok(()),
        Some(at) => Err(Flaw {
            at,
            why: "'*' stands for more words and only at the end, as in bash(git push:*) or \
                  bash(git push *); for the text itself write bash(=TEXT)"
                .to_owned(),
        }),
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.pattern {
            Some(Pattern::Exact(text)) => write!(f, "{}(={text})", self.tool),
            Some(pattern) => write!(f, "{}({})", self.tool, pattern.text()),
            None => f.write_str(&self.tool),
        }
    }
}
