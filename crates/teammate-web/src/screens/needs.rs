//! The needs of the user, as cards with buttons.

use teammate_core::Timestamp;
use teammate_view::{
    NO_IN,
    diff::read_diff,
    markdown::parse,
    screens::needs::{NeedCard, NeedsScreen, ShownForm},
    t,
};

use super::{
    ScreenParts,
    part::{PagePart, member_link, since},
};
use crate::{html::Html, markup};

/// The most bytes of what is asked. What is longer is answered where all of it can be seen.
pub(super) const SHOWN_BYTES_MAX: usize = 128 << 10;

fn show(card: &NeedCard, html: &mut Html) {
    html.element("h3", &[], |html| {
        match &card.member {
            Some(name) if *name == card.who => member_link(html, name),
            Some(_) | None => {
                html.theirs(&card.who);
            }
        }
        html.text(" ").theirs(&card.title).text(" ");
        if let Some(at) = card.since {
            since(html, Timestamp(at));
        }
    });
    match card.form {
        ShownForm::Diff => markup::diff(html, &read_diff(&card.shows)),
        ShownForm::Markdown => markup::blocks(html, &parse(&card.shows)),
        ShownForm::Text => {
            html.line("pre", &[("class", "asks"), ("tabindex", "0")], &card.shows);
        }
    }
    let alike = alike(card);
    let mut attributes = vec![("class", "answers")];
    attributes.extend(alike.as_deref().map(|alike| ("data-alike", alike)));
    html.element("div", &attributes, |html| buttons(card, html));
    html.element("dl", &[], |html| facts(card, html));
}

/// The requests that are answered with it, as the page says them back; nothing if there are none.
fn alike(card: &NeedCard) -> Option<String> {
    let alike = (!card.alike.is_empty()).then_some(&card.alike)?;
    serde_json::to_string(alike).ok()
}

fn buttons(card: &NeedCard, html: &mut Html) {
    for answer in &card.answers {
        let mut attributes = vec![
            ("data-verb", "answer"),
            ("data-request", card.id.as_str()),
            ("data-answer", answer.answer),
            ("data-key", answer.key),
            ("aria-keyshortcuts", answer.key),
        ];
        attributes.extend(card.saw.as_deref().map(|saw| ("data-saw", saw)));
        html.line("button", &attributes, &answer.label);
    }
    if !card.way_on.is_empty() {
        html.line("span", &[("class", "dim")], card.way_on);
    }
}

fn facts(card: &NeedCard, html: &mut Html) {
    let mut fact = |name: &str, text: &str| {
        if !text.is_empty() {
            html.line("dt", &[], name).line("dd", &[], text);
        }
    };
    for (name, text) in &card.reasons {
        fact(name, text);
    }
    fact(t("holds up"), &card.holds_tasks.join(", "));
    fact(t("waits"), &card.holds_members.join(", "));
    fact(t("digest"), card.digest());
    if let Some(deadline) = card.deadline {
        html.line("dt", &[], t(NO_IN)).element("dd", &[], |html| {
            html.element("time", &[("data-until", &deadline.to_string())], |_| {});
        });
    }
}

impl ScreenParts for NeedsScreen {
    fn parts(&self) -> Vec<PagePart> {
        if self.needs.is_empty() {
            return vec![PagePart::new("p", "need.none", "dim", |html| {
                html.text(t(Self::NONE));
            })];
        }
        let cards = self.needs.iter().map(|need| {
            let id = format!("need-{}-{}", need.kind, need.id.trim_start_matches('#'));
            PagePart::new("article", id, "need-card", |html| show(need, html))
        });
        let more = self.count - self.needs.len();
        let rest = (more > 0).then(|| {
            PagePart::new("p", "need.more", "dim", |html| {
                html.text(&t!(
                    "{more} more wait: they come up when these are answered",
                    more
                ));
            })
        });
        cards.chain(rest).collect()
    }
}
