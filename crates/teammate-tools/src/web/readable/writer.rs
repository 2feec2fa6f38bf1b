//! Writes a page's text: where lines break, what stands in front of them, and when blanks count.

/// The most bytes of text that are written. Links are written whole, so a page could grow.
const TEXT_BYTES_MAX: usize = 4 << 20;
/// The deepest indentation of a list, in levels.
const INDENT_MAX: usize = 8;

/// An open list.
#[derive(Debug)]
enum OpenList {
    Bullets,
    /// The number of the next item.
    Numbers(u32),
}

/// How far the text is from what was written last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum TextGap {
    #[default]
    None,
    Blank,
    Line,
    Paragraph,
}

#[derive(Debug, Default)]
pub(super) struct TextWriter {
    out: String,
    gap: TextGap,
    /// The beginning of the next line that is written.
    prefix: String,
    lists: Vec<OpenList>,
    /// How many elements are open in which blanks count.
    preformatted: usize,
    /// Where the text of the open link begins.
    link: Option<usize>,
}

impl TextWriter {
    pub(super) fn is_full(&self) -> bool {
        self.out.len() > TEXT_BYTES_MAX
    }

    pub(super) fn finish(mut self) -> String {
        if self.preformatted > 0 {
            self.preformatted = 0;
            self.out.push_str("\n```");
        }
        self.out.truncate(self.out.trim_end().len());
        self.out
    }

    /// An element begins.
    pub(super) fn opens(&mut self, name: &[u8]) {
        match name {
            [b'h', level @ b'1'..=b'6'] => {
                self.gap(TextGap::Paragraph);
                self.prefix = format!("{} ", "#".repeat(usize::from(level - b'0')));
            }
            b"br" if self.preformatted > 0 => self.out.push('\n'),
            b"br" | b"tr" | b"dt" | b"option" => self.gap(TextGap::Line),
            b"dd" => {
                self.gap(TextGap::Line);
                self.prefix = "  ".to_owned();
            }
            b"hr" => {
                self.gap(TextGap::Paragraph);
                self.inline("---");
                self.gap(TextGap::Paragraph);
            }
            b"ul" | b"menu" => self.opens_list(OpenList::Bullets),
            b"ol" => self.opens_list(OpenList::Numbers(1)),
            b"li" => self.opens_item(),
            b"pre" | b"textarea" => {
                if self.preformatted == 0 {
                    self.gap(TextGap::Paragraph);
                    self.inline("```\n");
                }
                self.preformatted += 1;
            }
            b"code" | b"kbd" | b"samp" if self.preformatted == 0 => self.inline("`"),
            b"td" | b"th" => self.opens_cell(),
            _ if is_block(name) => self.gap(self.around_blocks()),
            _ => {}
        }
    }

    /// An element ends.
    pub(super) fn closes(&mut self, name: &[u8]) {
        match name {
            b"ul" | b"ol" | b"menu" => {
                self.lists.pop();
                self.gap(self.around_blocks());
            }
            b"pre" | b"textarea" if self.preformatted > 0 => {
                self.preformatted -= 1;
                if self.preformatted == 0 {
                    let end = if self.out.ends_with('\n') {
                        "```"
                    } else {
                        "\n```"
                    };
                    self.out.push_str(end);
                    self.gap(TextGap::Paragraph);
                }
            }
            // Not in front of it: `x `.
            b"code" | b"kbd" | b"samp" if self.preformatted == 0 => self.out.push('`'),
            b"li" | b"tr" | b"dt" | b"dd" => self.ends_line(TextGap::Line),
            [b'h', b'1'..=b'6'] => self.ends_line(TextGap::Paragraph),
            _ if is_block(name) => self.gap(self.around_blocks()),
            _ => {}
        }
    }

    /// Text of the page.
    pub(super) fn text(&mut self, text: &str) {
        if self.preformatted > 0 {
            self.flush_gap();
            return self.out.push_str(text);
        }
        for word in text.split_inclusive(|c: char| c.is_ascii_whitespace()) {
            let trimmed = word.trim_end_matches(|c: char| c.is_ascii_whitespace());
            if !trimmed.is_empty() {
                self.inline(trimmed);
            }
            if trimmed.len() < word.len() {
                self.gap(TextGap::Blank);
            }
        }
    }

    /// Text as it stands, after the gap that is due.
    pub(super) fn inline(&mut self, text: &str) {
        self.flush_gap();
        self.out.push_str(text);
    }

    pub(super) fn begin_link(&mut self) {
        self.flush_gap();
        self.link = Some(self.out.len());
        self.out.push('[');
    }

    /// The link leads there. One without text is left out.
    pub(super) fn end_link(&mut self, address: &str) {
        let Some(begin) = self.link.take() else {
            return;
        };
        if self.out[begin + 1..].trim().is_empty() {
            self.out.truncate(begin);
        } else {
            self.out.push_str("](");
            self.out.push_str(address);
            self.out.push(')');
        }
    }

    fn opens_list(&mut self, list: OpenList) {
        self.gap(self.around_blocks());
        self.lists.push(list);
    }

    fn opens_item(&mut self) {
        self.gap(TextGap::Line);
        let depth = self.lists.len().saturating_sub(1).min(INDENT_MAX);
        let mark = match self.lists.last_mut() {
            Some(OpenList::Numbers(next)) => {
                *next = next.saturating_add(1);
                format!("{}. ", *next - 1)
            }
            Some(OpenList::Bullets) | None => "- ".to_owned(),
        };
        self.prefix = format!("{}{mark}", "  ".repeat(depth));
    }

    /// Cells of a row stand on a line.
    fn opens_cell(&mut self) {
        let is_first = self.out.is_empty() || self.out.ends_with('\n') || self.gap >= TextGap::Line;
        if !is_first {
            self.gap = TextGap::None;
            self.out.push_str(" | ");
        }
    }

    /// Items of a list stand close together.
    fn around_blocks(&self) -> TextGap {
        match self.lists.is_empty() {
            true => TextGap::Paragraph,
            false => TextGap::Line,
        }
    }

    /// Ends a line, and with it what was to begin with a prefix.
    fn ends_line(&mut self, gap: TextGap) {
        self.prefix.clear();
        self.gap(gap);
    }

    fn gap(&mut self, gap: TextGap) {
        // A paragraph at the beginning of an item stands on the item's line.
        if self.prefix.is_empty() {
            self.gap = self.gap.max(gap);
        }
    }

    fn flush_gap(&mut self) {
        let is_start = self.out.is_empty() || self.out.ends_with('\n');
        match std::mem::take(&mut self.gap) {
            TextGap::None => {}
            TextGap::Blank if is_start || self.out.ends_with(['[', ' ']) => {}
            TextGap::Blank => self.out.push(' '),
            TextGap::Line if is_start => {}
            TextGap::Line => self.out.push('\n'),
            TextGap::Paragraph if self.out.is_empty() || self.out.ends_with("\n\n") => {}
            TextGap::Paragraph if is_start => self.out.push('\n'),
            TextGap::Paragraph => self.out.push_str("\n\n"),
        }
        self.out.push_str(&std::mem::take(&mut self.prefix));
    }
}

/// Whether an element stands on lines of its own.
fn is_block(name: &[u8]) -> bool {
    const BLOCKS: [&[u8]; 27] = [
        b"address",
        b"article",
        b"aside",
        b"blockquote",
        b"body",
        b"caption",
        b"details",
        b"div",
        b"dl",
        b"fieldset",
        b"figcaption",
        b"figure",
        b"footer",
        b"form",
        b"header",
        b"hgroup",
        b"legend",
        b"main",
        b"nav",
        b"p",
        b"search",
        b"section",
        b"summary",
        b"table",
        b"tbody",
        b"thead",
        b"tfoot",
    ];
    BLOCKS.contains(&name)
}
