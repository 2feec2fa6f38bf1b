//! A page of HTML as text that reads like Markdown: headings, paragraphs, lists, links, code and tables, without scripts, styles
//! and navigation.
//!
//! It reads tokens, not a tree: no depth, no count of attributes and no tag left open costs more than its own bytes. What a
//! browser would repair is taken as it stands.

mod writer;

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};
use url::Url;

use writer::TextWriter;

/// Elements without anything to read in them.
const SKIPPED: [&[u8]; 8] = [
    b"canvas",
    b"iframe",
    b"noframes",
    b"object",
    b"script",
    b"style",
    b"svg",
    b"template",
];

/// Elements that say nothing of what the page is about: its head, and what one operates it with.
const BESIDES: [&[u8]; 5] = [b"button", b"dialog", b"head", b"nav", b"select"];

/// A page as text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ReadablePage {
    pub(super) title: String,
    pub(super) text: String,
}

/// Reads a page that is at `base`.
pub(super) fn readable(html: &str, base: &Url) -> ReadablePage {
    let page = PageReader::new(base, true).read(html);
    match page {
        Ok(page) => page,
        // Something that is skipped has no end: better all of it than nothing.
        Err(Unclosed) => PageReader::new(base, false)
            .read(html)
            .unwrap_or_else(|Unclosed| ReadablePage {
                title: String::new(),
                text: String::new(),
            }),
    }
}

/// The page ended within an element that is skipped.
struct Unclosed;

struct PageReader<'a> {
    base: &'a Url,
    skips_besides: bool,
    /// The element that is skipped, and how many of its name are open.
    skipped: Option<(Vec<u8>, usize)>,
    title: Option<String>,
    is_title: bool,
    out: TextWriter,
    /// The address of the link that is open.
    link: Option<String>,
}

impl<'a> PageReader<'a> {
    fn new(base: &'a Url, skips_besides: bool) -> Self {
        Self {
            base,
            skips_besides,
            skipped: None,
            title: None,
            is_title: false,
            out: TextWriter::default(),
            link: None,
        }
    }

    fn read(mut self, html: &str) -> Result<ReadablePage, Unclosed> {
        let mut emitter = DefaultEmitter::default();
        // As a parser with a tree would tell it: what is in a script is no markup.
        emitter.naively_switch_states(true);
        for token in Tokenizer::new_with_emitter(html, emitter) {
            let Ok(token): Result<Token, std::convert::Infallible> = token;
            match token {
                Token::StartTag(tag) => self.opens(&tag),
                Token::EndTag(tag) => self.closes(&tag.name),
                Token::String(text) => self.says(&String::from_utf8_lossy(&text)),
                Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
            }
            if self.out.is_full() {
                break;
            }
        }
        if self.skipped.is_some() && self.skips_besides {
            return Err(Unclosed);
        }
        Ok(ReadablePage {
            title: collapsed(&self.title.unwrap_or_default()),
            text: self.out.finish(),
        })
    }

    fn opens(&mut self, tag: &StartTag<()>) {
        let name: &[u8] = &tag.name;
        if let Some((skipped, depth)) = &mut self.skipped {
            // A title stands in the head, which is skipped.
            let is_head = skipped.as_slice() == b"head";
            self.is_title = is_head && name == b"title" && self.title.is_none();
            if skipped.as_slice() == name && !tag.self_closing {
                *depth += 1;
            }
            if !(is_head && name == b"body") {
                return;
            }
            self.skipped = None;
        }
        let is_beside = self.skips_besides && BESIDES.contains(&name);
        if (SKIPPED.contains(&name) && !tag.self_closing) || is_beside {
            self.skipped = Some((name.to_vec(), 1));
            return;
        }
        let attribute = |name: &[u8]| -> Option<String> {
            let value = tag.attributes.get(name)?;
            Some(String::from_utf8_lossy(value).into_owned())
        };
        match name {
            b"title" => self.is_title = self.title.is_none(),
            b"a" => {
                self.end_link();
                self.link = attribute(b"href").and_then(|href| self.absolute(&href));
                if self.link.is_some() {
                    self.out.begin_link();
                }
            }
            b"img" => {
                let described = attribute(b"alt").unwrap_or_default();
                let described = collapsed(&described);
                if !described.is_empty() {
                    self.out.inline(&format!("[picture: {described}]"));
                }
            }
            _ => self.out.opens(name),
        }
    }

    fn closes(&mut self, name: &[u8]) {
        if let Some((skipped, depth)) = &mut self.skipped {
            self.is_title = false;
            if skipped.as_slice() == name {
                *depth -= 1;
                if *depth == 0 {
                    self.skipped = None;
                }
            }
            return;
        }
        match name {
            b"title" => self.is_title = false,
            b"a" => self.end_link(),
            _ => self.out.closes(name),
        }
    }

    fn says(&mut self, text: &str) {
        if self.is_title {
            self.title.get_or_insert_default().push_str(text);
        } else if self.skipped.is_none() {
            self.out.text(text);
        }
    }

    fn end_link(&mut self) {
        if let Some(address) = self.link.take() {
            self.out.end_link(&address);
        }
    }

    /// Where a link leads, if it is another page.
    fn absolute(&self, href: &str) -> Option<String> {
        let href = href.trim();
        if href.is_empty() || href.starts_with('#') {
            return None;
        }
        let url = self.base.join(href).ok()?;
        matches!(url.scheme(), "http" | "https").then(|| url.to_string())
    }
}

/// The text on one line.
fn collapsed(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests;
