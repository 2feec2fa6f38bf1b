//! A tree becomes lines of a width. Paragraphs, items and quotes are wrapped at words. Code is broken where the line ends, for
//! nothing of it may be out of sight; such a line says that it continues the one before. No line is wider than asked.

use super::{
    ListItem, TextBlock, TextList,
    flow::{Flow, LineFlow, Margin},
    inline::{InlinePart, parts},
    table::draw_table,
};
use crate::{
    diff::read_diff,
    text::{Span, TextLine, TextRole},
    width::{WidthPolicy, without_tabs},
};

/// Nothing is laid out for a narrower screen.
pub const WIDTH_MIN: usize = 8;

/// The lines of a text on a screen of `width` columns, at least [`WIDTH_MIN`]. Between two blocks is an empty line, but for a
/// list without empty lines behind its paragraph.
pub fn layout(blocks: &[TextBlock], width: usize, policy: WidthPolicy) -> Vec<TextLine> {
    let page = LineFlow {
        width: width.max(WIDTH_MIN),
        policy,
    };
    let mut lines = Vec::new();
    put_blocks(blocks, false, page, &mut Margin::default(), &mut lines);
    lines
}

fn put_blocks(
    blocks: &[TextBlock],
    is_tight: bool,
    page: LineFlow,
    margin: &mut Margin,
    lines: &mut Vec<TextLine>,
) {
    let mut before: Option<&TextBlock> = None;
    for block in blocks {
        if before.is_some_and(|before| !is_tight && !belong_together(before, block)) {
            lines.push(margin.empty_line());
        }
        put_block(block, page, margin, lines);
        before = Some(block);
    }
    if margin.has_mark() {
        lines.push(margin.take());
    }
}

fn belong_together(before: &TextBlock, block: &TextBlock) -> bool {
    let is_tight = matches!(block, TextBlock::List(list) if list.is_tight);
    is_tight && matches!(before, TextBlock::Paragraph(_))
}

fn put_block(block: &TextBlock, page: LineFlow, margin: &mut Margin, lines: &mut Vec<TextLine>) {
    match block {
        TextBlock::Heading { level, text } => {
            let mut flow = Flow::new(page, margin, lines);
            let marks = format!("{} ", "#".repeat((*level).into()));
            flow.put(&marks, TextRole::Heading);
            put_parts(flow, &parts(text, TextRole::Heading));
        }
        TextBlock::Paragraph(text) => {
            let flow = Flow::new(page, margin, lines);
            put_parts(flow, &parts(text, TextRole::Plain));
        }
        TextBlock::Code { language, text } => put_code(language, text, page, margin, lines),
        TextBlock::List(list) => put_list(list, page, margin, lines),
        TextBlock::Quote(blocks) => {
            let mark = Span::new("> ", TextRole::Dim);
            let mut inside = margin.inside(&mark, &mark, page);
            put_blocks(blocks, false, page, &mut inside, lines);
        }
        TextBlock::Table(table) => draw_table(table, page, margin, lines),
        TextBlock::Rule => {
            let mut line = margin.take();
            line.push("---", TextRole::Dim);
            lines.push(line);
        }
    }
}

fn put_parts(mut flow: Flow<'_>, parts: &[InlinePart]) {
    for part in parts {
        match part {
            InlinePart::Span(span) => flow.put(&span.text, span.role),
            InlinePart::Break => flow.end(),
        }
    }
    flow.finish();
}

fn put_code(
    language: &str,
    text: &str,
    page: LineFlow,
    margin: &mut Margin,
    lines: &mut Vec<TextLine>,
) {
    let indent = Span::new("  ", TextRole::Plain);
    let mut inside = margin.inside(&indent, &indent, page);
    let mut put = |text: &str, role| {
        let mut flow = Flow::new(page, &mut inside, lines);
        flow.put_as_written(text, role);
        flow.finish();
    };
    if matches!(language, "diff" | "patch") {
        for line in read_diff(text) {
            put(&line.text, line.kind.role());
        }
    } else {
        for line in text.split('\n') {
            put(&without_tabs(line), TextRole::Code);
        }
    }
}

fn put_list(list: &TextList, page: LineFlow, margin: &mut Margin, lines: &mut Vec<TextLine>) {
    let last = list.items.len() as u64;
    let digits = list.start.map_or(0, |start| {
        start
            .saturating_add(last.saturating_sub(1))
            .to_string()
            .len()
    });
    for (n, item) in (0..).zip(&list.items) {
        if n > 0 && !list.is_tight {
            lines.push(margin.empty_line());
        }
        let number = list.start.map(|start| start.saturating_add(n));
        let mark = mark(item, number, digits);
        let blanks = " ".repeat(page.policy.text(&mark));
        let (mark, blanks) = (
            Span::new(mark, TextRole::Dim),
            Span::new(blanks, TextRole::Plain),
        );
        let mut inside = margin.inside(&mark, &blanks, page);
        put_blocks(&item.blocks, list.is_tight, page, &mut inside, lines);
    }
}

fn mark(item: &ListItem, number: Option<u64>, digits: usize) -> String {
    let mark = match number {
        Some(number) => format!(" {number:>digits$}. "),
        None => " • ".to_owned(),
    };
    match item.is_done {
        Some(true) => mark + "[x] ",
        Some(false) => mark + "[ ] ",
        None => mark,
    }
}
