//! How a text file is written in bytes: UTF-8, or UTF-16 as its byte order mark says. Models see and write the text; the file keeps
//! its encoding. Other encodings are not guessed.

use std::borrow::Cow;

/// The encoding of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum TextEncoding {
    #[default]
    Utf8,
    Utf16Le,
    Utf16Be,
}

impl TextEncoding {
    /// That of a file with these bytes at its beginning.
    pub(super) fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0xff, 0xfe, ..] => Self::Utf16Le,
            [0xfe, 0xff, ..] => Self::Utf16Be,
            _ => Self::Utf8,
        }
    }

    /// The text of a file, with its mark; nothing if it is none.
    pub(super) fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        let unit: fn([u8; 2]) -> u16 = match self {
            Self::Utf8 => return std::str::from_utf8(bytes).ok().map(Cow::from),
            Self::Utf16Le => u16::from_le_bytes,
            Self::Utf16Be => u16::from_be_bytes,
        };
        let (pairs, rest) = bytes.as_chunks::<2>();
        let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
        let text = String::from_utf16(&units).ok()?;
        // UTF-32 begins with the same mark, and is full of zeros.
        (rest.is_empty() && !text.contains('\0')).then(|| text.into())
    }

    /// The bytes of a text.
    pub(super) fn encode(self, text: &str) -> Cow<'_, [u8]> {
        let bytes: fn(u16) -> [u8; 2] = match self {
            Self::Utf8 => return text.as_bytes().into(),
            Self::Utf16Le => u16::to_le_bytes,
            Self::Utf16Be => u16::to_be_bytes,
        };
        text.encode_utf16()
            .flat_map(bytes)
            .collect::<Vec<u8>>()
            .into()
    }

    /// The words about what is kept, for a model.
    pub(super) fn kept(self) -> &'static str {
        match self {
            Self::Utf8 => "",
            Self::Utf16Le | Self::Utf16Be => "; it stays UTF-16",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_as_the_same_bytes() {
        for bytes in [
            &b"\xff\xfeh\0\xe9\0\n\0=\xd8\0\xde"[..],
            b"\xfe\xff\0h\0\xe9\0\n\xd8=\xde\0",
            "\u{feff}h\u{e9}\n\u{1f600}".as_bytes(),
        ] {
            let encoding = TextEncoding::of(bytes);
            let text = encoding.decode(bytes).unwrap();
            assert_eq!(text, "\u{feff}h\u{e9}\n\u{1f600}");
            assert_eq!(encoding.encode(&text), bytes);
        }
        for none in [
            &b"\xff\xfeh"[..],
            b"\xff\xfe\0\0h\0\0\0",
            b"\xff\xfe\0\xd8",
            b"\x80",
        ] {
            assert_eq!(TextEncoding::of(none).decode(none), None);
        }
    }
}
