//! Troubles that the user should look at and nobody answers, and what was answered lately.

use teammate_view::screens::past::PastScreen;
use teammate_view::t;

use super::{
    ScreenParts,
    part::{PagePart, heading, left_out, moment},
};
impl ScreenParts for PastScreen {
    fn parts(&self) -> Vec<PagePart> {
        vec![
            PagePart::new("div", "past.troubles", "", |html| {
                heading(html, t(Self::TROUBLES));
                if self.troubles.is_empty() {
                    html.line("p", &[("class", "dim")], t("Nothing"));
                }
                for trouble in &self.troubles {
                    html.line("p", &[], trouble);
                }
                left_out(html, self.more_troubles, "more");
            }),
            PagePart::new("div", "past.answers", "", |html| {
                heading(html, t(Self::ANSWERED));
                for answered in &self.answered {
                    html.element("div", &[("class", "row")], |html| {
                        moment(html, answered.at);
                        html.text(&format!(" {} {}", answered.answer, answered.what()));
                    });
                }
                left_out(html, self.more_answered, "more");
            }),
        ]
    }
}
