//! Every verb of the command line is in the faces, too, or there is a reason why not: this table has to name each.

use clap::{Command, CommandFactory as _};
use teammate_view::keys::KeyAction;

use super::{TypedCommand, WORDS_OF_PROMPTS};
use crate::commands::Cli;

/// How a verb of the command line is done in a face.
enum Place {
    /// By this command, in both faces.
    Typed(&'static str),
    /// By what is typed without any command.
    Words(&'static str),
    /// The face shows it all the time; in the full screen there is a key for it.
    Shown(KeyAction),
    /// Not at all.
    Nowhere(Why),
}

/// Why a verb has no place in a face.
enum Why {
    /// It is about no team that a face could have open.
    AboutNoTeam,
    /// It opens a team in another way than with a face.
    OpensAnother,
    /// It is for a team that does not run.
    TeamMustRest,
    /// The user decides it with everything before their eyes, before a team is opened with it.
    DecidedBefore,
    /// It is for those who want to know it from something else than a screen that members' words reach.
    FromOutside,
}

const PLACES: &[(&str, Place)] = &[
    ("run", Place::Words("TEXT")),
    ("resume", Place::Typed("/resume")),
    ("up", Place::Nowhere(Why::OpensAnother)),
    ("watch", Place::Shown(KeyAction::FactBack)),
    #[cfg(feature = "web")]
    ("web", Place::Nowhere(Why::OpensAnother)),
    #[cfg(feature = "web")]
    ("web keys", Place::Nowhere(Why::AboutNoTeam)),
    #[cfg(feature = "web")]
    ("web keys revoke", Place::Nowhere(Why::AboutNoTeam)),
    #[cfg(feature = "web")]
    ("web pair", Place::Nowhere(Why::AboutNoTeam)),
    ("team", Place::Typed("/team")),
    ("teams", Place::Typed("/resume")),
    ("tasks", Place::Typed("/tasks")),
    ("tasks show", Place::Typed("/tasks")),
    ("tasks add", Place::Typed("/tasks")),
    ("tasks edit", Place::Typed("/tasks")),
    ("tasks assign", Place::Typed("/tasks")),
    ("tasks reopen", Place::Typed("/tasks")),
    ("tasks complete", Place::Typed("/tasks")),
    ("tasks fail", Place::Typed("/tasks")),
    ("tasks delete", Place::Typed("/tasks")),
    ("inbox", Place::Typed("/inbox")),
    ("send", Place::Words("@NAME TEXT")),
    ("recall", Place::Typed("/recall")),
    ("interrupt", Place::Typed("/interrupt")),
    ("pause", Place::Typed("/pause")),
    ("continue", Place::Typed("/continue")),
    ("compact", Place::Typed("/compact")),
    ("goal", Place::Typed("/goal")),
    ("needs", Place::Typed("/needs")),
    ("requests", Place::Typed("/requests")),
    ("requests show", Place::Typed("/requests")),
    ("approve", Place::Typed("/approve")),
    ("deny", Place::Typed("/deny")),
    ("stop", Place::Typed("/shutdown")),
    ("conversations", Place::Typed("/resume")),
    ("conversations drop", Place::Nowhere(Why::TeamMustRest)),
    ("log", Place::Shown(KeyAction::ShowMember)),
    ("export", Place::Typed("/export")),
    ("share", Place::Nowhere(Why::FromOutside)),
    ("worktrees", Place::Typed("/worktrees")),
    ("worktrees diff", Place::Typed("/worktrees")),
    ("worktrees merge", Place::Typed("/worktrees")),
    ("worktrees remove", Place::Typed("/worktrees")),
    ("worktrees keep", Place::Typed("/worktrees")),
    // The faces ask about each; this shows what was refused, and the files themselves.
    ("held", Place::Nowhere(Why::FromOutside)),
    ("held show", Place::Nowhere(Why::FromOutside)),
    ("held take", Place::Nowhere(Why::FromOutside)),
    ("held drop", Place::Nowhere(Why::FromOutside)),
    ("cost", Place::Typed("/cost")),
    ("mcp", Place::Typed("/mcp")),
    ("mcp list", Place::Typed("/mcp")),
    ("mcp add", Place::Nowhere(Why::DecidedBefore)),
    ("mcp remove", Place::Nowhere(Why::DecidedBefore)),
    ("mcp get", Place::Typed("/mcp")),
    ("mcp test", Place::Nowhere(Why::FromOutside)),
    ("mcp accept", Place::Nowhere(Why::DecidedBefore)),
    ("mcp login", Place::Nowhere(Why::DecidedBefore)),
    ("mcp serve", Place::Nowhere(Why::OpensAnother)),
    ("hooks", Place::Typed("/hooks")),
    ("hooks list", Place::Typed("/hooks")),
    // It runs them, which a person at work with a team does not want by the way.
    ("hooks test", Place::Nowhere(Why::DecidedBefore)),
    ("plugin", Place::Nowhere(Why::DecidedBefore)),
    ("plugin add", Place::Nowhere(Why::DecidedBefore)),
    ("plugin list", Place::Nowhere(Why::AboutNoTeam)),
    ("plugin remove", Place::Nowhere(Why::DecidedBefore)),
    ("plugin update", Place::Nowhere(Why::DecidedBefore)),
    ("agents", Place::Nowhere(Why::AboutNoTeam)),
    ("agents list", Place::Nowhere(Why::AboutNoTeam)),
    ("agents test", Place::Nowhere(Why::AboutNoTeam)),
    ("agents play", Place::Nowhere(Why::AboutNoTeam)),
    ("agents tool-server", Place::Nowhere(Why::AboutNoTeam)),
    ("agents team-tools", Place::Nowhere(Why::AboutNoTeam)),
    ("acp", Place::Nowhere(Why::OpensAnother)),
    ("as-claude", Place::Nowhere(Why::OpensAnother)),
    ("models", Place::Typed("/models")),
    #[cfg(feature = "nats")]
    ("worker", Place::Nowhere(Why::OpensAnother)),
    #[cfg(feature = "nats")]
    ("workers", Place::Nowhere(Why::FromOutside)),
    #[cfg(feature = "nats")]
    ("workers drain", Place::Nowhere(Why::FromOutside)),
    #[cfg(feature = "nats")]
    ("keys", Place::Nowhere(Why::AboutNoTeam)),
    #[cfg(feature = "nats")]
    ("keys init", Place::Nowhere(Why::AboutNoTeam)),
    #[cfg(feature = "nats")]
    ("keys worker", Place::Nowhere(Why::AboutNoTeam)),
    #[cfg(feature = "nats")]
    ("keys person", Place::Nowhere(Why::AboutNoTeam)),
    #[cfg(feature = "nats")]
    ("keys remove", Place::Nowhere(Why::AboutNoTeam)),
    ("audit", Place::Nowhere(Why::FromOutside)),
    ("audit verify", Place::Nowhere(Why::FromOutside)),
    ("purge", Place::Nowhere(Why::TeamMustRest)),
    ("demo", Place::Nowhere(Why::OpensAnother)),
    ("setup", Place::Nowhere(Why::DecidedBefore)),
    ("doctor", Place::Nowhere(Why::FromOutside)),
    ("trust", Place::Nowhere(Why::DecidedBefore)),
    ("recover", Place::Nowhere(Why::TeamMustRest)),
    ("rules", Place::Typed("/rules")),
    // A team that is open keeps a removed rule.
    ("rules remove", Place::Nowhere(Why::DecidedBefore)),
    // Members read the notes as they were at the opening.
    ("memory", Place::Nowhere(Why::DecidedBefore)),
    ("memory list", Place::Nowhere(Why::DecidedBefore)),
    ("memory show", Place::Nowhere(Why::DecidedBefore)),
    ("memory edit", Place::Nowhere(Why::DecidedBefore)),
    ("memory write", Place::Nowhere(Why::DecidedBefore)),
    ("memory accept", Place::Nowhere(Why::DecidedBefore)),
    ("memory remove", Place::Nowhere(Why::DecidedBefore)),
    ("schedules", Place::Nowhere(Why::DecidedBefore)),
    ("schedules list", Place::Nowhere(Why::DecidedBefore)),
    ("schedules add", Place::Nowhere(Why::DecidedBefore)),
    ("schedules remove", Place::Nowhere(Why::DecidedBefore)),
    ("schedules pause", Place::Nowhere(Why::DecidedBefore)),
    ("schedules resume", Place::Nowhere(Why::DecidedBefore)),
    ("schema", Place::Nowhere(Why::AboutNoTeam)),
    ("completions", Place::Nowhere(Why::AboutNoTeam)),
    ("man", Place::Nowhere(Why::AboutNoTeam)),
];

/// All verbs, those below others with the words before them.
fn verbs(command: &Command, before: &str) -> Vec<String> {
    let below = command.get_subcommands();
    let below = below.flat_map(|verb| {
        let name = format!("{before}{}", verb.get_name());
        let more = verbs(verb, &format!("{name} "));
        std::iter::once(name).chain(more)
    });
    below.collect()
}

#[test]
fn every_verb_of_the_command_line_is_in_the_faces_or_a_reason_says_why_not() {
    let verbs = verbs(&Cli::command(), "");
    let places: Vec<&str> = PLACES.iter().map(|(verb, _)| *verb).collect();
    assert_eq!(places, verbs, "the table has the verbs in their order");
    for (verb, place) in PLACES {
        let is_there = match place {
            Place::Typed(word) => TypedCommand::named(word).is_some(),
            // They begin with no word that means something else.
            Place::Words(words) => !words.starts_with('/') && !WORDS_OF_PROMPTS.contains(words),
            Place::Shown(action) => action.word().is_some(),
            Place::Nowhere(
                Why::AboutNoTeam
                | Why::OpensAnother
                | Why::TeamMustRest
                | Why::DecidedBefore
                | Why::FromOutside,
            ) => true,
        };
        assert!(is_there, "{verb}");
    }
}
