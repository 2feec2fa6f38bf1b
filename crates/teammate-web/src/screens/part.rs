//! A piece of a screen that is put in place of its earlier self.

use teammate_core::Timestamp;
use teammate_view::t;

use crate::html::Html;

/// An element of its own on the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PagePart {
    /// Its `id`, unique on the page and made of words of ours and names that cannot be anything else.
    pub(crate) id: String,
    pub(crate) html: Html,
}

impl PagePart {
    /// An element with this id and class, and what is in it.
    pub(crate) fn new(
        name: &'static str,
        id: impl Into<String>,
        class: &'static str,
        inside: impl FnOnce(&mut Html),
    ) -> Self {
        let id = id.into();
        let mut html = Html::default();
        html.element(name, &[("id", &id), ("class", class)], inside);
        Self { id, html }
    }
}

/// A moment, which the page shows in the user's time.
pub(super) fn moment(html: &mut Html, at: Timestamp) {
    html.element("time", &[("data-at", &at.0.to_string())], |_| {});
}

/// The same, as the address of what happened then: `/mail#mail-7`.
pub(super) fn moment_of(html: &mut Html, at: Timestamp, address: &str) {
    let attributes = [("class", "when"), ("href", address)];
    html.element("a", &attributes, |html| moment(html, at));
}

/// How long ago something began, which the page counts.
pub(super) fn since(html: &mut Html, at: Timestamp) {
    html.element("time", &[("data-since", &at.0.to_string())], |_| {});
}

pub(super) fn heading(html: &mut Html, text: &str) {
    html.line("h2", &[], text);
}

/// The button that asks for more entries: those before this one.
pub(super) fn more(id: &str, before: u64, label: &str) -> PagePart {
    PagePart::new("p", id, "older", |html| {
        html.line("button", &[("data-before", &before.to_string())], label);
    })
}

/// The way to what is older: a button for the entries before this one, or that still older ones are not kept.
pub(super) fn older(id: &str, before: Option<u64>, dropped: u64, what: &str) -> Option<PagePart> {
    let text = t!(
        "{dropped} earlier {what} are not kept here: the log has them",
        dropped,
        what
    );
    let rest = || {
        PagePart::new("p", id, "dim", |html| {
            html.text(&text);
        })
    };
    match before {
        Some(before) => Some(more(id, before, t("Older"))),
        None => (dropped > 0).then(rest),
    }
}

/// How much of a list is left out, and where all of it is; nothing if it is whole.
pub(super) fn left_out(html: &mut Html, count: usize, words: &str) {
    if count > 0 {
        html.line("p", &[("class", "dim")], &format!("{count} {words}"));
    }
}

pub(super) fn member_link(html: &mut Html, name: &str) {
    html.line("a", &[("href", &format!("/m/{name}"))], name);
}
