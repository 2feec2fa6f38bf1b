//! What members write and change, as HTML: Markdown from the view's tree, diffs from its lines. Links are not followed on the
//! page: it is shown where they lead.

use teammate_view::{
    diff::{DiffKind, DiffLine},
    markdown::{Inline, TextBlock, TextList, TextTable},
};

use crate::html::Html;

/// The blocks of a text.
pub(crate) fn blocks(html: &mut Html, blocks: &[TextBlock]) {
    for block in blocks {
        match block {
            TextBlock::Heading { text, .. } => {
                html.element("p", &[("class", "h")], |html| inlines(html, text));
            }
            TextBlock::Paragraph(text) => {
                html.element("p", &[], |html| inlines(html, text));
            }
            TextBlock::Code { text, .. } => {
                html.line("pre", &[("tabindex", "0")], text);
            }
            TextBlock::List(items) => list(html, items),
            TextBlock::Quote(inside) => {
                html.element("blockquote", &[], |html| self::blocks(html, inside));
            }
            TextBlock::Table(rows) => table(html, rows),
            TextBlock::Rule => {
                html.void("hr", &[]);
            }
        }
    }
}

fn list(html: &mut Html, list: &TextList) {
    let start = list.start.map(|start| start.to_string());
    let attributes: Vec<_> = start
        .iter()
        .map(|start| ("start", start.as_str()))
        .collect();
    let name = if start.is_some() { "ol" } else { "ul" };
    html.element(name, &attributes, |html| {
        for item in &list.items {
            html.element("li", &[], |html| {
                match item.is_done {
                    Some(true) => html.text("[x] "),
                    Some(false) => html.text("[ ] "),
                    None => html,
                };
                match item.blocks.as_slice() {
                    [TextBlock::Paragraph(text)] => inlines(html, text),
                    all => blocks(html, all),
                }
            });
        }
    });
}

fn table(html: &mut Html, table: &TextTable) {
    html.element("table", &[], |html| {
        html.element("tr", &[], |html| {
            for cell in &table.head {
                html.element("th", &[], |html| inlines(html, cell));
            }
        });
        for row in &table.rows {
            html.element("tr", &[], |html| {
                for cell in row {
                    html.element("td", &[], |html| inlines(html, cell));
                }
            });
        }
    });
}

fn inlines(html: &mut Html, text: &[Inline]) {
    for part in text {
        match part {
            Inline::Text(text) => {
                html.text(text);
            }
            Inline::Strong(inside) => {
                html.element("strong", &[], |html| inlines(html, inside));
            }
            Inline::Emphasis(inside) => {
                html.element("em", &[], |html| inlines(html, inside));
            }
            Inline::Strike(inside) => {
                html.element("s", &[], |html| inlines(html, inside));
            }
            Inline::Code(text) => {
                html.line("code", &[], text);
            }
            Inline::Link { text, to } => {
                html.element("u", &[], |html| inlines(html, text));
                html.line("span", &[("class", "dim")], &format!(" ({to})"));
            }
            Inline::Break => {
                html.void("br", &[]);
            }
        }
    }
}

/// The lines of a diff but for the names of its file, which stand above it.
pub(crate) fn diff(html: &mut Html, lines: &[DiffLine]) {
    html.element("pre", &[("class", "diff"), ("tabindex", "0")], |html| {
        for line in lines {
            let class = match line.kind {
                DiffKind::File => continue,
                DiffKind::Hunk | DiffKind::Note => "dim",
                DiffKind::Context => "same",
                DiffKind::Added => "add",
                DiffKind::Removed => "del",
            };
            html.line("span", &[("class", class)], &line.text)
                .text("\n");
        }
    });
}
