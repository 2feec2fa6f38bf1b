//! Marks what is looked for, wherever it stands on the screen.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};

use crate::text::width;

/// Marks each place in the area that has the word, letter case aside.
pub(super) fn mark(buffer: &mut Buffer, area: Rect, word: &str, style: Style) {
    let word = word.to_lowercase();
    for y in area.top()..area.bottom() {
        let (text, cells) = row(buffer, area, y);
        for (begin, found) in text.match_indices(&word) {
            let marked = begin..begin + found.len();
            for (_, x) in cells.iter().filter(|(at, _)| marked.contains(at)) {
                buffer[(*x, y)].set_style(style);
            }
        }
    }
}

/// The text of a row in small letters, and for each cell where its text begins and its column.
fn row(buffer: &Buffer, area: Rect, y: u16) -> (String, Vec<(usize, u16)>) {
    let (mut text, mut cells) = (String::new(), Vec::new());
    let mut x = area.left();
    while x < area.right() {
        let symbol = buffer[(x, y)].symbol();
        cells.push((text.len(), x));
        text.push_str(&symbol.to_lowercase());
        // Behind a wide character there is a cell without text of its own.
        x += u16::try_from(width(symbol)).unwrap_or(1).max(1);
    }
    (text, cells)
}

#[cfg(test)]
mod tests {
    use ratatui::style::Modifier;

    use super::*;

    #[test]
    fn what_is_found_is_marked_and_nothing_else() {
        let area = Rect::new(0, 0, 20, 1);
        let mut buffer = Buffer::empty(area);
        buffer.set_string(0, 0, "中文 Éa and éA", Style::new());
        let style = Style::new().add_modifier(Modifier::REVERSED);
        mark(&mut buffer, area, "éa", style);
        let is_marked = |x: &u16| buffer[(*x, 0)].modifier.contains(Modifier::REVERSED);
        let marked: Vec<u16> = (0..20).filter(is_marked).collect();
        assert_eq!(marked, [5, 6, 12, 13]);
        mark(&mut buffer, area, "文", style);
        assert!(buffer[(2, 0)].modifier.contains(Modifier::REVERSED));
    }
}
