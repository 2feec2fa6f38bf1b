//! The text of bytes that came from a server, by the encoding that they have: a mark at their beginning, what the server says, what
//! the page itself says, then UTF-8 if it is some, else the old Latin one, as browsers have it. It cannot fail.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use memchr::memmem;

/// How far from its beginning a page may say its encoding, in bytes.
const PAGE_SAYS_WITHIN: usize = 1024;

/// The text, with replacement characters where there is none. `content_type` is in small letters.
pub(super) fn text(bytes: &[u8], content_type: &str) -> String {
    let encoding = by_mark(bytes)
        .or_else(|| by_server(content_type))
        .or_else(|| by_page(bytes))
        .unwrap_or_else(|| usual(bytes));
    encoding.decode(bytes).0.into_owned()
}

fn by_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(bytes).map(|(encoding, _)| encoding)
}

fn by_server(content_type: &str) -> Option<&'static Encoding> {
    let (_, named) = content_type.split_once("charset=")?;
    label(named.as_bytes())
}

/// `<meta charset=...>`, or the same within an older form.
fn by_page(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = bytes[..bytes.len().min(PAGE_SAYS_WITHIN)].to_ascii_lowercase();
    let meta = memmem::find(&start, b"<meta")?;
    let at = memmem::find(&start[meta..], b"charset=")? + meta + b"charset=".len();
    match label(&start[at..]) {
        // A page that can say so is not in it.
        Some(wide) if !wide.is_ascii_compatible() => Some(UTF_8),
        named => named,
    }
}

fn label(text: &[u8]) -> Option<&'static Encoding> {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(b"\"").unwrap_or(text);
    let text = text.strip_prefix(b"'").unwrap_or(text);
    let is_end = |byte: &u8| matches!(byte, b'"' | b'\'' | b';' | b'>' | b'/' | b' ' | b',');
    let end = text.iter().position(is_end).unwrap_or(text.len());
    Encoding::for_label(&text[..end])
}

fn usual(bytes: &[u8]) -> &'static Encoding {
    match std::str::from_utf8(bytes) {
        Ok(_) => UTF_8,
        Err(_) => WINDOWS_1252,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_what_bytes_server_or_page_say_in_this_order() {
        let latin = b"<meta charset=\"iso-8859-1\">caf\xe9";
        for (bytes, content_type, expected) in [
            (&b"caf\xc3\xa9"[..], "text/html", "caf\u{e9}"),
            (b"caf\xe9", "text/html", "caf\u{e9}"),
            (b"caf\xe9", "text/html; charset=\"iso-8859-1\"", "caf\u{e9}"),
            (
                b"\x93\xfa\x96\x7b",
                "text/html;charset=shift_jis",
                "\u{65e5}\u{672c}",
            ),
            (
                b"\xef\xbb\xbfcaf\xc3\xa9",
                "text/html; charset=latin1",
                "caf\u{e9}",
            ),
            (b"\xff\xfeh\0i\0", "", "hi"),
            (b"a\xff", "text/plain; charset=utf-8", "a\u{fffd}"),
            (b"a", "text/plain; charset=nonsense", "a"),
        ] {
            assert_eq!(text(bytes, content_type), expected, "{content_type}");
        }
        assert!(text(latin, "text/html").ends_with("caf\u{e9}"));
        let lies = b"<meta charset=utf-16>caf\xc3\xa9";
        assert!(text(lies, "text/html").ends_with("caf\u{e9}"));
    }
}
