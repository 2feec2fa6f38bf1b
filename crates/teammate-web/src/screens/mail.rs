//! The mail in time, with how far each message came.

use teammate_view::screens::mail::{MailLine, MailScreen};
use teammate_view::t;

use super::{
    ScreenParts,
    part::{PagePart, member_link, moment, moment_of, older},
};
use crate::html::Html;

fn show(letter: &MailLine, html: &mut Html) {
    html.element("div", &[("class", "head")], |html| {
        let address = format!("/mail#mail-{}", letter.number);
        moment_of(html, letter.at, &address);
        html.text(" ");
        match letter.is_member {
            true => member_link(html, &letter.from),
            false => {
                html.line("b", &[], &letter.from);
            }
        }
        html.text(t(" to "));
        member_link(html, &letter.to);
        html.text(" ");
        receipt(letter, html);
    });
    html.line("div", &[("class", "words")], &letter.text);
    if let Some(acted) = letter.acted_text() {
        html.line("div", &[("class", "dim")], &acted);
    }
}

fn receipt(letter: &MailLine, html: &mut Html) {
    let class = if letter.is_queued() { "need" } else { "dim" };
    html.line("span", &[("class", class)], letter.receipt);
    if let Some(heard) = letter.heard {
        html.text(" ");
        moment(html, heard);
    }
    if letter.can_be_taken_back {
        let attributes = [("data-verb", "recall"), ("data-mail", letter.id.as_str())];
        html.text(" ").line("button", &attributes, t("Take back"));
    }
}

impl ScreenParts for MailScreen {
    fn parts(&self) -> Vec<PagePart> {
        let head = PagePart::new("h2", "mail.head", "", |html| {
            html.text(&MailScreen::title(self.known, self.queued));
        });
        let letters = self.mail.iter().map(|letter| {
            PagePart::new(
                "article",
                format!("mail-{}", letter.number),
                "mail",
                |html| show(letter, html),
            )
        });
        let older = older("mail.older", self.older, self.dropped, t("messages"));
        std::iter::once(head).chain(letters).chain(older).collect()
    }
}
