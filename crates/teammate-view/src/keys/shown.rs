//! The table for people: the footer of a screen, the help, and the page of the documentation.

use super::{
    action::{KeyAction, KeyContext},
    table::KeyTable,
};
use crate::{
    t,
    text::{TextLine, TextRole},
    width::WidthPolicy,
};

/// Something that the footer says.
struct FooterItem {
    /// The actions whose first keys stand there, in a row.
    actions: &'static [KeyAction],
    how: ShownKeys,
    text: &'static str,
}

/// How an item's keys are written.
enum ShownKeys {
    /// `[ ]`
    Each,
    /// `F1-F6`
    Range,
    /// `Esc Esc`
    Twice,
}

const fn item(actions: &'static [KeyAction], text: &'static str) -> FooterItem {
    FooterItem {
        actions,
        how: ShownKeys::Each,
        text,
    }
}

const SCREENS: FooterItem = FooterItem {
    actions: &[KeyAction::ShowTeam, KeyAction::ShowCost],
    how: ShownKeys::Range,
    text: "screens",
};
const INTERRUPTS: FooterItem = FooterItem {
    actions: &[KeyAction::Close],
    how: ShownKeys::Twice,
    text: "interrupt",
};
const NEXT_NEED: FooterItem = item(&[KeyAction::NextNeed], "needs you");
const PALETTE: FooterItem = item(&[KeyAction::Palette], "commands");
const TIME: FooterItem = item(&[KeyAction::FactBack, KeyAction::FactForward], "time");

/// The items of the footer, the most useful first.
const PROMPT: &[FooterItem] = &[
    item(&[KeyAction::Send], "send"),
    item(&[KeyAction::SwitchPane], "panes"),
    NEXT_NEED,
    SCREENS,
    PALETTE,
    INTERRUPTS,
    item(&[KeyAction::NewLine], "new line"),
];
const PANE: &[FooterItem] = &[
    item(&[KeyAction::Open], "opens"),
    item(&[KeyAction::SwitchPane], "prompt"),
    NEXT_NEED,
    SCREENS,
    item(&[KeyAction::Search], "find"),
    TIME,
    INTERRUPTS,
    item(&[KeyAction::Copy], "copy"),
];
const NEEDS: &[FooterItem] = &[
    item(&[KeyAction::AnswerOnce], "once"),
    item(&[KeyAction::AnswerAlways], "always"),
    item(&[KeyAction::AnswerNo], "no"),
    item(&[KeyAction::AnswerNoBecause], "why"),
    item(&[KeyAction::NextNeed, KeyAction::PreviousNeed], "next"),
    item(&[KeyAction::Close], "back"),
    SCREENS,
    item(&[KeyAction::ScrollDown], "read on"),
];

impl KeyTable {
    /// The footer of a screen: the most useful keys of this place that fit, at last the way to the others. An action without
    /// a key has its word there.
    pub fn footer(&self, context: KeyContext, width: usize, policy: WidthPolicy) -> TextLine {
        let items = match context {
            KeyContext::Prompt | KeyContext::Everywhere => PROMPT,
            KeyContext::Pane => PANE,
            KeyContext::Needs => NEEDS,
        };
        let last = self.item(&item(&[KeyAction::Help], "keys"));
        let room = width.saturating_sub(last.width(policy));
        let mut line = TextLine::default();
        for item in items {
            let item = self.item(item);
            if line.width(policy) + item.width(policy) + 2 > room {
                break;
            }
            line.extend(&item.spans);
            line.push("  ", TextRole::Plain);
        }
        line.extend(&last.spans);
        line.fit(width, policy)
    }

    /// The help: all actions by place, with their keys and words.
    pub fn help(&self) -> Vec<TextLine> {
        let mut lines = Vec::new();
        for (context, actions) in by_place() {
            if !lines.is_empty() {
                lines.push(TextLine::default());
            }
            lines.push(TextLine::of(t(title(context)), TextRole::Heading));
            for action in actions {
                let mut line = TextLine::of(format!("  {:<26}", self.all(action)), TextRole::Code);
                line.push(" ", TextRole::Plain);
                line.push(t(action.does()), TextRole::Plain);
                if let Some(word) = action.word() {
                    line.push(&format!("  {word}"), TextRole::Dim);
                }
                lines.push(line);
            }
        }
        lines
    }

    /// The table as Markdown, for the page about keys.
    pub fn markdown(&self) -> String {
        let mut page = String::new();
        for (context, actions) in by_place() {
            if !page.is_empty() {
                page.push('\n');
            }
            page.push_str(&format!("### {}\n\n", title(context)));
            page.push_str("| key | does | word | name |\n|---|---|---|---|\n");
            for action in actions {
                let keys = self.keys(action).iter();
                let keys: Vec<String> = keys.map(|key| format!("`{key}`")).collect();
                let word = action.word().map(|word| format!("`{word}`"));
                page.push_str(&format!(
                    "| {} | {} | {} | `{}` |\n",
                    keys.join(", ").replace('|', "\\|"),
                    action.does(),
                    word.unwrap_or_default(),
                    action.name()
                ));
            }
        }
        page
    }

    /// The key of an action, for a sentence; without one its word.
    pub fn name(&self, action: KeyAction) -> String {
        match self.keys(action).first() {
            Some(key) => key.to_string(),
            None => action.word().unwrap_or(action.name()).to_owned(),
        }
    }

    fn item(&self, item: &FooterItem) -> TextLine {
        let keys = item.actions.iter().map(|action| self.first(*action));
        let keys: Vec<String> = keys.collect();
        let keys = match item.how {
            ShownKeys::Each => keys.join(" "),
            ShownKeys::Range => keys.join("-"),
            ShownKeys::Twice => [&*keys.concat(), &*keys.concat()].join(" "),
        };
        let mut line = TextLine::of(keys, TextRole::Strong);
        line.push(&format!(" {}", t(item.text)), TextRole::Dim);
        line
    }

    /// The key that is shown for an action, or its word.
    fn first(&self, action: KeyAction) -> String {
        match self.keys(action).first() {
            Some(key) => key.brief(),
            None => action.word().unwrap_or(action.name()).to_owned(),
        }
    }

    fn all(&self, action: KeyAction) -> String {
        let keys = self.keys(action).iter();
        let keys: Vec<String> = keys.map(ToString::to_string).collect();
        keys.join(", ")
    }
}

/// The places in the order of the help: what few programs have comes before what every prompt has.
const ORDER: [KeyContext; 4] = [
    KeyContext::Everywhere,
    KeyContext::Needs,
    KeyContext::Pane,
    KeyContext::Prompt,
];

/// The actions by the place that they are explained at: what is done in all panes once, with the panes.
fn by_place() -> impl Iterator<Item = (KeyContext, Vec<KeyAction>)> {
    ORDER.into_iter().map(|context| {
        let actions = KeyAction::ALL.iter().copied();
        let here = actions.filter(|action| action.contexts().first() == Some(&context));
        (context, here.collect())
    })
}

fn title(context: KeyContext) -> &'static str {
    match context {
        KeyContext::Prompt => "At the prompt",
        KeyContext::Pane => "In panes",
        KeyContext::Needs => "In Needs",
        KeyContext::Everywhere => "Everywhere",
    }
}
