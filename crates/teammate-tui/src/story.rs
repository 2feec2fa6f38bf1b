//! A member's story in rows.

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use teammate_core::{
    Timestamp,
    event::{Excerpt, FileChange},
};
use teammate_view::t;
use teammate_view::{
    Call, CallEnd, CallState, Extent, Item, PrintedOutput, Sign,
    clean::clean,
    counted,
    diff::{DiffKind, diff_lines, read_diff},
    markdown::{TextBlock, layout, parse, parse_message, parse_unfinished},
    screens::member::{EntryKind, EntryWords},
    width::without_tabs,
};

use crate::{
    text::{WIDTHS, fit, painted, width, wrapped},
    theme::Theme,
};

/// Rows of an output that are shown of a call that worked, and of one that failed, until it is unfolded.
const FOLDED: (usize, usize) = (2, 5);

/// Rows of a change that are shown until it is unfolded.
const DIFF_FOLDED: usize = 12;

/// How an entry is drawn.
pub(crate) struct StoryStyle<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) columns: usize,
    pub(crate) is_unfolded: bool,
    pub(crate) clock: &'a dyn Fn(teammate_core::Timestamp) -> String,
    /// The key that shows what is folded.
    pub(crate) unfolds: &'a str,
}

impl StoryStyle<'_> {
    /// The rows of an entry.
    pub(crate) fn rows(&self, item: &Item) -> Vec<Line<'static>> {
        let theme = self.theme;
        let entry = EntryWords::of(&item.what);
        let signed = |sign: char, style| {
            let text = format!(" {sign} {}", entry.text);
            let has_words = !entry.text.is_empty();
            let row = has_words.then(|| Line::styled(fit(&text, self.columns), style));
            row.into_iter().collect()
        };
        match entry.kind {
            EntryKind::Heard => self.heard(item.at, &entry),
            EntryKind::Said => self.laid_out(&parse(&entry.text)),
            EntryKind::Call => {
                let call = item.call();
                call.map_or_else(Vec::new, |call| self.call(item.at, call))
            }
            EntryKind::Sent => self.paragraph(&entry.text, " ", theme.name),
            EntryKind::Failed => self.paragraph(&entry.text, " ", theme.bad),
            EntryKind::Subagent => {
                let end = entry.end.unwrap_or_default();
                let style = theme.role(end.role);
                vec![self.row("+", &entry.text, &end.text, style)]
            }
            EntryKind::Request => signed('!', theme.attention),
            EntryKind::Task => signed('#', theme.name),
            EntryKind::Note => signed('·', theme.dim),
        }
    }

    /// Text that is on its way.
    pub(crate) fn writing(&self, text: &str) -> Vec<Line<'static>> {
        self.laid_out(&parse_unfinished(text))
    }

    fn heard(&self, at: Timestamp, entry: &EntryWords) -> Vec<Line<'static>> {
        let from = entry.from.as_deref().unwrap_or_default();
        let head = t!(" {time} heard from {from}", time = (self.clock)(at), from);
        let mut rows = vec![Line::default()];
        rows.push(Line::styled(fit(&head, self.columns), self.theme.strong));
        let lines = layout(
            &parse_message(&entry.text),
            self.columns.saturating_sub(4),
            WIDTHS,
        );
        rows.extend(painted(lines, "   ", self.theme));
        rows.push(Line::default());
        rows
    }

    /// A sign, what it is, and at the right how it ended.
    fn row(&self, sign: &str, text: &str, end: &str, style: Style) -> Line<'static> {
        let end = fit(end, self.columns / 2);
        let room = self.columns.saturating_sub(width(&end) + 4);
        Line::from(vec![
            Span::styled(format!(" {sign} "), style),
            Span::raw(crate::text::column(text, room)),
            Span::raw(" "),
            Span::styled(end, style),
        ])
    }

    fn call(&self, at: Timestamp, call: &Call) -> Vec<Line<'static>> {
        let theme = self.theme;
        let by = call.subagent.as_deref().map(|kind| format!("({kind}) "));
        let text = format!("{}{} {}", by.unwrap_or_default(), call.tool, call.summary);
        let style = match call.state() {
            CallState::Runs => theme.sign(Sign::Works),
            CallState::Waits => theme.attention,
            CallState::Cut => theme.dim,
            CallState::Done => theme.good,
            CallState::Failed => theme.bad,
            CallState::Refused => theme.strong,
        };
        let mut rows = vec![self.row(
            call.state().sign(),
            &text,
            &call.outcome(at, t("you")),
            style,
        )];
        rows.extend(self.asked(call));
        match &call.ended {
            Some(CallEnd {
                change: Some(change),
                ..
            }) => rows.extend(self.change(change)),
            Some(end) => rows.extend(self.output(call, end)),
            None => {}
        }
        rows
    }

    /// The questions to the user before the call could go on, and the answers.
    fn asked(&self, call: &Call) -> impl Iterator<Item = Line<'static>> {
        let own = call.asked.iter().filter(|question| !question.is_within);
        own.map(|question| {
            let style = match question.ended {
                None => self.theme.attention,
                Some(_) => self.theme.dim,
            };
            let text = format!("   ! {}", question.line(t("you")));
            Line::styled(fit(&text, self.columns), style)
        })
    }

    /// The change of an edit; the beginning of it until it is unfolded.
    fn change(&self, change: &FileChange) -> Vec<Line<'static>> {
        let extent = match self.is_unfolded {
            true => Extent::Whole,
            false => Extent::To(DIFF_FOLDED),
        };
        let diff = read_diff(&change.diff);
        // The head names the file once more.
        let diff: Vec<_> = diff
            .into_iter()
            .filter(|line| line.kind != DiffKind::File)
            .collect();
        let room = self.columns.saturating_sub(5);
        let lines = diff_lines(&diff, extent).into_iter();
        let fitted = lines.map(|line| line.fit(room, WIDTHS)).collect();
        painted(fitted, "     ", self.theme)
    }

    /// What a call printed, as far as it is worth showing; all that the event holds if it is unfolded.
    fn output(&self, call: &Call, end: &CallEnd) -> Vec<Line<'static>> {
        let Some(output) = &end.output else {
            return Vec::new();
        };
        let dim = |text: &str| Line::styled(fit(text, self.columns), self.theme.dim);
        let room = self.columns.saturating_sub(5);
        let row = |line: &str| {
            let line = clean(line);
            let line = without_tabs(&line);
            Line::styled(format!("     {}", WIDTHS.fit(&line, room)), self.theme.dim)
        };
        let place = end.file.as_deref().map(|file| t!(", all in {file}", file));
        let place = place.unwrap_or_default();
        if self.is_unfolded {
            let all = output_lines(output);
            let rest = end.lines.unwrap_or(0).saturating_sub(all.len() as u64);
            let rest = (rest > 0).then(|| {
                let more = counted(rest, "more line", "more lines");
                dim(&format!("     … {more}{place}"))
            });
            return all.iter().map(|line| row(line)).chain(rest).collect();
        }
        let printed = PrintedOutput {
            tool: &call.tool,
            ok: end.ok,
            output,
            lines: end.lines,
            file: end.file.as_deref(),
        };
        let folded = match (end.ok, call.tool.as_str()) {
            (false, _) => printed.folded(FOLDED.1),
            (true, "bash") => printed.folded(FOLDED.0),
            // What was read or found is in the file; it is shown on request.
            (true, _) => return Vec::new(),
        };
        let unfolds = self.unfolds;
        let before = (folded.before > 0).then(|| {
            let lines = counted(folded.before, "line", "lines");
            dim(&t!(
                "     … {lines} before: {unfolds}{place}",
                lines,
                unfolds,
                place
            ))
        });
        let after = (folded.after > 0).then(|| {
            let lines = counted(folded.after, "more line", "more lines");
            dim(&format!("     … {lines}: {unfolds}{place}"))
        });
        let lines = folded.lines.into_iter().map(row);
        before.into_iter().chain(lines).chain(after).collect()
    }

    /// Text in rows of words.
    pub(crate) fn paragraph(&self, text: &str, indent: &str, style: Style) -> Vec<Line<'static>> {
        let room = self.columns.saturating_sub(indent.len()).max(8);
        let lines = text.lines().flat_map(|line| wrapped(line, room));
        lines
            .map(|line| Line::styled(format!("{indent}{line}"), style))
            .collect()
    }

    fn laid_out(&self, blocks: &[TextBlock]) -> Vec<Line<'static>> {
        let lines = layout(blocks, self.columns.saturating_sub(2), WIDTHS);
        painted(lines, " ", self.theme)
    }
}

fn output_lines(output: &Excerpt) -> Vec<String> {
    let mut lines: Vec<String> = output.head.lines().map(str::to_owned).collect();
    if !output.tail.is_empty() {
        lines.push("…".to_owned());
        lines.extend(output.tail.lines().map(str::to_owned));
    }
    lines
}
