//! The settings that git writes for a submodule. It reads only the form in which git writes them, line by line: all else counts as
//! the user's, which has to stay as it was.

/// The most that is read, in bytes.
const BYTES_MAX: usize = 64 * 1024;

/// A line with the section that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry<'a> {
    section: &'a str,
    line: &'a str,
}

/// Whether these settings are those from before, but for where the working tree is. Where there is nothing of the user's, git may have
/// added what runs no program. `is_working_tree` says where that may be.
pub(super) fn are_plain(
    bytes: &[u8],
    before: Option<&[u8]>,
    is_working_tree: impl Fn(&str) -> bool,
) -> bool {
    let (Some(now), Some(before)) = (entries(bytes), entries(before.unwrap_or_default())) else {
        return false;
    };
    let knows = |entry: &Entry<'_>| before.contains(entry);
    let (trees, now): (Vec<_>, Vec<_>) = now.into_iter().partition(Entry::names_worktree);
    let trees_are_plain = trees.iter().all(|entry| {
        knows(entry)
            || entry
                .plain()
                .is_some_and(|(_, value)| is_working_tree(value))
    });
    let rest = before.iter().filter(|entry| !entry.names_worktree());
    let rest: Vec<_> = rest.copied().collect();
    trees_are_plain && (now == rest || is_extended(&now, &rest))
}

/// Whether there is the same as before, in the same order, and some new settings. None of them concerns one that was there.
fn is_extended(now: &[Entry<'_>], before: &[Entry<'_>]) -> bool {
    let mut left = before.iter().peekable();
    let added = now.iter().filter(|entry| left.next_if_eq(entry).is_none());
    let keys: Option<Vec<_>> = before.iter().map(Entry::key).collect();
    let Some(keys) = keys else {
        return false;
    };
    let is_new = |entry: &Entry<'_>| {
        entry.key().is_some_and(|key| !keys.contains(&key)) && entry.runs_nothing()
    };
    added.collect::<Vec<_>>().into_iter().all(is_new) && left.next().is_none()
}

/// All lines but empty ones and the names of sections. `None` if a line goes on in the next one: then lines are not what they seem.
fn entries(bytes: &[u8]) -> Option<Vec<Entry<'_>>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut section = "";
    let mut entries = Vec::new();
    if bytes.len() > BYTES_MAX {
        return None;
    }
    for line in text.split('\n') {
        if line.trim_end_matches('\r').ends_with('\\') {
            return None;
        }
        if line.trim_start().starts_with('[') {
            section = line;
            if is_section(line) {
                continue;
            }
        }
        if !line.is_empty() {
            entries.push(Entry { section, line });
        }
    }
    Some(entries)
}

/// Whether a line names a section, as git writes it: `[name]` or `[name "more"]`.
fn is_section(line: &str) -> bool {
    let Some(inner) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) else {
        return false;
    };
    let (name, more) = match inner.split_once(' ') {
        None => (inner, ""),
        Some((name, more)) => {
            let more = more.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
            let Some(more) = more else { return false };
            (name, more)
        }
    };
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase()) && is_simple(more)
}

/// Whether git reads this text as it stands.
fn is_simple(text: &str) -> bool {
    !text.contains(|c: char| c.is_control() || "\"\\#;[]".contains(c))
}

impl<'a> Entry<'a> {
    /// Key and value, if git wrote this line as it stands.
    fn plain(&self) -> Option<(&'a str, &'a str)> {
        let (key, value) = self.line.strip_prefix('\t')?.split_once(" = ")?;
        let is_word = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_whole = value == value.trim() && !value.is_empty() && is_simple(value);
        (is_section(self.section) && is_word && is_whole).then_some((key, value))
    }

    /// Names the setting, if its line is plain.
    fn key(&self) -> Option<(&'a str, String)> {
        let (key, _) = self.plain()?;
        Some((self.section, key.to_ascii_lowercase()))
    }

    fn names_worktree(&self) -> bool {
        self.section == "[core]" && self.plain().is_some_and(|(key, _)| key == "worktree")
    }

    /// Whether it is one of the settings that git writes when it clones or updates, and leads to no program.
    fn runs_nothing(&self) -> bool {
        let Some((key, value)) = self.plain() else {
            return false;
        };
        let name = self.section.trim_start_matches('[').trim_end_matches(']');
        let name = name.split_once(' ').map_or(name, |(name, _)| name);
        let is_switch = matches!(value, "true" | "false");
        match (name, key) {
            ("core", "repositoryformatversion") => matches!(value, "0" | "1"),
            ("core", "filemode" | "logallrefupdates" | "ignorecase") => is_switch,
            ("core", "precomposeunicode" | "symlinks") => is_switch,
            ("core", "bare") => value == "false",
            ("extensions", "objectformat") => matches!(value, "sha1" | "sha256"),
            ("extensions", "refstorage") => matches!(value, "files" | "reftable"),
            ("extensions", "partialclone") => is_name(value),
            ("remote", "url") | ("submodule", "url") => is_address(value),
            ("remote", "fetch") => is_tracking(value),
            ("remote", "promisor") | ("submodule", "active") => is_switch,
            ("remote", "partialclonefilter") => matches!(value, "blob:none" | "tree:0"),
            ("branch", "remote") => is_name(value),
            ("branch", "merge") => value.starts_with("refs/heads/"),
            ("submodule", "update") => matches!(value, "checkout" | "merge" | "none" | "rebase"),
            _ => false,
        }
    }
}

/// Whether it is the name of a remote.
fn is_name(value: &str) -> bool {
    let mut bytes = value.bytes();
    bytes.all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
        && !value.starts_with('-')
}

/// Whether git connects there by itself, without a program that the address names.
fn is_address(value: &str) -> bool {
    !value.starts_with('-') && !value.contains("::") && !value.contains("://-")
}

/// Whether branches are fetched as those of their remote, in the place of no others.
fn is_tracking(value: &str) -> bool {
    let (from, to) = value.split_once(':').unwrap_or_default();
    from.starts_with("+refs/heads/") && to.starts_with("refs/remotes/")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLONED: &str = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n\
        \tworktree = ../../../lib\n[remote \"origin\"]\n\turl = https://example.org/lib\n\
        \tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n";

    fn plain(now: &str, before: Option<&str>) -> bool {
        are_plain(now.as_bytes(), before.map(str::as_bytes), |tree| {
            tree == "../../../lib" || tree == "../../../new"
        })
    }

    #[test]
    fn what_git_writes_for_a_submodule_is_plain() {
        let simple = format!("{CLONED}[core]\n\tsshCommand = mine\n");
        let own = format!("{simple}[user]\n\tname = Me ; or not\n");
        for (now, before) in [
            (CLONED.to_owned(), None),
            (CLONED.to_owned(), Some(CLONED.to_owned())),
            (CLONED.replace("lib\n[", "new\n["), Some(CLONED.to_owned())),
            (
                CLONED.replace("\tworktree = ../../../lib\n", ""),
                Some(CLONED.to_owned()),
            ),
            (own.replace("lib\n[r", "new\n[r"), Some(own.clone())),
            (
                format!("{CLONED}[submodule \"a/b\"]\n\tactive = true\n\turl = ../b\n"),
                Some(CLONED.to_owned()),
            ),
            (
                format!("{simple}[submodule \"b\"]\n\tactive = true\n"),
                Some(simple.clone()),
            ),
        ] {
            assert!(plain(&now, before.as_deref()), "{now}");
        }
    }

    #[test]
    fn no_program_comes_with_what_looks_plain() {
        for added in [
            "[core]\n\tfsmonitor = x\n",
            "[core]\n\tFsMonitor = x\n",
            "[core] fsmonitor = x\n",
            "[CORE]\nfsmonitor=x\n",
            "\n [core]\n\thooksPath = x\n",
            "[core]\n\tsshCommand = x\n",
            "[core]\n\tbare = true\n",
            "[core]\n\tworktree = ../../../../home\n",
            "[core]\n\tworktree = ../../../lib \\\n\tfsmonitor = x\n",
            "[core]\n\tfilemode = true \\\n",
            "[core]\n\tfilemode = true \\\r\n",
            "[core]\n\tfilemode = true\r\n",
            "[core]\n\tfilemode = \"true\n\tfsmonitor = x\"\n",
            "[filter \"a\"]\n\tclean = x\n",
            "[alias]\n\tst = !x\n",
            "[alias \"st\"]\n\tcommand = !x\n",
            "[diff]\n\texternal = x\n",
            "[credential]\n\thelper = x\n",
            "[include]\n\tpath = x\n",
            "[includeIf \"gitdir:/\"]\n\tpath = x\n",
            "[extensions]\n\tworktreeConfig = true\n",
            "[remote \"other\"]\n\turl = ext::x\n",
            "[remote \"other\"]\n\turl = -ux\n",
            "[remote \"other\"]\n\turl = ssh://-ox/\n",
            "[remote \"other\"]\n\tuploadpack = x\n",
            "[remote \"other\"]\n\tvcs = x\n",
            "[remote \"other\"]\n\tfetch = +refs/heads/*:refs/heads/*\n",
            "[branch \"x\"]\n\tremote = ext::x\n",
            "[branch \"x\"]\n\tpushRemote = x\n",
            "[submodule \"x\"]\n\tupdate = !x\n",
            "[submodule \"x\"]\n\tupdate = \n",
            "[url \"ext::x\"]\n\tinsteadOf = https://example.org\n",
            "# a comment\n",
            "\u{feff}[core]\n",
        ] {
            for before in [None, Some(CLONED)] {
                for now in [format!("{CLONED}{added}"), format!("{added}{CLONED}")] {
                    assert!(!plain(&now, before), "{now}");
                }
            }
        }
    }

    #[test]
    fn what_was_there_stays_as_it_was() {
        let own = format!("{CLONED}[core]\n\tsshCommand = mine\n");
        for (now, before) in [
            (CLONED, own.as_str()),
            (&own.replace("mine", "other"), &own),
            (
                &CLONED.replace("https://example.org", "https://example.com"),
                CLONED,
            ),
            (
                &format!("{CLONED}[remote \"origin\"]\n\turl = ../b\n"),
                CLONED,
            ),
            (
                &format!("[remote \"origin\"]\n\tURL = ../b\n{CLONED}"),
                CLONED,
            ),
            (
                &CLONED.replace("filemode = true", "filemode = false"),
                CLONED,
            ),
            (&format!("{own}[Submodule \"b\"]\n\tactive = true\n"), &own),
            ("", CLONED),
        ] {
            assert!(!plain(now, Some(before)), "{now}");
        }
    }
}
