//! The loop: facts and keys come in, frames go out, and nothing is done while nothing happens.

mod console;
mod lend;
mod multiplexer;
mod notify;
mod work;

use std::{
    io,
    time::{Duration, SystemTime},
};
use teammate_view::t;

use crossterm::event::{Event, KeyEventKind};
use teammate_core::{Timestamp, contained::may_fail_here};
use teammate_view::{Fact, TeamView, Verb, VerbAnswer, strays::TAKEN_BACK_MS};
use tokio::{
    sync::mpsc,
    time::{Instant as Moment, sleep_until},
};

use self::{
    console::Console,
    multiplexer::Multiplexer,
    notify::Notifier,
    work::{FinishedWork, PastRead, WishWork},
};
use crate::{
    app::{App, Overlay, ScreenSetup},
    draw::draw,
    end::{After, ScreenEnd},
    input::{self, KeyStep},
    terminal::{HeldTerminal, remind_of_keys},
};

/// How many answers may wait for the screen. The tasks that have more wait with them.
const ANSWERS_MAX: usize = 64;

/// How many readings of the past may wait for the screen: each is all of it.
const HISTORIES_MAX: usize = 2;

/// Answers of up to so many lines are shown below the prompt.
const HINT_LINES: usize = 1;

/// Typed words are kept so long after the last key.
const DRAFT_PAUSE: Duration = Duration::from_millis(300);

/// An answer is asked for after so long: a letter that follows takes it back.
const TAKEN_BACK: Duration = Duration::from_millis(TAKEN_BACK_MS);

/// The signal by which a user interface is asked from outside to end.
pub struct Ends {
    /// Resolves when the program should end.
    pub end: std::pin::Pin<Box<dyn Future<Output = ()> + Send>>,
}

/// Shows the team until the user leaves, and gives the terminal back, also if a bug ends it: a panic is the caller's to contain. The last words of the lead are returned, for the
/// terminal's own scrollback.
///
/// Errors: the terminal cannot be used.
pub async fn run(
    setup: ScreenSetup,
    mut facts: mpsc::Receiver<Fact>,
    first: TeamView,
    mut ends: Ends,
) -> io::Result<(ScreenEnd, Option<String>)> {
    let mut console = Console::enter(setup.mouse)?;
    let mut app = App::new(setup);
    app.begin(first);
    app.tick(now());
    let mut notifier = Notifier::new(&app);
    let (done, mut answers) = mpsc::channel::<FinishedWork>(ANSWERS_MAX);
    let (read, mut histories) = mpsc::channel::<PastRead>(HISTORIES_MAX);
    let mut work = WishWork::new(done, read);
    if let Some(moment) = app.setup.begins_at {
        work.read(app.setup.door.clone(), Some(moment));
    }
    let mut last_frame: Option<Moment> = None;
    let mut is_dirty = true;
    let (redraw_every, tick) = (app.setup.motion.redraw_every(), app.setup.motion.tick());
    let mut next_tick = Moment::now() + tick;
    let mut drafts_due: Option<Moment> = None;
    let mut held: Option<(Verb, Moment)> = None;
    let leave = loop {
        let frame_at = last_frame.map_or_else(Moment::now, |last| last + redraw_every);
        tokio::select! {
            biased;
            () = &mut ends.end => break ScreenEnd::Asked(After::Nothing),
            key = console.next_event() => {
                let Some(event) = key else { break ScreenEnd::Ended };
                is_dirty = true;
                // Who types does not wait for the next frame of what members say.
                last_frame = None;
                drafts_due = Some(Moment::now() + DRAFT_PAUSE);
                match take_input(&mut app, event?) {
                    KeyStep::Leave(how) => break how,
                    KeyStep::AskSoon(verb) => held = Some((verb, Moment::now() + TAKEN_BACK)),
                    KeyStep::TakeBack => held = None,
                    step => carry_out(step, &mut app, &mut console, &mut work)?,
                }
                remind_of_keys();
            }
            () = sleep_until(held.as_ref().map_or_else(Moment::now, |(_, due)| *due)), if held.is_some() => {
                ask_held(&mut held, &app, &mut work);
            }
            Some(answer) = answers.recv() => {
                if let KeyStep::Leave(how) = take_answer(&mut app, answer) {
                    break how;
                }
                is_dirty = true;
            }
            Some(PastRead { facts, moment }) = histories.recv() => {
                match facts {
                    Ok(facts) => app.look_back(facts, moment),
                    Err(why) => app.say(why),
                }
                is_dirty = true;
            }
            () = sleep_until(frame_at), if is_dirty => {
                is_dirty = false;
                last_frame = Some(Moment::now());
                app.tick(now());
                may_fail_here("screen");
                show(&mut app, &mut console.screen)?;
                for alert in notifier.look(&app, &console.screen) {
                    work.alerts.spawn(app.setup.environment.notify(alert));
                }
            }
            Some(alerted) = work.alerts.join_next(), if !work.alerts.is_empty() => {
                if let Ok(Some(how)) = alerted {
                    app.say(how);
                    is_dirty = true;
                }
            }
            fact = facts.recv(), if !app.ended => {
                match fact {
                    Some(fact) => {
                        app.take(&fact);
                        while let Ok(fact) = facts.try_recv() {
                            app.take(&fact);
                        }
                    }
                    None => app.ended = true,
                }
                is_dirty = true;
            }
            () = sleep_until(next_tick), if app.is_ticking() => {
                next_tick = Moment::now() + tick;
                is_dirty = true;
            }
            () = sleep_until(drafts_due.unwrap_or_else(Moment::now)), if drafts_due.is_some() => {
                drafts_due = None;
                app.setup.environment.keep_drafts(&app.prompt.unsent());
            }
        }
    };
    ask_held(&mut held, &app, &mut work);
    app.setup.environment.keep_drafts(&app.prompt.unsent());
    console.screen.give_back();
    // Nobody reads them any more: what is still under way does not wait for room.
    drop((answers, histories));
    work.end().await;
    Ok((leave, last_words(&app)))
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let millis = since.map_or(0, |time| time.as_millis());
    Timestamp(u64::try_from(millis).unwrap_or(u64::MAX))
}

fn show(app: &mut App, screen: &mut HeldTerminal) -> io::Result<()> {
    let mut drawn = crate::draw::DrawnScreen::default();
    screen.draw(|frame| drawn = draw(app, frame))?;
    app.pane = drawn.pane.unwrap_or(app.pane);
    app.places.need_end = drawn.need_end;
    app.places.cost_end = drawn.cost_end;
    app.drawn = drawn.places;
    match drawn.question {
        Some((asked, has_end)) => {
            let whole_since = has_end.then(|| app.millis());
            app.answers.shown(&asked.key(), whole_since);
            app.last_asked = Some(asked.request);
        }
        None => app.answers.hidden(),
    }
    Ok(())
}

fn take_input(app: &mut App, event: Event) -> KeyStep {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => input::handle(app, key),
        Event::Paste(text) => input::paste(app, &text),
        Event::FocusGained => {
            app.has_focus = Some(true);
            KeyStep::Stay
        }
        Event::FocusLost => {
            app.has_focus = Some(false);
            KeyStep::Stay
        }
        // Another size may be the one before again, with what the sizes between have cut off.
        Event::Resize(..) => KeyStep::Redraw,
        Event::Mouse(event) => {
            input::mouse(app, event);
            KeyStep::Stay
        }
        Event::Key(_) => KeyStep::Stay,
    }
}

/// Asks for what has been held back long enough, if there is anything.
fn ask_held(held: &mut Option<(Verb, Moment)>, app: &App, work: &mut WishWork) {
    if let Some((verb, _)) = held.take() {
        work.ask(app.setup.door.clone(), verb);
    }
}

fn carry_out(
    step: KeyStep,
    app: &mut App,
    console: &mut Console,
    work: &mut WishWork,
) -> io::Result<()> {
    let door = app.setup.door.clone();
    match step {
        KeyStep::Stay | KeyStep::Leave(_) | KeyStep::AskSoon(_) | KeyStep::TakeBack => {}
        KeyStep::Ask(verb) => work.ask(door, verb),
        KeyStep::Past(moment) => {
            app.note.say_while(t("Reading the past …").to_owned());
            work.read(door, moment);
        }
        KeyStep::Redraw => console.screen.forget()?,
        KeyStep::Copy(text) => {
            let sequence = Multiplexer::of_environment().copied(&text);
            console.screen.signal(&sequence);
        }
        KeyStep::Lend(to) => lend::lend(app, console, to)?,
    }
    Ok(())
}

/// Shows what came of what was asked for.
fn take_answer(app: &mut App, answer: FinishedWork) -> KeyStep {
    match (answer.result, answer.is_typed) {
        (Ok(VerbAnswer::GoesOn(elsewhere)), _) => return input::go_on(app, elsewhere),
        (Ok(VerbAnswer::Choices(choices)), _) => {
            input::show_choices(app, Overlay::choices(choices));
        }
        (Ok(VerbAnswer::Lines(lines)), _) if lines.is_empty() => {}
        (Ok(VerbAnswer::Lines(lines)), typed) => {
            let title = typed.unwrap_or_else(|| t("Answer").to_owned());
            show_lines(app, title, lines);
        }
        (Err(why), None) => {
            app.say(why.into_text());
            // If it was an answer, the question may be answered again.
            app.answers.hidden();
        }
        (Err(why), Some(typed)) => show_lines(app, typed, vec![why.into_text()]),
    }
    KeyStep::Stay
}

/// One line below the prompt, more over the screen.
fn show_lines(app: &mut App, title: String, lines: Vec<String>) {
    let rows: usize = lines.iter().map(|line| line.lines().count()).sum();
    match rows <= HINT_LINES {
        true => app.say(lines.concat()),
        false => app.overlay = Some(Overlay::lines(title, lines)),
    }
}

fn last_words(app: &App) -> Option<String> {
    let story = app.present().story(&teammate_core::MemberName::lead())?;
    story.last_said().map(str::to_owned)
}
