//! The words that follow a command at prompts.

use anyhow::ensure;

/// Splits as a shell would: blanks part words, quotation marks keep them together. An error if one is not closed.
pub(super) fn split(text: &str) -> anyhow::Result<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            // Within a word it is an apostrophe.
            None if (c == '"' || c == '\'')
                && word.as_ref().is_none_or(|word| word.ends_with('=')) =>
            {
                word.get_or_insert_default();
                quote = Some(c);
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    ensure!(quote.is_none(), "A quotation mark is not closed");
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_as_people_expect() {
        let split = |text| split(text).map(|words| words.join("|"));
        assert_eq!(split(" show  #3 ").unwrap(), "show|#3");
        assert_eq!(split("add Don't stop").unwrap(), "add|Don't|stop");
        assert_eq!(
            split("add X --check \"cargo test -p 'a'\" --description='a b' ''").unwrap(),
            "add|X|--check|cargo test -p 'a'|--description=a b|"
        );
        assert!(split("add \"not closed").is_err());
    }
}
