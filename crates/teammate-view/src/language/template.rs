//! Templates with named holes: how they are filled, and where their holes are.

use std::fmt::Display;

/// A template with its holes filled. One that nobody fills stays as it is.
pub fn filled(template: &str, values: &[(&str, &dyn Display)]) -> String {
    let (mut text, mut rest) = (String::new(), template);
    while let Some((before, name, after)) = next_hole(rest) {
        text.push_str(before);
        match values.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => text.push_str(&value.to_string()),
            None => text.push_str(&format!("{{{name}}}")),
        }
        rest = after;
    }
    text.push_str(rest);
    text.replace("{{", "{").replace("}}", "}")
}

/// The text before the first hole, its name without a format, and the rest.
pub(super) fn next_hole(template: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let at = from + template.get(from..)?.find('{')?;
        if template.get(at + 1..)?.starts_with('{') {
            from = at + 2;
            continue;
        }
        let (before, hole) = template.split_at(at);
        let (hole, after) = hole.get(1..)?.split_once('}')?;
        let name = hole.split(':').next().unwrap_or_default();
        return Some((before, name, after));
    }
}
