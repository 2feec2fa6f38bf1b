//! Actions in the screen above the prompt.

use teammate_core::{MemberName, event::EventKind};
use teammate_view::t;
use teammate_view::{BoardLists, Fact, Story, Verb, keys::KeyAction};

use super::{KeyStep, Lent, ask, file, find};
use crate::app::{App, Places, ScreenKind};

/// Rows of a page.
const PAGE: isize = 10;

const HALF_PAGE: isize = PAGE / 2;

/// Further than any list goes.
const FAR: isize = isize::MAX / 2;

/// Does it; nothing if it is no action of a pane.
pub(super) fn perform(app: &mut App, action: KeyAction) -> Option<KeyStep> {
    match action {
        KeyAction::ItemUp if app.kind == ScreenKind::Needs => through_needs(app, false),
        KeyAction::ItemDown if app.kind == ScreenKind::Needs => through_needs(app, true),
        KeyAction::ItemUp => step(app, -1),
        KeyAction::ItemDown => step(app, 1),
        KeyAction::HalfPageUp => step(app, -HALF_PAGE),
        KeyAction::HalfPageDown => step(app, HALF_PAGE),
        KeyAction::First => step(app, -FAR),
        KeyAction::Last => {
            app.past = None;
            step(app, FAR);
        }
        KeyAction::Open => open(app),
        KeyAction::FactBack
        | KeyAction::FactForward
        | KeyAction::TurnBack
        | KeyAction::TurnForward => return Some(travel(app, action)),
        KeyAction::Copy => {
            let text = last_words(app)?;
            app.say(t("Sent to the terminal's clipboard, if it has one"));
            return Some(KeyStep::Copy(text));
        }
        KeyAction::ShowWhole => {
            return last_words(app).map(|text| KeyStep::Lend(Lent::Pager(text)));
        }
        KeyAction::OpenFile => return Some(file::open(app)),
        KeyAction::Search | KeyAction::SearchNext | KeyAction::SearchPrevious => {
            return find::perform(app, action);
        }
        KeyAction::Stop => return Some(stop(app)),
        KeyAction::PaneLeft | KeyAction::PaneRight => {
            let count = ScreenKind::ALL.len();
            let here = ScreenKind::ALL.iter().position(|kind| *kind == app.kind);
            let by = if action == KeyAction::PaneLeft {
                count - 1
            } else {
                1
            };
            app.show(ScreenKind::ALL[(here.unwrap_or(0) + by) % count]);
        }
        _ => return None,
    }
    Some(KeyStep::Stay)
}

pub(super) fn page(app: &mut App, down: bool) {
    step(app, if down { PAGE } else { -PAGE });
}

pub(super) fn step(app: &mut App, by: isize) {
    let view = app.view();
    let (members, needs, mails) = (
        view.team().members().count(),
        view.needs().len(),
        view.mail().iter().len(),
    );
    let tasks = BoardLists::of(view.team()).total();
    let places = &mut app.places;
    match app.kind {
        ScreenKind::Team => Places::step(&mut places.team_row, by, members),
        ScreenKind::Board => Places::step(&mut places.task_row, by, tasks),
        ScreenKind::Mail => Places::step(&mut places.mail_row, by, mails),
        ScreenKind::Needs if needs > 0 => {
            let scroll = places.need_scroll.min(places.need_end);
            places.need_scroll = scroll.saturating_add_signed(by).min(places.need_end);
        }
        ScreenKind::Needs => {}
        ScreenKind::Cost => Places::step(&mut places.cost_top, by, places.cost_end + 1),
        ScreenKind::Member => scroll(app, by),
    }
}

/// A row on in a question that is longer than the screen, then on to the next one.
fn through_needs(app: &mut App, down: bool) {
    let count = app.grouped_needs().len();
    let places = &mut app.places;
    let top = places.need_scroll.min(places.need_end);
    let row = places.need_row.min(count.saturating_sub(1));
    match down {
        true if top < places.need_end => places.need_scroll = top + 1,
        true if row + 1 < count => places.choose_need(row + 1),
        false if top > 0 => places.need_scroll = top - 1,
        false if row > 0 => places.choose_need(row - 1),
        true | false => {}
    }
}

/// Reading up stops following; the end follows again.
pub(super) fn scroll(app: &mut App, by: isize) {
    let member = app.member();
    let end = app.view().story(&member).map(Story::end);
    let back = app.places.back.saturating_add_signed(by.saturating_neg());
    let back = find::reach(app, back);
    let places = &mut app.places;
    places.back = back;
    places.found = None;
    places.frozen = if places.back == 0 {
        None
    } else {
        places.frozen.or(end)
    };
}

fn chosen_member(app: &App) -> Option<MemberName> {
    let roster = app.view().roster();
    roster
        .get(app.places.team_row)
        .map(|line| line.name.clone())
}

fn open(app: &mut App) {
    match app.kind {
        ScreenKind::Team => {
            if let Some(name) = chosen_member(app) {
                open_member(app, name);
            }
        }
        ScreenKind::Member => app.places.all_unfolded = !app.places.all_unfolded,
        ScreenKind::Board | ScreenKind::Mail | ScreenKind::Needs | ScreenKind::Cost => {}
    }
}

/// Shows a member's story, and turns the prompt to it.
pub(super) fn open_member(app: &mut App, name: MemberName) {
    app.places.member = Some(name.clone());
    (app.places.back, app.places.frozen) = (0, None);
    app.prompt.turn_to(name);
    app.show(ScreenKind::Member);
}

/// Says first what stopping the chosen member means; the second time the member is asked to stop.
fn stop(app: &mut App) -> KeyStep {
    let name = match app.kind {
        ScreenKind::Team => chosen_member(app),
        _ => Some(app.member()),
    };
    let Some(name) = name.filter(|name| !name.is_lead()) else {
        app.say(t("The lead cannot be stopped alone: /quit closes the team"));
        return KeyStep::Stay;
    };
    if app.stopping.take().as_ref() == Some(&name) {
        return ask(app, Verb::Typed(format!("/shutdown {name}")));
    }
    let task = app.view().team().board().task_of(&name);
    let back = task.map(|task| t!("; {task} goes back to the board", task = task.id));
    app.say(t!("Stop {name}? It may finish first, keeps its memory, and a spawn wakes it{back}. The same key again stops it", name, back = back.unwrap_or_default()));
    app.stopping = Some(name);
    KeyStep::Stay
}

/// Steps through the past: a fact, or a turn.
fn travel(app: &mut App, action: KeyAction) -> KeyStep {
    let Some(past) = &mut app.past else {
        return KeyStep::Past(None);
    };
    let is_turn = |fact: &Fact| match fact {
        Fact::Event(event) => matches!(event.what, EventKind::TurnEnded { .. }),
        Fact::Record(_) | Fact::HostEnded { .. } | Fact::Presence(_) | Fact::Clock(_) => false,
    };
    let is_forward = matches!(action, KeyAction::FactForward | KeyAction::TurnForward);
    match action {
        KeyAction::FactBack => past.go_to(past.at().saturating_sub(1)),
        KeyAction::FactForward => past.go_to(past.at() + 1),
        _ => past.go_where(is_forward, is_turn),
    }
    if is_forward {
        app.leave_past_at_its_end();
    }
    KeyStep::Stay
}

/// The source text of the last thing that the member said.
fn last_words(app: &App) -> Option<String> {
    let story = app.view().story(&app.member())?;
    story.last_said().map(str::to_owned)
}
