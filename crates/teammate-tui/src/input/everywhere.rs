//! Actions that can be done everywhere.

use std::time::{Duration, Instant};
use teammate_view::t;

use teammate_core::Sender;
use teammate_view::{
    InterruptKey, InterruptPress, Verb, keys::KeyAction, screens::needs::NeedsScreen,
};

use super::{KeyStep, Lent, ask, palette, pane, typing};
use crate::{
    app::{App, Focus, Leaving, Overlay, ScreenKind},
    end::{After, ScreenEnd},
};

/// A second press within this time counts with the first.
const TWICE: Duration = Duration::from_secs(1);

/// Does it; nothing if it is no such action.
pub(super) fn perform(app: &mut App, action: KeyAction) -> Option<KeyStep> {
    match action {
        KeyAction::ShowTeam => app.show(ScreenKind::Team),
        KeyAction::ShowMember => app.show(ScreenKind::Member),
        KeyAction::ShowBoard => app.show(ScreenKind::Board),
        KeyAction::ShowMail => app.show(ScreenKind::Mail),
        KeyAction::ShowNeeds => app.show(ScreenKind::Needs),
        KeyAction::ShowCost => app.show(ScreenKind::Cost),
        KeyAction::NextNeed => go_to_need(app, true),
        KeyAction::PreviousNeed => go_to_need(app, false),
        KeyAction::Palette => palette::open(app),
        KeyAction::SwitchPane => typing::tab(app, true),
        KeyAction::Close => return Some(close(app)),
        KeyAction::Interrupt => return Some(interrupt_or_leave(app)),
        KeyAction::ScrollUp => pane::page(app, false),
        KeyAction::ScrollDown => pane::page(app, true),
        KeyAction::AllFolds => app.places.all_unfolded = !app.places.all_unfolded,
        KeyAction::EditOutside => return Some(KeyStep::Lend(Lent::Editor)),
        KeyAction::Suspend => return Some(KeyStep::Lend(Lent::Shell)),
        KeyAction::Repaint => return Some(KeyStep::Redraw),
        KeyAction::TakeBack => return Some(recall(app)),
        KeyAction::Help => app.overlay = Some(help(app)),
        _ => return None,
    }
    Some(KeyStep::Stay)
}

/// Shows the next thing that needs the user, or the one before; what is typed stays.
fn go_to_need(app: &mut App, on: bool) {
    let count = app.grouped_needs().len();
    if count == 0 {
        return app.say(t(NeedsScreen::NONE));
    }
    let is_there = app.kind == ScreenKind::Needs && app.focus == Focus::Pane;
    let row = match (is_there, on) {
        (false, _) => 0,
        (true, true) => (app.places.need_row + 1) % count,
        (true, false) => app
            .places
            .need_row
            .min(count)
            .checked_sub(1)
            .unwrap_or(count - 1),
    };
    app.places.choose_need(row);
    app.show(ScreenKind::Needs);
    app.focus = Focus::Pane;
}

/// Sets what is typed aside. With nothing typed it interrupts everybody, where members work by the second press; one more leaves.
fn interrupt_or_leave(app: &mut App) -> KeyStep {
    if app.prompt.search.is_some() {
        app.prompt.end_search(false);
        return KeyStep::Stay;
    }
    if !app.prompt.editor.is_empty() {
        app.prompt.take();
        let key = app.setup.keys.name(KeyAction::RowUp);
        app.say(t!("Set aside: {key} brings it back", key));
        return KeyStep::Stay;
    }
    let has_work = app.present().has_work_under_way();
    let key = app.setup.keys.name(KeyAction::Interrupt);
    match app.interrupt.press(Instant::now(), has_work) {
        InterruptPress::Asks => {
            app.say(asks_to_interrupt(app, &key));
            KeyStep::Stay
        }
        InterruptPress::Interrupts => {
            let pauses = app.setup.leaving == Leaving::Pauses;
            app.say(InterruptKey::done(&key, pauses));
            ask(app, Verb::Interrupt(None))
        }
        InterruptPress::Leaves => KeyStep::Leave(ScreenEnd::Asked(After::Nothing)),
    }
}

/// Whose turns would be interrupted, and by which key.
fn asks_to_interrupt(app: &App, key: &str) -> String {
    let stories = app.present().stories();
    let at_work = stories.filter(|(_, story)| story.doing().is_some());
    InterruptKey::question(key, at_work.map(|(name, _)| name.as_str()))
}

/// Closes what is open, leaves the pane, goes back to now; twice interrupts the member that is shown.
fn close(app: &mut App) -> KeyStep {
    let is_again = app.last_escape.is_some_and(|last| last.elapsed() < TWICE);
    app.last_escape = Some(Instant::now());
    if app.overlay.take().is_some() || app.prompt.completion.take().is_some() {
        return KeyStep::Stay;
    }
    if !std::mem::take(&mut app.find.word).is_empty() {
        return KeyStep::Stay;
    }
    if !std::mem::take(&mut app.notes).is_empty() {
        return KeyStep::Stay;
    }
    if app.past.take().is_some() {
        app.say(t("Back to now"));
        return KeyStep::Stay;
    }
    if app.focus == Focus::Pane {
        app.focus = Focus::Prompt;
        return KeyStep::Stay;
    }
    if app.prompt.bring_back() {
        return KeyStep::Stay;
    }
    if is_again {
        let member = app.member();
        app.say(t!("Interrupted {member}", member));
        return ask(app, Verb::Interrupt(Some(member)));
    }
    KeyStep::Stay
}

/// Takes back the last words to this recipient that nobody has heard.
fn recall(app: &mut App) -> KeyStep {
    let to = app.prompt.to().clone();
    let found = {
        let mut latest = app.present().mail().queued().rev();
        let mine = latest.find(|mail| mail.from == Sender::User && mail.to == to);
        mine.map(|mail| (mail.id.clone(), mail.text.clone()))
    };
    let Some((id, text)) = found else {
        app.say(t!("Nothing that you said to {to} waits to be heard", to));
        return KeyStep::Stay;
    };
    if app.prompt.editor.is_empty() {
        app.prompt.editor.set(&text);
    }
    ask(app, Verb::Recall(Some(id)))
}

fn help(app: &App) -> Overlay {
    let keys = app.setup.keys.help().into_iter();
    let mut lines: Vec<String> = keys.map(|line| line.plain()).collect();
    lines.extend([String::new(), t("Commands").to_owned()]);
    let commands = app.setup.environment.commands().into_iter();
    lines.extend(commands.map(|(word, about)| format!("  {word:<26} {about}")));
    lines.push(format!(
        "  {:<26} {}",
        "!COMMAND",
        t("runs it yourself, outside of the sandbox")
    ));
    Overlay::lines(t("Keys and commands"), lines)
}
