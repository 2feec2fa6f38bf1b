//! The loop: facts and keys come in, frames go out, and nothing is done while nothing happens.

mod notify;

use std::{
    io,
    sync::Arc,
    time::{Duration, SystemTime},
};

use crossterm::event::{Event, EventStream, KeyEventKind};
use futures_core::Stream;
use teammate_core::Timestamp;
use teammate_view::{Door, Fact, TeamView, Timeline, Verb, VerbResult};
use tokio::{
    sync::mpsc,
    task::JoinSet,
    time::{Instant as Moment, sleep_until},
};

use self::notify::Notifier;
use crate::{
    app::{App, Overlay, ScreenSetup},
    draw::draw,
    input::{self, Step},
    terminal::{Screen, remind_of_keys, restore_on_panic},
};

/// At most so often is a frame drawn of what happens in the team; keys are answered at once.
const REDRAW_EVERY: Duration = Duration::from_millis(33);

/// A shown second.
const SECOND: Duration = Duration::from_secs(1);

/// Answers of up to so many lines are shown below the prompt.
const HINT_LINES: usize = 1;

/// Typed words are kept so long after the last key.
const DRAFT_PAUSE: Duration = Duration::from_millis(300);

/// How long what was asked for just before leaving may take.
const LAST_WORK: Duration = Duration::from_secs(2);

/// How the user left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenEnd {
    /// They want to leave.
    Asked,
    /// They want to leave, and the team to go on in the background.
    HandOver,
    /// There were no more facts: the team was closed from elsewhere.
    Ended,
}

/// What a face has to be asked from outside to end: a signal.
pub struct Ends {
    /// Resolves when the program should end.
    pub end: std::pin::Pin<Box<dyn Future<Output = ()> + Send>>,
}

/// What was asked for, done.
struct Done {
    is_typed: Option<String>,
    result: VerbResult,
}

/// What was asked for and is not done yet. Nothing of it outlives the screen.
struct Work {
    tasks: JoinSet<()>,
    done: mpsc::UnboundedSender<Done>,
    read: mpsc::UnboundedSender<History>,
    /// The user's own commands for what needs them.
    alerts: JoinSet<Option<String>>,
}

impl Work {
    fn ask(&mut self, door: Arc<dyn Door>, verb: Verb) {
        let is_typed = match &verb {
            Verb::Typed(line) => Some(line.clone()),
            Verb::Say { .. } | Verb::Answer { .. } | Verb::Interrupt(_) | Verb::Recall(_) => None,
        };
        let done = self.done.clone();
        self.tasks.spawn(async move {
            let result = door.ask(verb).await;
            // The screen may be gone meanwhile.
            let _ = done.send(Done { is_typed, result });
        });
    }

    fn read(&mut self, door: Arc<dyn Door>) {
        let read = self.read.clone();
        self.tasks.spawn(async move {
            // As above.
            let _ = read.send(door.history().await);
        });
    }
}

/// The past was read, or why not.
type History = Result<Vec<Fact>, String>;

/// Shows the team until the user leaves, and gives the terminal back. The last words of the lead are returned, for the
/// terminal's own scrollback.
///
/// Errors: the terminal cannot be used.
pub async fn run(
    setup: ScreenSetup,
    mut facts: mpsc::UnboundedReceiver<Fact>,
    first: TeamView,
    mut ends: Ends,
) -> io::Result<(ScreenEnd, Option<String>)> {
    restore_on_panic();
    let mut screen = Screen::enter()?;
    let mut app = App::new(setup);
    app.begin(first);
    app.tick(now());
    let mut notifier = Notifier::new(&app);
    let (done, mut answers) = mpsc::unbounded_channel::<Done>();
    let (read, mut histories) = mpsc::unbounded_channel::<History>();
    let mut work = Work {
        tasks: JoinSet::new(),
        done,
        read,
        alerts: JoinSet::new(),
    };
    let mut keys = Some(EventStream::new());
    let mut last_frame: Option<Moment> = None;
    let mut is_dirty = true;
    let mut next_second = Moment::now() + SECOND;
    let mut drafts_due: Option<Moment> = None;
    let leave = loop {
        let frame_at = last_frame.map_or_else(Moment::now, |last| last + REDRAW_EVERY);
        tokio::select! {
            biased;
            () = &mut ends.end => break ScreenEnd::Asked,
            key = next_event(&mut keys) => {
                let Some(event) = key else { break ScreenEnd::Ended };
                is_dirty = true;
                // Who types does not wait for the next frame of what members say.
                last_frame = None;
                drafts_due = Some(Moment::now() + DRAFT_PAUSE);
                match take_input(&mut app, event?) {
                    Step::Leave(how) => break how,
                    step => carry_out(step, &mut app, &mut screen, &mut keys, &mut work)?,
                }
                remind_of_keys();
            }
            Some(answer) = answers.recv() => {
                take_answer(&mut app, answer);
                is_dirty = true;
            }
            Some(history) = histories.recv() => {
                match history {
                    Ok(facts) => app.past = Some(Timeline::new(facts)),
                    Err(why) => app.say(why),
                }
                is_dirty = true;
            }
            () = sleep_until(frame_at), if is_dirty => {
                is_dirty = false;
                last_frame = Some(Moment::now());
                app.tick(now());
                show(&mut app, &mut screen)?;
                for alert in notifier.look(&app, &screen) {
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
            () = sleep_until(next_second), if app.is_ticking() => {
                next_second = Moment::now() + SECOND;
                is_dirty = true;
            }
            () = sleep_until(drafts_due.unwrap_or_else(Moment::now)), if drafts_due.is_some() => {
                drafts_due = None;
                app.setup.environment.keep_drafts(&app.prompt.unsent());
            }
        }
    };
    app.setup.environment.keep_drafts(&app.prompt.unsent());
    screen.give_back();
    // What was sent just before leaving is done first.
    let rest = async { while work.tasks.join_next().await.is_some() {} };
    let _ = tokio::time::timeout(LAST_WORK, rest).await;
    work.tasks.shutdown().await;
    work.alerts.shutdown().await;
    Ok((leave, last_words(&app)))
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let millis = since.map_or(0, |time| time.as_millis());
    Timestamp(u64::try_from(millis).unwrap_or(u64::MAX))
}

/// The next key, paste or resize; pending while the terminal belongs to another program.
async fn next_event(keys: &mut Option<EventStream>) -> Option<io::Result<Event>> {
    match keys {
        Some(keys) => {
            std::future::poll_fn(|context| std::pin::Pin::new(&mut *keys).poll_next(context)).await
        }
        None => std::future::pending().await,
    }
}

fn show(app: &mut App, screen: &mut Screen) -> io::Result<()> {
    let mut drawn = crate::draw::Drawn::default();
    screen.draw(|frame| drawn = draw(app, frame))?;
    app.pane = drawn.pane.unwrap_or(app.pane);
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

fn take_input(app: &mut App, event: Event) -> Step {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => input::handle(app, key),
        Event::Paste(text) => {
            input::paste(app, &text);
            Step::Stay
        }
        Event::FocusGained => {
            app.has_focus = Some(true);
            Step::Stay
        }
        Event::FocusLost => {
            app.has_focus = Some(false);
            Step::Stay
        }
        // Another size may be the one before again, with what the sizes between have cut off.
        Event::Resize(..) => Step::Redraw,
        Event::Key(_) | Event::Mouse(_) => Step::Stay,
    }
}

fn carry_out(
    step: Step,
    app: &mut App,
    screen: &mut Screen,
    keys: &mut Option<EventStream>,
    work: &mut Work,
) -> io::Result<()> {
    let door = app.setup.door.clone();
    match step {
        Step::Stay | Step::Leave(_) => {}
        Step::Ask(verb) => work.ask(door, verb),
        Step::Past => {
            app.say("Reading the past …");
            work.read(door);
        }
        Step::Redraw => screen.forget()?,
        Step::Copy(text) => screen.signal(&notify::copied(&text)),
        Step::Suspend => {
            *keys = None;
            screen.give_back();
            suspend();
            screen.take()?;
            screen.forget()?;
            *keys = Some(EventStream::new());
        }
        Step::Shell(line) => {
            let ran = with_terminal(screen, keys, || {
                let ran = app.setup.environment.shell(&line);
                wait_for_enter();
                ran
            })?;
            if let Err(why) = ran {
                app.say(why);
            }
        }
        Step::Edit => {
            let text = app.prompt.editor.text();
            let edited = with_terminal(screen, keys, || app.setup.environment.edit(&text))?;
            match edited {
                Ok(text) => app.prompt.editor.set(text.trim_end()),
                Err(why) => app.say(why),
            }
        }
        Step::OpenFile(file) => {
            if let Err(why) = with_terminal(screen, keys, || app.setup.environment.open(&file))? {
                app.say(why);
            }
        }
        Step::Page(text) => {
            if let Err(why) = with_terminal(screen, keys, || app.setup.environment.page(&text))? {
                app.say(why);
            }
        }
    }
    Ok(())
}

/// Leaves the terminal to another program, and takes it again.
fn with_terminal<T>(
    screen: &mut Screen,
    keys: &mut Option<EventStream>,
    run: impl FnOnce() -> T,
) -> io::Result<T> {
    *keys = None;
    screen.give_back();
    let result = tokio::task::block_in_place(run);
    screen.take()?;
    screen.forget()?;
    *keys = Some(EventStream::new());
    Ok(result)
}

/// What a command printed stays until the user has read it.
fn wait_for_enter() {
    use io::Write as _;
    let mut out = io::stdout();
    let _ = out.write_all(b"\n(Enter goes back to the team)\n");
    let _ = out.flush();
    let mut line = String::new();
    let _ = io::stdin().read_line(&mut line);
}

/// Stops this process as Ctrl-Z does; returns when it continues.
fn suspend() {
    // Only a stop that everybody in the process group hears lets the shell have the terminal.
    let _ = rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
}

fn take_answer(app: &mut App, answer: Done) {
    match (answer.result, answer.is_typed) {
        (Err(why), None) => {
            app.say(why);
            // If it was an answer, the question may be answered again.
            app.answers.hidden();
        }
        (Ok(lines), _) if lines.is_empty() => {}
        (Ok(lines), _) if lines.len() <= HINT_LINES && lines[0].lines().count() <= HINT_LINES => {
            app.say(lines.concat());
        }
        (Ok(lines), typed) => show_lines(app, typed, lines),
        (Err(why), Some(typed)) if why.lines().count() > HINT_LINES => {
            show_lines(app, Some(typed), vec![why]);
        }
        (Err(why), Some(_)) => app.say(why),
    }
}

fn show_lines(app: &mut App, typed: Option<String>, lines: Vec<String>) {
    app.overlay = Some(Overlay {
        title: typed.unwrap_or_else(|| "Answer".to_owned()),
        lines,
        scroll: 0,
    });
}

fn last_words(app: &App) -> Option<String> {
    let story = app.present().story(&teammate_core::MemberName::lead())?;
    story.last_said().map(str::to_owned)
}
