//! A word with a `/` in front that is no command.

use teammate::{edit_distance, slips_max};

use super::words;

/// The reply to an unknown command.
pub(in crate::commands) fn unknown_command(word: &str) -> String {
    let near = words()
        .find(|known| word.len() > 1 && known.starts_with(word))
        .or_else(|| {
            let slips = |known: &&str| edit_distance(word, known);
            let near = |known: &&str| slips(known) <= slips_max(word.len().min(known.len()) - 1);
            words().filter(near).min_by_key(slips)
        });
    match near {
        Some(near) => format!("There is no {word}; did you mean {near}?"),
        None => format!(
            "There is no {word}. There are: {}",
            words().collect::<Vec<_>>().join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
