//! The text in the bytes of a file that is written for agents.

/// The words at the end of a text that goes on.
const CUT: &str = "\n(cut here: the file is longer)";

/// A text of which a reader sees no more than was allowed.
#[derive(Debug, PartialEq, Eq)]
pub struct BoundedText {
    /// Without blanks around it; it says at its end if it is cut.
    pub text: String,
    /// Whether the file is longer.
    pub is_cut: bool,
}

/// The beginning of a file as text, at most `max` bytes. Its bytes need to be no more than `max`, and one more if there are.
///
/// # Errors
///
/// It is no text; the words go behind the file's name.
pub fn bounded(mut bytes: Vec<u8>, max: usize) -> Result<BoundedText, String> {
    let is_cut = bytes.len() > max;
    if is_cut {
        bytes.truncate(max);
        // A character that was cut in two goes as a whole.
        if let Err(error) = std::str::from_utf8(&bytes)
            && error.error_len().is_none()
        {
            bytes.truncate(error.valid_up_to());
        }
    }
    let mut text = plain(&bytes)?.trim().to_owned();
    if is_cut {
        text.push_str(CUT);
    }
    Ok(BoundedText { text, is_cut })
}

/// The bytes as text with plain line ends, without a byte order mark.
///
/// # Errors
///
/// It is no text; the words go behind the file's name.
pub fn plain(bytes: &[u8]) -> Result<String, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned())?;
    if text.contains('\0') {
        return Err("is not text".to_owned());
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Ok(text.replace("\r\n", "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_ends_with_a_whole_character_and_says_so() {
        let all = bounded("\u{feff}a\r\nb\n".into(), 100).unwrap();
        assert_eq!((&*all.text, all.is_cut), ("a\nb", false));
        let cut = bounded("éé".into(), 3).unwrap();
        assert_eq!(cut.text, "é\n(cut here: the file is longer)");
        for bytes in [&b"\xff\xfea"[..], b"a\0"] {
            assert!(bounded(bytes.to_vec(), 100).is_err());
        }
    }
}
