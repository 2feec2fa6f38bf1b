//! HTML that escapes by construction: names of elements and attributes are words of this program, everything else is text.
//! Nothing but [`Html`] makes HTML, and there is no way to put ready markup into it.

use std::fmt::Write as _;

use teammate_view::clean::clean;

/// A piece of HTML, whole: each element in it is closed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Html(String);

/// The attributes of an element: names of ours, values of anybody.
pub(crate) type HtmlAttributes<'a> = &'a [(&'static str, &'a str)];

impl Html {
    /// An element with what `inside` puts into it.
    pub(crate) fn element(
        &mut self,
        name: &'static str,
        attributes: HtmlAttributes<'_>,
        inside: impl FnOnce(&mut Self),
    ) -> &mut Self {
        self.open(name, attributes);
        inside(self);
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
        self
    }

    /// An element with text only.
    pub(crate) fn line(
        &mut self,
        name: &'static str,
        attributes: HtmlAttributes<'_>,
        text: &str,
    ) -> &mut Self {
        self.element(name, attributes, |inside| {
            inside.text(text);
        })
    }

    /// An element without content, as `br` and `hr`.
    pub(crate) fn void(&mut self, name: &'static str, attributes: HtmlAttributes<'_>) -> &mut Self {
        self.open(name, attributes);
        self
    }

    /// A text that others wrote, beside ours: its direction is its own, and moves nothing around it.
    pub(crate) fn theirs(&mut self, text: &str) -> &mut Self {
        self.line("bdi", &[], text)
    }

    /// Text, whatever is in it.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        escape(&mut self.0, text);
        self
    }

    /// The HTML as it goes over the wire.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    fn open(&mut self, name: &'static str, attributes: HtmlAttributes<'_>) {
        let _ = write!(self.0, "<{name}");
        for (name, value) in attributes {
            let _ = write!(self.0, " {name}=\"");
            escape(&mut self.0, value);
            self.0.push('"');
        }
        self.0.push('>');
    }
}

/// Escapes a text: characters that hide or re-order text are shown by their codes, and none begins anything.
fn escape(out: &mut String, text: &str) {
    for c in clean(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_values_begin_nothing() {
        let mut html = Html::default();
        html.element("p", &[("title", "a\" onclick=x '`")], |p| {
            p.text("<b>&\u{202e}\u{0}").void("br", &[]);
        });
        let expected =
            "<p title=\"a&quot; onclick=x &#39;&#96;\">&lt;b&gt;&amp;\\u{202e}\\u{0}<br></p>";
        assert_eq!(html.as_str(), expected);
    }
}
