//! The files that members have changed. What a change is in full is fetched when it is opened, as the inside of its call.

use teammate_core::Timestamp;
use teammate_view::screens::changes::{ChangedFile, ChangesScreen, ListedChange};
use teammate_view::t;

use super::{
    ScreenParts,
    part::{PagePart, left_out, moment},
};
use crate::html::Html;

impl ScreenParts for ChangesScreen {
    fn parts(&self) -> Vec<PagePart> {
        let head = PagePart::new("h2", "changes.head", "", |html| {
            html.text(&self.title());
        });
        let none = self.files.is_empty().then(|| {
            PagePart::new("p", "changes.none", "dim", |html| {
                html.text(t(Self::NONE));
            })
        });
        let files = self.files.iter().map(file);
        let more = self.count - self.files.len();
        let rest = (more > 0).then(|| {
            PagePart::new("div", "changes.more", "", |html| {
                left_out(html, more, t("files more, changed earlier"));
            })
        });
        std::iter::once(head)
            .chain(none)
            .chain(files)
            .chain(rest)
            .collect()
    }
}

fn file(file: &ChangedFile) -> PagePart {
    let id = format!("file-{}", file.id);
    PagePart::new("section", id, "file", |html| {
        html.element("h3", &[], |html| {
            html.line("code", &[], &file.path);
            counts(html, file.added, file.removed);
        });
        for one in &file.changes {
            change(html, file, one);
        }
        left_out(html, file.older, t("earlier changes more"));
    })
}

fn change(html: &mut Html, file: &ChangedFile, one: &ListedChange) {
    let inside = format!("/h/call/{}/{}", one.member, one.number);
    let attributes = [
        ("class", "row change"),
        ("data-inside", &*inside),
        ("data-member", &*one.member),
        ("data-path", &*file.path),
    ];
    let address = format!("/m/{0}#entry-{0}-{1}", one.member, one.number);
    html.element("details", &attributes, |html| {
        html.element("summary", &[], |html| {
            moment(html, Timestamp(one.at));
            html.text(" ").line("b", &[], &one.member);
            counts(html, one.added, one.removed);
        });
        html.line(
            "a",
            &[("href", &address)],
            &t!("In the story of {member}", member = one.member),
        );
    });
}

fn counts(html: &mut Html, added: u64, removed: u64) {
    html.text(" ")
        .line("span", &[("class", "good")], &format!("+{added}"))
        .text(" ")
        .line("span", &[("class", "bad")], &format!("-{removed}"));
}
