//! Troubles that the user should look at and nobody answers, and what was answered lately.

use teammate_view::screens::past::PastScreen;

use super::{
    Parts,
    part::{Part, heading, left_out, moment},
};
impl Parts for PastScreen {
    fn parts(&self) -> Vec<Part> {
        vec![
            Part::new("div", "past.troubles", "", |html| {
                heading(html, Self::TROUBLES);
                if self.troubles.is_empty() {
                    html.line("p", &[("class", "dim")], "Nothing");
                }
                for trouble in &self.troubles {
                    html.line("p", &[], trouble);
                }
                left_out(html, self.more_troubles, "more");
            }),
            Part::new("div", "past.answers", "", |html| {
                heading(html, Self::ANSWERED);
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
