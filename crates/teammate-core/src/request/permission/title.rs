//! The title of a question, the same wherever it is asked: what would be done, in a few words that begin with a verb.

use crate::{permission::Touches, request::rules::beginning};

/// What would be done: `edit src/parse.rs +3 -2`, `run cargo test`, `reads network: example.org:443`. Of anything else the tool and
/// the first line of what it shows. The whole is shown below it: a title allows nothing.
pub fn title(tool: &str, shows: &str, touches: Option<&Touches>) -> String {
    if let Some(change) = change_in(shows) {
        return format!("edit {change}");
    }
    if let Some(hosts) = touches.filter(|touches| is_network_only(touches)) {
        let hosts = hosts.network.join(", ");
        return format!("reads network: {}", beginning(&hosts, &hosts));
    }
    let line = shows.lines().next().unwrap_or_default();
    match tool {
        "bash" => format!("run {}", beginning(line, shows.trim_end())),
        "write_file" => match line.strip_suffix(" with:") {
            Some(file) => format!("{} +{}", beginning(file, file), lines_of_file(shows)),
            None => beginning(line, line),
        },
        tool => format!("{tool}: {}", beginning(line, shows.trim_end())),
    }
}

/// Whether hosts are all that it reaches: a connection, a page.
fn is_network_only(touches: &Touches) -> bool {
    touches.is_all
        && !touches.network.is_empty()
        && touches.reads.is_empty()
        && touches.writes.is_empty()
}

/// The lines of a file that stands below the line with its name.
fn lines_of_file(shows: &str) -> usize {
    shows.lines().skip(1).count()
}

/// The file and the size of a change that is shown as a unified diff: `src/parse.rs +3 -2`. Its first line says neither. Nothing if
/// it is anything else, or more than one file's.
fn change_in(shows: &str) -> Option<String> {
    let mut lines = shows.lines();
    let old = lines.next()?.strip_prefix("--- ")?;
    let new = lines.next()?.strip_prefix("+++ ")?;
    let (mut added, mut removed, mut is_hunk) = (0_u64, 0_u64, false);
    for line in lines {
        match line.as_bytes().first() {
            Some(b'+') if is_hunk => added = added.saturating_add(1),
            Some(b'-') if is_hunk => removed = removed.saturating_add(1),
            Some(b' ' | b'\\') | None if is_hunk => {}
            Some(b'@') => is_hunk = true,
            _ => return None,
        }
    }
    (old == new && is_hunk).then(|| format!("{} +{added} -{removed}", beginning(new, new)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_says_what_would_be_done() {
        let diff =
            "--- src/a.rs\n+++ src/a.rs\n@@ -1,3 +1,4 @@\n one\n-two\n--- three\n+2\n+3\n++ 4\n";
        let long = format!("echo {}", "x".repeat(100));
        for (tool, shows, expected) in [
            ("edit_file", diff, "edit src/a.rs +3 -2"),
            ("bash", "cargo test", "run cargo test"),
            ("bash", "cd a\nrm -rf b", "run cd a ..."),
            (
                "write_file",
                "create a.rs with:\nfn a() {\n}\n",
                "create a.rs +2",
            ),
            ("write_file", "replace a.rs with:\n", "replace a.rs +0"),
            (
                "mcp__s__send",
                "send of the MCP server s\n{}",
                "mcp__s__send: send of the MCP server s ...",
            ),
        ] {
            assert_eq!(title(tool, shows, None), expected);
        }
        assert!(title("bash", &long, None).ends_with("xx ..."));
    }

    #[test]
    fn a_connection_is_named_by_its_host() {
        let mut touches = Touches {
            network: vec!["example.org:443".to_owned()],
            is_all: true,
            ..Touches::default()
        };
        let shows = "connect to example.org:443\nfor the command: curl example.org";
        assert_eq!(
            title("net", shows, Some(&touches)),
            "reads network: example.org:443"
        );
        touches.is_all = false;
        let shows = "curl example.org";
        assert_eq!(title("bash", shows, Some(&touches)), "run curl example.org");
    }

    #[test]
    fn what_only_looks_like_a_change_is_none() {
        for other in [
            "ls -l",
            "--- a\n+++ b\n@@ -1 +1 @@\n-1\n+2",
            "--- a\n+++ a\nrm -rf build",
            "--- a\n+++ a",
            "--- a\n+++ a\n@@ -1 +1 @@\n-1\n+2\nand more",
        ] {
            assert_eq!(change_in(other), None, "{other}");
        }
    }
}
