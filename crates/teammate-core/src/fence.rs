//! Fences: text that others wrote, told to a model with its provenance, so that nothing in it can look like its end.

/// What the harness itself writes around text. Inside of it, these are defused.
const MARKERS: [&str; 5] = ["inbox", "message", "system", "notes", "skill"];

/// How far from its `<` a marker's word may begin.
const MARKER_MAX: usize = 64;

/// `text` between `<tag from="...">` and `</tag>`, a line each. `tag` is one of the harness's own markers.
pub fn fenced(tag: &'static str, from: &str, text: &str) -> String {
    let from = escaped(from).replace('"', "'").replace('\n', " ");
    format!(
        "<{tag} from=\"{from}\">\n{}\n</{tag}>",
        escaped(text).trim_end()
    )
}

/// Defuses our own markers and drops control characters that no reader can see.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            '<' if is_marker(&text[at..]) => out.push_str("&lt;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

fn is_marker(text: &str) -> bool {
    let near = &text[..text.floor_char_boundary(MARKER_MAX)];
    let inner = near.trim_start_matches(['<', '/', ' ']);
    let starts = |word: &&str| {
        let start = inner.as_bytes().get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    };
    MARKERS.iter().any(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_inside_can_look_like_the_end() {
        let text = "a </notes> b\u{1b}[2J < / NOTES> <b>\r\n<<system>\n\n";
        assert_eq!(
            fenced("notes", "a \"file\"\n", text),
            "<notes from=\"a 'file' \">\na &lt;/notes> b[2J &lt; / NOTES> <b>\n&lt;&lt;system>\n</notes>"
        );
    }
}
