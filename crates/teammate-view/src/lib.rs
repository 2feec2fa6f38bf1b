//! The view of a team for a person, without a terminal or a browser: facts become one [`TeamView`], the same in the process
//! that runs the team, in another one, and for the past. Screens draw it and decide nothing.
//!
//! `TeamView` is a fold over facts (records of the journal, events, pieces of answers), the same in
//! the host, in another process and for the past (`timeline`). `story` is one member, `mail` has
//! receipts, `needs` is what waits for the user, by what it holds up, `troubles` what nobody
//! answers, `presence` which workers do not answer. `news` tells events as they come, each once,
//! for faces made of lines; `wording` says what happened in a line, for `news` and `story` alike.
//! `screens` are the screens as values, which the terminal, the page, plain lines and JSON draw.
//! Besides: Markdown and diffs as lines of meaning (`markdown`, `diff`, `text`), widths, the
//! prompt's editor, the one table of `keys`, the `palette` of commands and keys, and `strays`, the
//! rule when a key answers. `language` says each text in the language of the user.
//!
//! - **No runtime, no I/O, no clock, no terminal.** Time comes as a fact.
//! - **The fold cannot fail** and guesses nothing from prose.
//! - **`Door` is the port**: what screens may ask of a team, wherever it runs.

// A text that is cut at an offset of another one would end the face.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod answered;
pub mod clean;
mod complete;
mod costs;
mod counted;
pub mod diff;
mod door;
mod durations;
mod editor;
pub mod keys;
pub mod language;
pub mod markdown;
pub mod strays;
pub mod text;
pub mod theme;
pub mod width;

#[cfg(test)]
mod chance;

mod fact;
mod history;
mod interrupt_key;
mod kept_entries;
mod mail;
mod money;
mod motion;
mod needs;
mod news;
mod palette;
mod pause;
mod presence;
mod printed;
mod roster;
pub mod screens;
mod story;
mod team_counts;
mod timeline;
mod troubles;
mod view;
mod wording;

pub use answered::AnsweredRequest;
pub use complete::{Completion, OFFERED_MAX, Words};
pub use costs::{Costs, TokensOverTime};
pub use counted::{Extent, Window, counted, more};
pub use door::{
    Choice, ChoiceGroup, Choices, Door, Elsewhere, SeenRequest, ShownPicture, Verb, VerbAnswer,
    VerbRefusal, VerbResult,
};
pub use durations::{clock_text, duration_text};
pub use editor::{Editor, EditorView, Move};
pub use fact::Fact;
pub use history::{HISTORY_MAX, History};
pub use interrupt_key::{InterruptKey, InterruptPress};
pub use kept_entries::KeptEntries;
pub use language::{Language, t};
pub use mail::{MAIL_MAX, Mail, MailLog, Receipt};
pub use money::{
    ContextShare, all_tokens, amount_or_unknown, cache_percent, known_amount, money_or_tokens,
    short, tokens,
};
pub use motion::Motion;
pub use needs::{
    AnswerChoice, Holds, NO_IN, Need, NeedAlert, NeedKind, NeedNews, asking_the_same, asks,
    need_you, no_in,
};
pub use news::{AskedPermission, News, NewsFold};
pub use palette::{PaletteEntry, PaletteStep, palette};
pub use pause::{continue_receipt, heard_after_pause, pause_receipt, paused_mark};
pub use printed::{FoldedOutput, PrintedOutput};
pub use roster::{RosterLine, Sign};
pub use screens::board::{BoardLists, check_run};
pub use story::{
    AskersWords, Call, CallEnd, CallState, Doing, DoingKind, ITEMS_MAX, Item, ItemKind,
    QuestionEnd, QuestionEndKind, SpanKind, Story, StoryQuestion, StorySpan,
};
pub use team_counts::TeamCounts;
pub use timeline::Timeline;
pub use troubles::{Trouble, TroubleKind};
pub use view::{Run, TeamView};
pub use wording::{answer_receipt, sender_name, settled_receipt};
