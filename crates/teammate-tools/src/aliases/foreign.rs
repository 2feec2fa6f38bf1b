//! Arguments that other programs' tools have and ours do not: what each means here. One that could limit something is refused by
//! name; only what limits nothing is passed over. Those that we read stand in the tools themselves.

/// The meaning of an argument that no tool of ours reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForeignArgument {
    /// It limits nothing and keeps nothing: passed over.
    Harmless,
    /// It changes nothing if it is false; otherwise it is refused, with the reason.
    HarmlessIfFalse(&'static str),
    /// Refused, with what to do in its place.
    Refused(&'static str),
}

use ForeignArgument::{Harmless, HarmlessIfFalse, Refused};

/// The meaning of this argument for this tool, where it is known from other programs.
pub(crate) fn foreign_argument(tool: &str, argument: &str) -> Option<ForeignArgument> {
    if REMARKS.contains(&argument) {
        return Some(Harmless);
    }
    let mut all = ARGUMENTS.iter();
    let found = all.find(|(of, name, _)| *of == tool && *name == argument);
    found.map(|(_, _, meaning)| *meaning)
}

/// A model's words about its call, and what is sent because a schema must not be empty.
const REMARKS: [&str; 8] = [
    "description",
    "explanation",
    "thought",
    "thoughts",
    "reasoning",
    "purpose",
    "random_string",
    "_placeholder",
];

const NO_METADATA: &str = "put it into the description";
const NO_SUBAGENT_TERMS: &str =
    "a subagent has the tools of its agent definition; choose one with agent_type";

/// Tool, argument, and what it means.
const ARGUMENTS: [(&str, &str, ForeignArgument); 37] = [
    (
        "bash",
        "dangerouslyDisableSandbox",
        HarmlessIfFalse("only the user decides how commands are held"),
    ),
    (
        "bash",
        "cwd",
        Refused("begin the command with cd DIRECTORY &&"),
    ),
    (
        "bash",
        "workdir",
        Refused("begin the command with cd DIRECTORY &&"),
    ),
    (
        "bash",
        "directory",
        Refused("begin the command with cd DIRECTORY &&"),
    ),
    (
        "bash",
        "env",
        Refused("write NAME=VALUE before the command"),
    ),
    (
        "bash",
        "restart",
        HarmlessIfFalse("each command has a shell of its own"),
    ),
    (
        "read_file",
        "pages",
        Refused("a document is shown whole; pdftotext -f and -l in a command show some pages"),
    ),
    (
        "read_file",
        "view_range",
        Refused("offset is the first line, limit how many"),
    ),
    ("edit_file", "edits", Refused("make one call for each edit")),
    (
        "edit_file",
        "expected_replacements",
        Refused("all replaces every occurrence; otherwise the text must occur once"),
    ),
    ("glob", "limit", Refused("narrow the pattern or the path")),
    // Lines have their numbers in any case.
    ("grep", "-n", Harmless),
    ("grep", "type", Refused("give glob, as *.rs")),
    ("grep", "include", Refused("give glob, as *.rs")),
    ("grep", "exclude", Refused("narrow the path or the glob")),
    (
        "grep",
        "offset",
        Refused("narrow the pattern, the path or the glob"),
    ),
    ("grep", "-o", HarmlessIfFalse("whole lines are shown")),
    (
        "grep",
        "multiline",
        HarmlessIfFalse("a match is within one line; search for a part of it with context"),
    ),
    // What to look for on the page: the model that asks reads it itself.
    ("web_fetch", "prompt", Harmless),
    (
        "web_search",
        "allowed_domains",
        Refused("write site:HOST into the query"),
    ),
    (
        "web_search",
        "blocked_domains",
        Refused("write -site:HOST into the query"),
    ),
    // How a message looks in a list of others.
    ("send_message", "summary", Harmless),
    (
        "send_message",
        "request_id",
        Refused(
            "requests have tools of their own: respond_shutdown, review_plan, answer_permission",
        ),
    ),
    (
        "send_message",
        "approve",
        Refused(
            "requests have tools of their own: respond_shutdown, review_plan, answer_permission",
        ),
    ),
    // What kind of agent the lead is: it is there already.
    ("create_team", "agent_type", Harmless),
    ("create_task", "metadata", Refused(NO_METADATA)),
    ("update_task", "metadata", Refused(NO_METADATA)),
    (
        "task",
        "resume",
        Refused("a subagent is not kept; a teammate is (name)"),
    ),
    (
        "task",
        "max_turns",
        Refused("say in the prompt how much to do; task_stop ends one that runs in the background"),
    ),
    ("task", "allowed_tools", Refused(NO_SUBAGENT_TERMS)),
    ("task", "tools", Refused(NO_SUBAGENT_TERMS)),
    ("task", "cwd", Refused("say in the prompt where to work")),
    (
        "task_output",
        "filter",
        Refused("search the output's file with grep"),
    ),
    ("task_output", "wait_up_to", Refused("give timeout_seconds")),
    // They ask for permissions beforehand; each is asked about when it is needed.
    ("submit_plan", "allowedPrompts", Harmless),
    (
        "wait_for_team",
        "timeout_seconds",
        Refused("it ends when no teammate works, or when mail arrives"),
    ),
    (
        "wait_for_team",
        "timeout",
        Refused("it ends when no teammate works, or when mail arrives"),
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_decided_about_once() {
        for (at, (tool, name, _)) in ARGUMENTS.iter().enumerate() {
            let twice = ARGUMENTS[..at]
                .iter()
                .any(|(of, other, _)| of == tool && other == name);
            assert!(!twice && !REMARKS.contains(name), "{tool} {name}");
        }
    }
}
