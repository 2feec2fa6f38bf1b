//! Which members work, and for how long: the text of the status line, from the view.

use teammate::Timestamp;
use teammate_view::t;
use teammate_view::{DoingKind, TeamView};

use crate::screen::{Style, clean_line, fit};

/// `lead thinks 12 s, alice bash 3 s`, cut to the width; `None` if no member works. The lead comes first.
pub(super) fn status_line(
    view: &TeamView,
    now: Timestamp,
    style: Style,
    width: Option<usize>,
) -> Option<String> {
    if !view.is_moving() {
        return None;
    }
    let members = view.stories();
    let mut busy: Vec<_> = members
        .filter_map(|(name, story)| Some((name, story.doing()?)))
        .collect();
    busy.sort_by_key(|(name, _)| !name.is_lead());
    let parts = busy.into_iter().map(|(name, doing)| {
        let seconds = now.millis_since(doing.since) / 1_000;
        let progress = doing.progress.as_ref();
        let progress = progress.map_or_else(String::new, |text| format!(" ({text})"));
        format!("{name} {}{progress}", text(&doing.what, seconds))
    });
    let parts = parts.collect::<Vec<_>>().join(", ");
    // A line that fills its row would take two.
    let width = width.map(|width| width.saturating_sub(1));
    Some(style.dim(&fit(&clean_line(&parts), width)))
}

fn text(what: &DoingKind, seconds: u64) -> String {
    let word = match what {
        DoingKind::Asks { .. } => t("thinks"),
        DoingKind::Writes => t("writes"),
        DoingKind::Retries { .. } => t("retries"),
        DoingKind::Runs { tool, .. } => tool,
        DoingKind::WaitsFor { .. } => return t("waits for your answer").to_owned(),
    };
    match seconds {
        0 => word.to_owned(),
        1..120 => format!("{word} {seconds} s"),
        _ => t!("{word} {minutes} min", word, minutes = seconds / 60),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use teammate_view::Fact;

    use super::*;

    #[test]
    fn the_line_says_who_works_and_for_how_long() {
        let mut view = TeamView::default();
        for (at, member, what) in [
            (0, "lead", r#""event":"asked","round":1,"model":"m""#),
            (
                9_000,
                "alice",
                r#""event":"tool_started","call":"c","tool":"bash","summary":"ls""#,
            ),
        ] {
            let json = format!("{{\"at\":{at},\"member\":\"{member}\",{what}}}");
            let event = serde_json::from_str(&json).unwrap();
            view.apply(&Fact::Event(Arc::new(event)));
        }
        let shown = |view: &TeamView, seconds: u64| {
            status_line(view, Timestamp(seconds * 1_000), Style::PLAIN, None)
        };
        let text = shown(&view, 12).unwrap();
        assert_eq!(text, "lead thinks 12 s, alice bash 3 s");
        let text = shown(&view, 500).unwrap();
        assert_eq!(text, "lead thinks 8 min, alice bash 8 min");
        for call in ["c", "another call"] {
            let json = format!(
                r#"{{"at":9000,"member":"alice","event":"tool_progress","call":"{call}","text":"3 of {call}"}}"#
            );
            let event = serde_json::from_str(&json).unwrap();
            view.apply(&Fact::Event(Arc::new(event)));
        }
        let text = shown(&view, 12).unwrap();
        assert_eq!(text, "lead thinks 12 s, alice bash 3 s (3 of c)");
        let closed = r#"{"at":600000,"member":"lead","event":"team_closed","why":"paused"}"#;
        let closed = serde_json::from_str(closed).unwrap();
        view.apply(&Fact::Event(Arc::new(closed)));
        assert_eq!(shown(&view, 600), None);
    }
}
