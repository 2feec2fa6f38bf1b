//! Globs over paths: `*`, `?` and `[..]` within a name, `**` for any directories, `{a,b}` for either.

use std::path::{Path, PathBuf};

use globset::{ErrorKind, Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// A longer pattern is refused: no path is longer.
const PATTERN_BYTES_MAX: usize = 4_096;

/// A compiled pattern. Two are equal if their texts are.
#[derive(Debug, Clone)]
pub(super) struct PathPattern {
    text: String,
    /// The paths that it names.
    named: GlobSet,
    /// The paths that it closes as a deny rule: those that it names, and all below unless its last part has a wildcard.
    closed: GlobSet,
}

/// The fault of a pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Flaw {
    /// Where, in bytes from the beginning of the pattern.
    pub(super) at: usize,
    pub(super) why: String,
}

impl PartialEq for PathPattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for PathPattern {}

impl PathPattern {
    /// Compiles a pattern; what could never match a resolved path is refused, too.
    pub(super) fn parse(text: &str) -> Result<Self, Flaw> {
        check(text)?;
        let parts: Vec<&str> = text
            .split('/')
            .filter(|part| !matches!(*part, "" | "."))
            .collect();
        let place = parts.join("/");
        let mut closed = vec![place.clone()];
        // To close what is below a directory is to close the directory.
        match place.strip_suffix("/**") {
            Some(directory) => closed.push(directory.to_owned()),
            None if place.is_empty() => closed.push("**".to_owned()),
            None if is_plain(&parts) => closed.push(format!("{place}/**")),
            None => {}
        }
        let compile = |globs: &[String]| compile(globs).map_err(|why| Flaw { at: 0, why });
        Ok(Self {
            named: compile(&[place])?,
            closed: compile(&closed)?,
            text: text.to_owned(),
        })
    }

    /// The pattern as it was written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is matched against whole paths, not those relative to the workspace.
    pub(super) fn is_absolute(&self) -> bool {
        self.text.starts_with('/')
    }

    /// Where what it names can stand: the names before the first wildcard, and how many may follow. `None`: any number.
    pub(super) fn start(&self) -> (PathBuf, Option<usize>) {
        let parts: Vec<&str> = self
            .text
            .split('/')
            .filter(|part| !matches!(*part, "" | "."))
            .collect();
        let is_name = |part: &&&str| !part.contains(['*', '?', '[', '{', '\\']);
        let names: Vec<&str> = parts.iter().take_while(is_name).copied().collect();
        let more = parts.len() - names.len();
        let depth = (!self.text.contains("**")).then_some(more);
        (names.iter().collect(), depth)
    }

    /// Whether it names this very place.
    pub(super) fn matches(&self, path: &Path) -> bool {
        is_match(&self.named, path)
    }

    /// Whether it, in a deny rule, closes this place: by name or by a directory above. One evaluation, however deep it lies.
    pub(super) fn closes(&self, path: &Path) -> bool {
        is_match(&self.closed, path)
    }
}

fn is_match(globs: &GlobSet, path: &Path) -> bool {
    #[cfg(test)]
    evaluations::count();
    globs.is_match(path.strip_prefix("/").unwrap_or(path))
}

/// Whether the last part is a name, not a wildcard for many.
fn is_plain(parts: &[&str]) -> bool {
    parts.last().is_none_or(|last| !last.contains(['*', '?']))
}

fn compile(globs: &[String]) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for text in globs {
        set.add(glob(text).map_err(|kind| kind.to_string())?);
    }
    set.build().map_err(|error| error.kind().to_string())
}

fn glob(text: &str) -> Result<Glob, ErrorKind> {
    let mut builder = GlobBuilder::new(text);
    let built = builder
        .literal_separator(true)
        .empty_alternates(true)
        .build();
    built.map_err(|error| error.kind().clone())
}

fn check(text: &str) -> Result<(), Flaw> {
    let flaw = |at: usize, why: &str| {
        Err(Flaw {
            at,
            why: why.to_owned(),
        })
    };
    if text.len() > PATTERN_BYTES_MAX {
        return flaw(PATTERN_BYTES_MAX, "the pattern is longer than 4,096 bytes");
    }
    if let Err(kind) = glob(text) {
        // Up to there it is understood.
        let ends = text.char_indices().map(|(at, _)| at).rev();
        let at = ends.into_iter().find(|at| glob(&text[..*at]).is_ok());
        return flaw(at.unwrap_or(0), &kind.to_string());
    }
    let mut at = 0;
    for part in text.split('/') {
        match part {
            ".." => return flaw(at, "'..' is no part of a resolved path"),
            "~" if at == 0 => return flaw(at, "'~' is not followed; write the whole path"),
            _ => {}
        }
        if let Some(stars) = part.find("**")
            && !is_any_depth(part, stars)
        {
            return flaw(
                at + stars,
                "'**' stands for directories and must be a whole one, as in **/*.pem or src/**",
            );
        }
        at += part.len() + 1;
    }
    Ok(())
}

/// Whether `**` stands alone between slashes, or is one of the alternatives of a brace.
fn is_any_depth(part: &str, stars: usize) -> bool {
    let (before, after) = (&part[..stars], &part[stars + 2..]);
    (before.is_empty() || before.ends_with(['{', ',']))
        && (after.is_empty() || after.starts_with([',', '}']))
}

/// How many patterns this thread has matched against paths.
#[cfg(test)]
pub(super) mod evaluations {
    use std::cell::Cell;

    thread_local!(static COUNT: Cell<usize> = const { Cell::new(0) });

    pub(super) fn count() {
        COUNT.set(COUNT.get() + 1);
    }

    pub(in crate::permission) fn so_far() -> usize {
        COUNT.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_that_is_not_understood_says_where_and_why() {
        for (text, at, why) in [
            ("secret.{pem,key", 7, "missing '}'"),
            ("a/{b,{c}", 2, "missing '}'"),
            ("secret.pem}", 10, "missing '{'"),
            ("secret.[pe", 7, "missing ']'"),
            ("x[z-a]", 1, "'z' > 'a'"),
            ("a\\", 1, "dangling"),
            ("a/../b", 2, "'..'"),
            ("~/.ssh", 0, "'~'"),
            ("src/**.rs", 4, "'**'"),
            ("a**/b", 1, "'**'"),
        ] {
            let flaw = PathPattern::parse(text).unwrap_err();
            assert_eq!(flaw.at, at, "{text}: {}", flaw.why);
            assert!(flaw.why.contains(why), "{text}: {}", flaw.why);
        }
        let long = PathPattern::parse(&"{a,".repeat(2_000)).unwrap_err();
        assert!(long.why.contains("4,096 bytes"));
        // As long as may be, and as costly to compile: an answer, not a panic.
        let _ = PathPattern::parse(&"{?,[!a],*}".repeat(400));
    }

    #[test]
    fn a_directory_that_is_closed_closes_all_below() {
        for (pattern, path) in [
            ("secret", "secret/a/b"),
            ("secret/", "secret"),
            ("./secret", "secret/a"),
            ("secret/**", "secret"),
            ("secret/**", "secret/a/b"),
            ("**/secret", "x/y/secret/a"),
            ("{secret,private}", "private/a/b"),
            ("secret[12]", "secret2/a"),
            ("s*t/a", "secret/a/b"),
            (".", "a/b"),
            (".", ""),
            ("**", ""),
            ("/", "/home/me"),
            ("/home/me/**", "/home/me"),
        ] {
            let pattern = PathPattern::parse(pattern).unwrap();
            assert!(pattern.closes(Path::new(path)), "{pattern:?} {path}");
        }
        for (pattern, path) in [
            ("docs/*", "docs/a/x"),
            ("secret", "secrets/a"),
            ("secret", "a/secret"),
            ("secret?", "secret1/a"),
        ] {
            let pattern = PathPattern::parse(pattern).unwrap();
            assert!(!pattern.closes(Path::new(path)), "{pattern:?} {path}");
        }
    }
}
