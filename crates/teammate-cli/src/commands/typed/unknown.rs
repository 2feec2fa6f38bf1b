//! A word with a `/` in front that is no command.

use teammate::{edit_distance, slips_max};

use super::words;

/// The reply to an unknown command. `others` are the words of commands that people wrote down.
pub(super) fn unknown_command(word: &str, others: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = words().map(str::to_owned).chain(others).collect();
    let begins = |known: &&String| word.len() > 1 && known.starts_with(word);
    let near = all.iter().find(begins).or_else(|| {
        let slips = |known: &&String| edit_distance(word, known);
        let near = |known: &&String| slips(known) <= slips_max(word.len().min(known.len()) - 1);
        all.iter().filter(near).min_by_key(slips)
    });
    match near {
        Some(near) => format!("There is no {word}; did you mean {near}?"),
        None => format!("There is no {word}. There are: {}", all.join(", ")),
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
            ("/reviewe", "/review"),
        ] {
            let said = unknown_command(word, ["/review".to_owned()].into_iter());
            assert_eq!(said, format!("There is no {word}; did you mean {near}?"));
        }
        let said = unknown_command("/themes", std::iter::empty());
        assert!(
            said.starts_with("There is no /themes. There are: /team, /tasks,"),
            "{said}"
        );
    }
}
