//! Text becomes a tree. The parser's events come in pairs; what is open is on a stack, whose height has a bound.

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::{
    Cell, ColumnSide, DEPTH_MAX, Inline, ListItem, TextBlock, TextList, TextTable,
    unfinished::finished,
};
use crate::clean::clean;

/// Reads a text that is complete.
pub fn parse(text: &str) -> Vec<TextBlock> {
    let mut tree = MarkdownTree::default();
    for event in Parser::new_ext(text, options()) {
        tree.take(event);
    }
    tree.finish()
}

/// Reads what somebody wrote to another: beside its Markdown, lines end where they were ended, and keep their indentation, as in
/// a log that was pasted.
pub fn parse_message(text: &str) -> Vec<TextBlock> {
    let mut tree = MarkdownTree::default();
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        match event {
            Event::SoftBreak => {
                tree.take(Event::HardBreak);
                tree.text(&indentation(text.get(range.start..).unwrap_or_default()));
            }
            event => tree.take(event),
        }
    }
    tree.finish()
}

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// The blanks before the next line of a text, as such that no layout drops.
fn indentation(text: &str) -> String {
    let next = text.split_once('\n').map_or("", |(_, next)| next);
    let blanks = next.chars().take_while(|c| matches!(c, ' ' | '\t'));
    blanks
        .map(|blank| {
            if blank == '\t' {
                "\u{a0}\u{a0}"
            } else {
                "\u{a0}"
            }
        })
        .collect()
}

/// Reads a text that is still being written: marks that are open are read as if they were closed, and a beginning that can
/// still become something else, as `**` or `--`, is left out.
pub fn parse_unfinished(text: &str) -> Vec<TextBlock> {
    parse(&finished(text))
}

/// An element that has begun and not ended, with its content so far.
enum OpenElement {
    Quote(Vec<TextBlock>),
    List(TextList),
    /// An item, and whether it has paragraphs instead of bare text.
    Item(ListItem, bool),
    Table(TextTable),
    Head(Vec<Cell>),
    Row(Vec<Cell>),
    Code(String, String),
    Html(String),
    Paragraph(Vec<Inline>),
    Heading(u8, Vec<Inline>),
    Cell(Cell),
    Strong(Vec<Inline>),
    Emphasis(Vec<Inline>),
    Strike(Vec<Inline>),
    Link(Vec<Inline>, String),
    /// An element that this tree has no word for.
    Other(Vec<Inline>),
}

#[derive(Default)]
struct MarkdownTree {
    blocks: Vec<TextBlock>,
    open: Vec<OpenElement>,
    /// So many are open that are too deep: their text goes to what is open below them.
    too_deep: usize,
}

impl MarkdownTree {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) if self.too_deep > 0 => self.end_too_deep(tag),
            Event::End(_) => self.end(),
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text) => self.text(&text),
            Event::Code(text) => self.put(Inline::Code(one_line(&text))),
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.put(Inline::Break),
            Event::Rule => self.block(TextBlock::Rule),
            Event::TaskListMarker(is_done) => match self.open.last_mut() {
                Some(OpenElement::Item(item, _)) => item.is_done = Some(is_done),
                _ => self.text(if is_done { "[x] " } else { "[ ] " }),
            },
            Event::FootnoteReference(text) => self.text(&text),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let open = match tag {
            Tag::Item => OpenElement::Item(ListItem::default(), false),
            Tag::TableHead => OpenElement::Head(Vec::new()),
            Tag::TableRow => OpenElement::Row(Vec::new()),
            Tag::TableCell => OpenElement::Cell(Vec::new()),
            Tag::CodeBlock(kind) => OpenElement::Code(language(&kind), String::new()),
            Tag::HtmlBlock => OpenElement::Html(String::new()),
            Tag::Paragraph => OpenElement::Paragraph(Vec::new()),
            Tag::Heading { level, .. } => OpenElement::Heading(level as u8, Vec::new()),
            Tag::BlockQuote(_) => OpenElement::Quote(Vec::new()),
            Tag::List(start) => OpenElement::List(TextList {
                start,
                is_tight: true,
                items: Vec::new(),
            }),
            Tag::Table(columns) => OpenElement::Table(TextTable {
                columns: columns.into_iter().map(side).collect(),
                ..TextTable::default()
            }),
            Tag::Emphasis => OpenElement::Emphasis(Vec::new()),
            Tag::Strong => OpenElement::Strong(Vec::new()),
            Tag::Strikethrough => OpenElement::Strike(Vec::new()),
            Tag::Link { dest_url, .. } => OpenElement::Link(Vec::new(), one_line(&dest_url)),
            Tag::Image { dest_url, .. } => OpenElement::Link(
                vec![Inline::Text("image: ".to_owned())],
                one_line(&dest_url),
            ),
            _ => OpenElement::Other(Vec::new()),
        };
        if self.too_deep > 0 || open.is_nesting() && self.depth() >= DEPTH_MAX {
            self.too_deep += 1;
        } else {
            self.open.push(open);
        }
    }

    /// How many are open of those that can be in each other.
    fn depth(&self) -> usize {
        self.open.iter().filter(|open| open.is_nesting()).count()
    }

    fn end_too_deep(&mut self, tag: TagEnd) {
        self.too_deep -= 1;
        let is_inline = matches!(
            tag,
            TagEnd::Emphasis
                | TagEnd::Strong
                | TagEnd::Strikethrough
                | TagEnd::Link
                | TagEnd::Image
        );
        if !is_inline {
            self.put(Inline::Break);
        }
    }

    fn end(&mut self) {
        match self.open.pop() {
            Some(OpenElement::Quote(blocks)) => self.block(TextBlock::Quote(blocks)),
            Some(OpenElement::List(list)) => self.block(TextBlock::List(list)),
            Some(OpenElement::Item(item, is_loose)) => {
                if let Some(OpenElement::List(list)) = self.open.last_mut() {
                    list.is_tight &= !is_loose;
                    list.items.push(item);
                }
            }
            Some(OpenElement::Table(table)) => self.block(TextBlock::Table(table)),
            Some(OpenElement::Head(cells)) => {
                if let Some(OpenElement::Table(table)) = self.open.last_mut() {
                    table.head = cells;
                }
            }
            Some(OpenElement::Row(mut cells)) => {
                while cells.last().is_some_and(Vec::is_empty) {
                    cells.pop();
                }
                if let Some(OpenElement::Table(table)) = self.open.last_mut() {
                    table.rows.push(cells);
                }
            }
            Some(OpenElement::Cell(text)) => {
                if let Some(OpenElement::Head(cells) | OpenElement::Row(cells)) =
                    self.open.last_mut()
                {
                    cells.push(text);
                }
            }
            Some(OpenElement::Code(language, text)) => {
                let text = clean(text.strip_suffix('\n').unwrap_or(&text)).into_owned();
                self.block(TextBlock::Code { language, text });
            }
            Some(OpenElement::Html(text)) => self.block(TextBlock::Paragraph(lines_of(&text))),
            Some(OpenElement::Paragraph(text)) => {
                if let Some(OpenElement::Item(_, is_loose)) = self.open.last_mut() {
                    *is_loose = true;
                }
                self.block(TextBlock::Paragraph(text));
            }
            Some(OpenElement::Heading(level, text)) => {
                self.block(TextBlock::Heading { level, text });
            }
            Some(OpenElement::Strong(text)) => self.put(Inline::Strong(text)),
            Some(OpenElement::Emphasis(text)) => self.put(Inline::Emphasis(text)),
            Some(OpenElement::Strike(text)) => self.put(Inline::Strike(text)),
            Some(OpenElement::Link(text, to)) => self.put(Inline::Link { text, to }),
            Some(OpenElement::Other(text)) => text.into_iter().for_each(|inline| self.put(inline)),
            None => {}
        }
    }

    fn text(&mut self, text: &str) {
        match self.open.last_mut() {
            Some(OpenElement::Code(_, all) | OpenElement::Html(all)) => all.push_str(text),
            Some(_) | None => self.put(Inline::Text(one_line(text))),
        }
    }

    /// Puts a part of a line where it belongs. Text between blocks, as in a short item, is a paragraph.
    fn put(&mut self, inline: Inline) {
        let blocks = match self.open.last_mut() {
            Some(
                OpenElement::Paragraph(all)
                | OpenElement::Heading(_, all)
                | OpenElement::Cell(all)
                | OpenElement::Strong(all)
                | OpenElement::Emphasis(all)
                | OpenElement::Strike(all)
                | OpenElement::Link(all, _)
                | OpenElement::Other(all),
            ) => return push(all, inline),
            Some(OpenElement::Quote(blocks)) => blocks,
            Some(OpenElement::Item(item, _)) => &mut item.blocks,
            // The parser puts no text there.
            Some(
                OpenElement::List(_)
                | OpenElement::Table(_)
                | OpenElement::Head(_)
                | OpenElement::Row(_)
                | OpenElement::Code(..)
                | OpenElement::Html(_),
            ) => return,
            None => &mut self.blocks,
        };
        match blocks.last_mut() {
            Some(TextBlock::Paragraph(all)) => push(all, inline),
            Some(_) | None => blocks.push(TextBlock::Paragraph(vec![inline])),
        }
    }

    fn block(&mut self, block: TextBlock) {
        match self.open.last_mut() {
            Some(OpenElement::Quote(blocks)) => blocks.push(block),
            Some(OpenElement::Item(item, _)) => item.blocks.push(block),
            Some(_) | None => self.blocks.push(block),
        }
    }

    fn finish(mut self) -> Vec<TextBlock> {
        while !self.open.is_empty() {
            self.end();
        }
        self.blocks
    }
}

impl OpenElement {
    /// Whether one can be in another of its sort.
    fn is_nesting(&self) -> bool {
        match self {
            Self::Quote(_)
            | Self::List(_)
            | Self::Table(_)
            | Self::Strong(_)
            | Self::Emphasis(_)
            | Self::Strike(_)
            | Self::Link(..)
            | Self::Other(_) => true,
            Self::Item(..)
            | Self::Head(_)
            | Self::Row(_)
            | Self::Code(..)
            | Self::Html(_)
            | Self::Paragraph(_)
            | Self::Heading(..)
            | Self::Cell(_) => false,
        }
    }
}

fn push(all: &mut Vec<Inline>, inline: Inline) {
    match (all.last_mut(), inline) {
        (Some(Inline::Text(before)), Inline::Text(text)) => before.push_str(&text),
        (Some(_) | None, inline) => all.push(inline),
    }
}

fn language(kind: &CodeBlockKind<'_>) -> String {
    match kind {
        CodeBlockKind::Indented => String::new(),
        CodeBlockKind::Fenced(info) => {
            let word = info.split([' ', ',', '\t']).next().unwrap_or_default();
            one_line(word)
        }
    }
}

fn side(alignment: Alignment) -> ColumnSide {
    match alignment {
        Alignment::None | Alignment::Left => ColumnSide::Left,
        Alignment::Center => ColumnSide::Middle,
        Alignment::Right => ColumnSide::Right,
    }
}

/// Clean, and without breaks: `&#10;` is one, too.
fn one_line(text: &str) -> String {
    clean(text).replace(['\n', '\t'], " ")
}

/// HTML, line by line.
fn lines_of(html: &str) -> Vec<Inline> {
    let mut all = Vec::new();
    for line in html.lines() {
        if !all.is_empty() {
            all.push(Inline::Break);
        }
        all.push(Inline::Text(one_line(line)));
    }
    all
}
