//! Tokens and money, as tables.

use teammate_view::t;
use teammate_view::{
    screens::cost::{CostLine, CostScreen},
    short,
};

use super::{
    ScreenParts,
    part::{PagePart, left_out},
};
use crate::html::Html;

impl ScreenParts for CostScreen {
    fn parts(&self) -> Vec<PagePart> {
        let mut parts = vec![
            PagePart::new("h2", "cost.head", "", |html| {
                html.text(&self.title());
            }),
            PagePart::new("div", "cost.members", "", |html| {
                let attributes = [
                    ("class", "scroll"),
                    ("tabindex", "0"),
                    ("role", "group"),
                    ("aria-label", t("By member")),
                ];
                html.element("div", &attributes, |html| table(self, html));
                left_out(html, self.more_members, t("members more: /cost lists all"));
            }),
        ];
        if !self.tasks.is_empty() {
            parts.push(PagePart::new("div", "cost.tasks", "", |html| {
                by_task(self, html);
            }));
        }
        if !self.notes.is_empty() {
            parts.push(PagePart::new("div", "cost.notes", "dim", |html| {
                for note in &self.notes {
                    html.line("p", &[], note);
                }
            }));
        }
        parts
    }
}

fn table(cost: &CostScreen, html: &mut Html) {
    html.element("table", &[], |html| {
        html.element("tr", &[], |html| {
            for head in CostLine::HEADS {
                html.line("th", &[("scope", "col")], head);
            }
        });
        for line in cost.members.iter().chain([&cost.all]) {
            let [name, cells @ ..] = line.cells(short);
            html.element("tr", &[], |html| {
                html.line("th", &[("scope", "row")], &name);
                for cell in cells {
                    html.line("td", &[], &cell);
                }
            });
        }
    });
}

fn by_task(cost: &CostScreen, html: &mut Html) {
    html.line("h2", &[], t(CostScreen::BY_TASK));
    for task in &cost.tasks {
        let text = format!("{}  {}", task.subject(), task.spent);
        html.line("div", &[("class", "row")], &text);
    }
    left_out(
        html,
        cost.more_tasks,
        t("earlier tasks more: /cost lists all"),
    );
}
