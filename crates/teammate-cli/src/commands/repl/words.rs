//! Words that look like something else than talk: an answer, a command that is not there.

use teammate::{edit_distance, slips_max};

/// All commands of the prompt.
pub(super) const COMMANDS: [&str; 16] = [
    "/team",
    "/tasks",
    "/cost",
    "/inbox",
    "/model",
    "/effort",
    "/compact",
    "/rules",
    "/worktrees",
    "/requests",
    "/approve",
    "/deny",
    "/plan",
    "/shutdown",
    "/help",
    "/quit",
];

/// Whether a line means only yes or no, but in words that are not an answer here.
pub(super) fn looks_like_an_answer(line: &str) -> bool {
    const FIRST: [&str; 12] = [
        "y", "n", "yes", "no", "yep", "yeah", "nope", "ok", "okay", "sure", "always", "never",
    ];
    const BESIDES: [&str; 7] = ["please", "thanks", "thank", "you", "do", "it", "that"];
    let line = line.to_lowercase();
    let mut words = line
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.next().is_some_and(|word| FIRST.contains(&word))
        && words.all(|word| FIRST.contains(&word) || BESIDES.contains(&word))
}

/// The reply to an unknown command.
pub(super) fn unknown_command(word: &str) -> String {
    let near = COMMANDS
        .into_iter()
        .find(|known| word.len() > 1 && known.starts_with(word))
        .or_else(|| {
            let slips = |known: &&str| edit_distance(word, known);
            let near = |known: &&str| slips(known) <= slips_max(word.len().min(known.len()) - 1);
            COMMANDS.into_iter().filter(near).min_by_key(slips)
        });
    match near {
        Some(near) => format!("There is no {word}; did you mean {near}?"),
        None => format!("There is no {word}. There are: {}", COMMANDS.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_consent_looks_like_an_answer_and_talk_does_not() {
        for line in [
            "y",
            "Yes please",
            "ok",
            "no!",
            "Yes, do it",
            "no thank you",
            "sure.",
        ] {
            assert!(looks_like_an_answer(line), "{line}");
        }
        for line in [
            "yes, but use tokio",
            "no idea what that is",
            "okra",
            "please",
            "do it",
            "?",
        ] {
            assert!(!looks_like_an_answer(line), "{line}");
        }
    }

    #[test]
    fn a_command_that_is_not_there_names_the_nearest_or_all() {
        for (word, near) in [
            ("/te", "/team"),
            ("/teem", "/team"),
            ("/taks", "/tasks"),
            ("/ta", "/tasks"),
        ] {
            let said = unknown_command(word);
            assert_eq!(said, format!("There is no {word}; did you mean {near}?"));
        }
        let said = unknown_command("/themes");
        assert!(
            said.starts_with("There is no /themes. There are: /team, /tasks,"),
            "{said}"
        );
    }
}
