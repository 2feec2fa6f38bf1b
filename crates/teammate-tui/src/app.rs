//! The screen's state besides the team: which part is shown, where one stands in it, what is typed, and the past that is
//! looked at. Facts and keys change it; drawing only reads it.

mod drawn;
mod find;
mod note;
mod opening;
mod overlay;
mod places;
mod prompt;

use std::{collections::BTreeMap, sync::Arc, time::Instant};
use teammate_view::t;

use teammate_core::{MemberName, Sender, Timestamp, port::BoxFuture, request::RequestId};
use teammate_view::{
    Door, Fact, InterruptKey, Mail, Motion, Need, NeedAlert, TeamView, Timeline, Verb, Words,
    keys::{KeyAction, KeyTable},
    screens::{TeamFacts, welcome::WorkspaceKind},
    settled_receipt,
    strays::AnswerKeys,
};

use self::opening::Opening;
pub(crate) use self::{
    drawn::{DrawnPane, DrawnPlaces, Target},
    find::{Find, Spot, has_word},
    note::ShownNote,
    overlay::{Overlay, OverlayLines, Picker, ShownPalette},
    places::{Places, ScreenKind},
    prompt::TypedPrompt,
};
use crate::{end::After, theme::Theme};

/// The parts that the screen is made with.
pub struct ScreenSetup {
    /// How to reach the team.
    pub door: Arc<dyn Door>,
    pub team: String,
    /// The lead's model, as it is shown, until the team says otherwise.
    pub model: String,
    /// The permission mode, as it is shown, until the team says otherwise.
    pub mode: String,
    /// The facts about the team that no fact of the view has.
    pub facts: TeamFacts,
    pub theme: Theme,
    pub keys: KeyTable,
    pub mouse: MouseUse,
    pub motion: Motion,
    /// Words that were typed and not sent, by recipient.
    pub kept: BTreeMap<String, String>,
    /// The lines that were typed before, oldest first.
    pub history: Vec<String>,
    /// What the workspace is, for the words to somebody who begins.
    pub workspace: WorkspaceKind,
    /// How this came to be the screen of the team, in a line.
    pub opened: Option<String>,
    /// Notes for the user about the opening.
    pub notes: Vec<String>,
    /// The moment of the past that is shown first; nothing is now.
    pub begins_at: Option<Timestamp>,
    /// The effect of leaving on the team.
    pub leaving: Leaving,
    /// A moment as the time of day.
    pub clock: Box<dyn Fn(Timestamp) -> String + Send>,
    /// The completions and the place where words are kept.
    pub environment: Box<dyn PromptEnvironment>,
}

/// Whose the mouse is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MouseUse {
    /// The terminal's: it selects text.
    #[default]
    OfTerminal,
    /// The screen's: clicks and the wheel come as events.
    OfScreen,
}

/// The effect of leaving the screen on the team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaving {
    /// Nothing: another process runs it.
    EndsNothing,
    /// This process runs it: it pauses, or the user hands it over to a process in the background.
    Pauses,
}

/// A port with all that the prompt needs from the world.
pub trait PromptEnvironment: Words + Send {
    /// Keeps what was typed and not sent, by recipient, through whatever happens to this process.
    fn keep_drafts(&self, drafts: &BTreeMap<String, String>);

    /// Keeps what was sent, for later searches.
    fn add_history(&self, text: &str);

    /// Lets the user change a text in their editor, which has the terminal meanwhile.
    ///
    /// Errors: a sentence for the user.
    fn edit(&self, text: &str) -> Result<String, String>;

    /// Opens a file in the user's editor, which has the terminal meanwhile.
    ///
    /// Errors: a sentence for the user; without an editor it says which file it is.
    fn open(&self, file: &MemberFile) -> Result<(), String>;

    /// Shows a text in the user's pager, which has the terminal meanwhile.
    ///
    /// Errors: a sentence for the user.
    fn page(&self, text: &str) -> Result<(), String>;

    /// The moment that the user names, in the past.
    ///
    /// Errors: how moments are written, in a sentence.
    fn moment(&self, text: &str) -> Result<Timestamp, String>;

    /// The word for a paste in the prompt, if it is not the text itself: the one that shows a member a file that was dropped
    /// here.
    fn pasted(&self, text: &str) -> Option<String>;

    /// Runs a command of the user, which has the terminal meanwhile.
    ///
    /// Errors: how it ended, in a sentence.
    fn shell(&self, line: &str) -> Result<(), String>;

    /// Something needs the user: runs what they have configured for that, if anything. Dropping the future ends it. It gives a
    /// sentence for the user where they should know how that went.
    fn notify(&self, alert: NeedAlert) -> BoxFuture<'static, Option<String>>;
}

/// A file that a call of a member named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberFile {
    /// Its path as members write it.
    pub path: String,
    /// Whose worktree it may be in.
    pub worktree_of: Option<MemberName>,
}

/// Where keys go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Focus {
    Prompt,
    /// To the screen above it.
    Pane,
}

pub(crate) struct App {
    pub(crate) setup: ScreenSetup,
    view: TeamView,
    pub(crate) past: Option<Timeline>,
    pub(crate) kind: ScreenKind,
    pub(crate) focus: Focus,
    pub(crate) places: Places,
    pub(crate) prompt: TypedPrompt,
    pub(crate) overlay: Option<Overlay>,
    /// Short notes about the opening, above the prompt until something is sent or they are closed.
    pub(crate) notes: Vec<String>,
    pub(crate) find: Find,
    /// Columns and rows of the chosen screen, or of what is shown over it, as they were drawn last.
    pub(crate) pane: (usize, usize),
    /// What the last frame has shown where.
    pub(crate) drawn: DrawnPlaces,
    /// One line about what was last done or refused.
    pub(crate) note: ShownNote,
    pub(crate) answers: AnswerKeys,
    /// The question that was on the screen last.
    pub(crate) last_asked: Option<RequestId>,
    /// The moment from which the answers' clock counts.
    pub(crate) begun: Instant,
    /// The user wants to leave, for this, and has to say what becomes of members that work.
    pub(crate) leaving: Option<After>,
    /// The member that is stopped if the key for it comes once more.
    pub(crate) stopping: Option<MemberName>,
    /// Whether the window has the focus, as far as the terminal tells.
    pub(crate) has_focus: Option<bool>,
    pub(crate) last_key: Instant,
    pub(crate) last_escape: Option<Instant>,
    pub(crate) interrupt: InterruptKey,
    /// Why there will be no more facts.
    pub(crate) ended: bool,
}

/// The size of a pane before anything is drawn.
const PANE: (usize, usize) = (80, 20);

impl App {
    pub(crate) fn new(setup: ScreenSetup) -> Self {
        let prompt = TypedPrompt::new(&setup.kept, &setup.history);
        let Opening {
            note,
            notes,
            overlay,
        } = Opening::of(&setup);
        Self {
            setup,
            view: TeamView::default(),
            past: None,
            kind: ScreenKind::Team,
            focus: Focus::Prompt,
            places: Places::default(),
            prompt,
            overlay,
            notes,
            find: Find::default(),
            pane: PANE,
            drawn: DrawnPlaces::default(),
            note,
            answers: AnswerKeys::default(),
            last_asked: None,
            begun: Instant::now(),
            leaving: None,
            stopping: None,
            has_focus: None,
            last_key: Instant::now(),
            last_escape: None,
            interrupt: InterruptKey::default(),
            ended: false,
        }
    }

    /// The team as it is looked at: now, or at a moment of the past.
    pub(crate) fn view(&self) -> &TeamView {
        self.past.as_ref().map_or(&self.view, Timeline::view)
    }

    /// The team as it is now, also while the past is looked at.
    pub(crate) fn present(&self) -> &TeamView {
        &self.view
    }

    /// Looks at the past that these facts tell: as it was at that moment, or at its end.
    pub(crate) fn look_back(&mut self, facts: Vec<Fact>, moment: Option<Timestamp>) {
        let mut past = Timeline::new(facts);
        if let Some(moment) = moment {
            past.go_to_moment(moment);
        }
        self.past = Some(past);
        self.note.end_work();
        if moment.is_some() {
            self.leave_past_at_its_end();
        }
    }

    /// Behind the last fact it is now.
    pub(crate) fn leave_past_at_its_end(&mut self) {
        if self
            .past
            .as_ref()
            .is_some_and(|past| past.at() == past.len())
        {
            self.past = None;
            self.say(t("Back to now"));
        }
    }

    /// Milliseconds on the clock of the answers.
    pub(crate) fn millis(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Begins with what was known before.
    pub(crate) fn begin(&mut self, view: TeamView) {
        self.view = view;
    }

    /// Takes a fact. One about the user's last words, or the end of the question on the screen, is newer than whatever was said before.
    pub(crate) fn take(&mut self, fact: &Fact) {
        let asked = self.asked_here();
        self.apply(fact);
        if let Some(id) = asked
            && self.asked_here().is_none()
        {
            self.say_settled(id);
        }
    }

    /// The question that is on the screen and waits for its answer.
    fn asked_here(&self) -> Option<RequestId> {
        let id = self.last_asked.filter(|_| self.kind == ScreenKind::Needs)?;
        let request = self.view.team().requests().get(id)?;
        request.is_pending().then_some(id)
    }

    /// Says how a question ended, unless that was said when it was answered here.
    fn say_settled(&mut self, id: RequestId) {
        let said = self.note.text().unwrap_or_default();
        if said.contains(&id.to_string()) {
            return;
        }
        if let Some(request) = self.view.team().requests().get(id) {
            self.say(settled_receipt(request));
        }
    }

    fn apply(&mut self, fact: &Fact) {
        if self.note.text().is_none() {
            return self.view.apply(fact);
        }
        let receipt = |app: &Self| {
            app.last_words()
                .map(|mail| (mail.id.clone(), mail.receipt.word()))
        };
        let before = receipt(self);
        self.view.apply(fact);
        if receipt(self) != before {
            self.note.take_back();
        }
    }

    /// The last words of the user to the one that the prompt speaks to.
    pub(crate) fn last_words(&self) -> Option<&Mail> {
        let to = self.prompt.to();
        let mut mail = self.view().mail().iter().rev();
        mail.find(|mail| mail.from == Sender::User && mail.to == *to)
    }

    /// The present moment passes.
    pub(crate) fn tick(&mut self, now: Timestamp) {
        self.view.apply(&Fact::Clock(now));
        self.note.grow_old();
    }

    /// Whether something on the screen changes with time alone.
    pub(crate) fn is_ticking(&self) -> bool {
        let counts = self.past.is_none() && (self.view.is_moving() || !self.needs().is_empty());
        self.has_focus != Some(false) && counts || self.note.text().is_some()
    }

    /// The needs of the user, first things first.
    pub(crate) fn needs(&self) -> Vec<Need> {
        self.view().needs()
    }

    /// The needs as they are asked: those that ask exactly the same are one.
    pub(crate) fn grouped_needs(&self) -> Vec<Need> {
        self.view().grouped_needs()
    }

    /// The member whose story is shown.
    pub(crate) fn member(&self) -> MemberName {
        let known = |name: &&MemberName| self.view().team().member(name).is_some();
        let chosen = self.places.member.as_ref().filter(known);
        chosen.cloned().unwrap_or_else(MemberName::lead)
    }

    /// A moment as the time of day.
    pub(crate) fn clock(&self, at: Timestamp) -> String {
        (self.setup.clock)(at)
    }

    /// The model of the member that is shown.
    pub(crate) fn model(&self) -> String {
        let member = self.member();
        let asked = self.view().story(&member).and_then(|story| story.model());
        let team = self.view().team();
        let chosen = team
            .member(&member)
            .and_then(|member| team.model_of(member));
        asked
            .map(str::to_owned)
            .or_else(|| chosen.map(ToString::to_string))
            .unwrap_or_else(|| self.setup.model.clone())
    }

    /// The permission mode, also as somebody has changed it since.
    pub(crate) fn mode(&self) -> String {
        let chosen = self.view().team().ceiling();
        chosen.map_or_else(|| self.setup.mode.clone(), |mode| mode.to_string())
    }

    /// Says something in the line below the prompt.
    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.note.say(text.into());
    }

    pub(crate) fn show(&mut self, kind: ScreenKind) {
        self.kind = kind;
        self.overlay = None;
        self.places.found = None;
    }

    /// The verb may be asked for: not while the past is looked at.
    pub(crate) fn may_ask(&mut self, verb: Verb) -> Option<Verb> {
        if self.past.is_some() {
            let key = self.setup.keys.name(KeyAction::Close);
            self.say(t!(
                "This is the past: {key} goes back to now, where things can be done",
                key
            ));
            return None;
        }
        Some(verb)
    }
}
