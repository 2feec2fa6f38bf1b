//! The flags of `claude`, and what each means here.

use super::values;

/// A flag.
pub(super) struct Flag {
    names: &'static [&'static str],
    pub(super) takes: Takes,
    pub(super) means: Means,
}

/// How many values a flag takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    None,
    One,
    /// All words up to the next flag.
    Many,
    Maybe,
}

/// What a flag means here.
pub(super) enum Means {
    /// There is a job.
    Job,
    /// Only this is wanted.
    Only(&'static str),
    /// To leave it out changes nothing.
    Nothing,
    /// Our flag of this name, with the same values.
    Ours(&'static str),
    /// Flags of ours, made of each value.
    Made(fn(&str) -> Result<Vec<String>, String>),
    /// It is not done: what to do instead.
    Refused(&'static str),
}

use Means::{Job, Made, Nothing, Only, Ours, Refused};
use Takes::{Many, Maybe, None as No, One};

const fn flag(names: &'static [&'static str], takes: Takes, means: Means) -> Flag {
    Flag {
        names,
        takes,
        means,
    }
}

impl Flag {
    /// The flag of this name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        FLAGS.iter().find(|flag| flag.names.contains(&name))
    }
}

/// The names of each flag that is known.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static [&'static str]> {
    FLAGS.iter().map(|flag| flag.names)
}

const FLAGS: &[Flag] = &[
    flag(&["-p", "--print"], No, Job),
    flag(&["-h", "--help"], No, Only("--help")),
    flag(&["-v", "--version"], No, Only("--version")),
    // What is printed and read.
    flag(&["--output-format"], One, Ours("--output-format")),
    flag(&["--input-format"], One, Ours("--input-format")),
    flag(
        &["--include-partial-messages"],
        No,
        Ours("--include-partial-messages"),
    ),
    flag(&["--json-schema"], One, Ours("--json-schema")),
    // All messages are printed in any case, and nothing else is.
    flag(&["--verbose"], No, Nothing),
    flag(&["-d", "--debug"], Maybe, Nothing),
    flag(&["--debug-file"], One, Nothing),
    flag(&["--debug-to-stderr"], No, Nothing),
    // Sessions.
    flag(&["-r", "--resume"], One, Ours("--resume")),
    flag(&["-c", "--continue"], No, Ours("--continue")),
    flag(&["--session-id"], One, Ours("--session-id")),
    flag(
        &["--no-session-persistence"],
        No,
        Ours("--no-session-persistence"),
    ),
    flag(&["-n", "--name"], One, Nothing),
    flag(&["--fork-session"], No, Ours("--fork-session")),
    flag(
        &["--resume-session-at", "--resume-drops-turn"],
        One,
        Refused("a conversation goes on where it ended; --fork-session keeps what was there"),
    ),
    flag(
        &["--session-mirror"],
        No,
        Refused("sessions are kept in .teams; copy that directory"),
    ),
    // The SDK's first line is read before a team is opened.
    flag(&["--await-initialize"], No, Nothing),
    flag(
        &["--initialize-fields"],
        One,
        Refused("settings and rules come with --settings and --disallowedTools"),
    ),
    // Models.
    flag(&["--model"], One, Made(values::model_flag)),
    flag(&["--fallback-model"], One, Made(values::fallback)),
    flag(&["--effort"], One, Made(values::effort)),
    flag(&["--thinking"], One, Made(values::thinking)),
    flag(
        &["--max-thinking-tokens"],
        One,
        Made(values::thinking_tokens),
    ),
    flag(&["--thinking-display"], One, Nothing),
    flag(
        &["--betas"],
        Many,
        Refused("set beta in [models] of the configuration (docs/providers.md)"),
    ),
    // What members read first.
    flag(&["--append-system-prompt"], One, Made(values::instructions)),
    flag(&["--system-prompt"], One, Made(values::instructions)),
    flag(
        &["--append-system-prompt-file"],
        One,
        Made(values::instructions_file),
    ),
    flag(
        &["--system-prompt-file"],
        One,
        Made(values::instructions_file),
    ),
    flag(&["--setting-sources"], One, Made(values::sources)),
    flag(&["--bare"], No, Ours("--no-project-instructions")),
    // There are no commands of that program here.
    flag(&["--disable-slash-commands"], No, Nothing),
    // Permission.
    flag(&["--permission-mode"], One, Made(values::mode)),
    flag(
        &["--dangerously-skip-permissions"],
        No,
        Ours("--permission-mode=bypass"),
    ),
    // The mode is set by another flag.
    flag(&["--allow-dangerously-skip-permissions"], No, Nothing),
    flag(
        &["--permission-prompt-tool"],
        One,
        Made(values::prompt_tool),
    ),
    flag(&["--permission-prompts"], One, Made(values::prompts)),
    flag(
        &["--allowedTools", "--allowed-tools"],
        Many,
        Made(values::allow),
    ),
    flag(
        &["--disallowedTools", "--disallowed-tools"],
        Many,
        Made(values::deny),
    ),
    flag(&["--tools"], Many, Made(values::tools)),
    flag(&["--settings"], One, Made(super::super::settings::flags)),
    flag(
        &["--managed-settings"],
        One,
        Refused("what nobody may change is in the policy of the machine (docs/policy.md)"),
    ),
    flag(
        &["--managed-settings-in-initialize"],
        No,
        Refused("what nobody may change is in the policy of the machine (docs/policy.md)"),
    ),
    flag(
        &["--project-config-root"],
        One,
        Refused("what a repository brings counts once you accept it with `teammate trust`"),
    ),
    // Limits.
    flag(&["--max-turns"], One, Ours("--max-rounds")),
    flag(&["--max-budget-usd"], One, Ours("--budget-money")),
    flag(
        &["--task-budget"],
        One,
        Refused("--budget-tokens of `teammate run` limits tokens"),
    ),
    // Servers of tools.
    flag(&["--mcp-config"], Many, Made(values::servers)),
    flag(&["--strict-mcp-config"], No, Ours("--strict-mcp-config")),
    flag(
        &["--channels"],
        Many,
        Refused("`teammate send` gives a team mail from outside"),
    ),
    // The rest.
    flag(&["--add-dir"], Many, Made(values::add_dir)),
    flag(&["--agent"], One, Refused("name the agent in the job")),
    flag(
        &["--agents"],
        One,
        Refused("write them to .claude/agents/NAME.md, and accept them with `teammate trust`"),
    ),
    flag(
        &["--plugin-dir", "--plugin-dir-no-mcp"],
        Many,
        Refused("`teammate plugin add` takes plug-ins"),
    ),
    flag(
        &["--include-hook-events"],
        No,
        Refused("hooks tell nothing here; docs/hooks.md says where they log"),
    ),
    flag(
        &["--replay-user-messages"],
        No,
        Refused("what the user says is not told again"),
    ),
    flag(
        &["-w", "--worktree"],
        Maybe,
        Refused("make the worktree before, or have the lead spawn members with worktrees"),
    ),
    flag(&["--from-pr"], Maybe, Refused("check it out before")),
    flag(
        &["--remote"],
        Maybe,
        Refused("`teammate worker` runs members on other machines"),
    ),
    flag(
        &["--teleport"],
        Maybe,
        Refused("`teammate worker` runs members on other machines"),
    ),
    flag(
        &["--sdk-url"],
        One,
        Refused("lines come on standard input and go to standard output"),
    ),
    flag(
        &["--ide"],
        No,
        Refused("editors start `teammate acp` (docs/editors.md)"),
    ),
    flag(
        &["--chrome"],
        No,
        Refused("a server of tools for a browser does it (docs/mcp.md)"),
    ),
    flag(&["--no-chrome"], No, Nothing),
    flag(
        &["--init", "--init-only", "--maintenance"],
        No,
        Refused("hooks are in hooks.json (docs/hooks.md)"),
    ),
];
