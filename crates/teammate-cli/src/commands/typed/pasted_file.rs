//! A path that was pasted, as terminals paste a file that is dropped on them: the word that shows it to a member.

use std::path::Path;

use super::named_files::named_files;

/// How a file is written in the text of a message, if the whole paste is the path of a picture or document that is there.
pub(in crate::commands) fn pasted_file(pasted: &str, workspace: &Path) -> Option<String> {
    let pasted = pasted.trim();
    let path = match pasted.strip_prefix("file://") {
        Some(url) => percent_decoded(url.strip_prefix("localhost").unwrap_or(url))?,
        None => unquoted(pasted)?,
    };
    // A name alone may be a word of a sentence.
    if !path.starts_with('/') || path.contains(['"', '\n', '\r']) {
        return None;
    }
    let below = Path::new(&path).strip_prefix(workspace).ok();
    let shown = below.and_then(Path::to_str).unwrap_or(&path);
    let word = match shown.contains(char::is_whitespace) {
        true => format!("@\"{shown}\" "),
        false => format!("@{shown} "),
    };
    let found = named_files(&word, workspace);
    (found == [workspace.join(shown)]).then_some(word)
}

/// A path as a shell would read it: in quotes, or with a backslash before what it would not take for itself.
fn unquoted(text: &str) -> Option<String> {
    for quote in ['\'', '"'] {
        if let Some(rest) = text.strip_prefix(quote) {
            let inner = rest.strip_suffix(quote)?;
            return (!inner.contains(quote)).then(|| inner.to_owned());
        }
    }
    let (mut path, mut chars) = (String::new(), text.chars());
    while let Some(c) = chars.next() {
        match c {
            '\\' => path.push(chars.next()?),
            c => path.push(c),
        }
    }
    Some(path)
}

/// The path of a URL.
fn percent_decoded(text: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), text.bytes());
    while let Some(byte) = rest.next() {
        match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                let digits = std::str::from_utf8(&digits).ok()?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
            }
            byte => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dropped_picture_becomes_the_word_that_shows_it_and_anything_else_stays() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let work = root.join("work");
        std::fs::create_dir(&work).unwrap();
        for name in ["work/a.png", "my shot.png", "it's.png", "notes.txt"] {
            std::fs::write(root.join(name), "x").unwrap();
        }
        let top = root.display();
        let word = |pasted: &str| pasted_file(pasted, &work);
        let shot = Some(format!("@\"{top}/my shot.png\" "));
        for pasted in [
            format!("'{top}/my shot.png'"),
            format!("\"{top}/my shot.png\" "),
            format!("{top}/my\\ shot.png"),
            format!("{top}/my shot.png\n"),
            format!("file://{top}/my%20shot.png"),
            format!("file://localhost{top}/my%20shot.png\r\n"),
        ] {
            assert_eq!(word(&pasted), shot, "{pasted}");
        }
        assert_eq!(word(&format!("{top}/work/a.png")), Some("@a.png ".into()));
        let quote = format!("@{top}/it's.png ");
        assert_eq!(word(&format!("{top}/it\\'s.png")), Some(quote));
        for pasted in [
            "a.png".to_owned(),
            format!("{top}/notes.txt"),
            format!("{top}/no.png"),
            format!("look at {top}/work/a.png"),
            format!("{top}/work/a.png\n{top}/it's.png"),
            format!("file://{top}/%zz.png"),
            format!("'{top}/work/a.png"),
            "\\".to_owned(),
        ] {
            assert_eq!(word(&pasted), None, "{pasted}");
        }
    }
}
