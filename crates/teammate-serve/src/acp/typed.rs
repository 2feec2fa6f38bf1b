//! Commands that were typed in place of a prompt.

use teammate::UserMessage;

/// Its word without `/`, and what follows.
pub(crate) fn command(message: &UserMessage) -> Option<(&str, &str)> {
    let line = message.text.trim().strip_prefix('/')?;
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    Some((word, rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_a_word_behind_a_slash() {
        let said = |text: &str| UserMessage::from(text.to_owned());
        assert_eq!(command(&said("/tasks show 3\n")), Some(("tasks", "show 3")));
        assert_eq!(command(&said(" /team ")), Some(("team", "")));
        assert_eq!(command(&said("see /team")), None);
    }
}
