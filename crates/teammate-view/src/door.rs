//! How a screen reaches its team, in this process or in another, and what it may have to let the user choose from.

use teammate_core::{
    MemberName, MessageId,
    name::DeviceName,
    port::BoxFuture,
    request::{Answer, Digest, RequestId},
    tool::CallId,
};

use crate::Fact;

/// A wish of the user.
#[derive(Debug, Clone, PartialEq)]
pub enum Verb {
    /// Send these words to a member. `@FILE` in them shows it a picture or document.
    Say { to: MemberName, text: String },
    Answer {
        request: RequestId,
        /// The digest of what was on the screen. An answer to anything else is refused.
        saw: Option<Digest>,
        answer: Answer,
        /// Those that ask exactly the same, and were answered as one with it. Those that are settled by then are left out.
        alike: Vec<SeenRequest>,
        /// The device of the user's that it comes from, if it is none of their terminals.
        device: Option<DeviceName>,
    },
    /// Pause the whole team, from this device.
    Pause(Option<DeviceName>),
    /// Have the paused team go on.
    Continue(Option<DeviceName>),
    /// Interrupt a member's turn, or everybody's.
    Interrupt(Option<MemberName>),
    /// Take back mail that nobody has heard yet: this one, or the user's last.
    Recall(Option<MessageId>),
    /// A command as it is typed at the prompt, with its `/` or `!`.
    Typed(String),
}

/// A request, with the digest of what was shown of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenRequest {
    pub request: RequestId,
    pub saw: Digest,
}

/// The answer to a verb.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerbAnswer {
    /// Lines for the user, maybe none.
    Lines(Vec<String>),
    /// The user has to choose.
    Choices(Choices),
    /// The user goes on elsewhere: the screen is left for that, unless they stay after all.
    GoesOn(Elsewhere),
}

/// Where the user goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elsewhere {
    /// With another team.
    Team,
    /// With another conversation of this one, which is closed and opened for that.
    Conversation,
}

/// Why a verb was not done, in words for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerbRefusal {
    /// The request is settled: another answer was first, or it lapsed.
    Settled(String),
    /// The request asks for something else than was shown. Nothing was answered.
    OtherDigest(String),
    /// Anything else.
    Other(String),
}

impl VerbRefusal {
    /// The words.
    pub fn into_text(self) -> String {
        match self {
            Self::Settled(why) | Self::OtherDigest(why) | Self::Other(why) => why,
        }
    }
}

impl From<String> for VerbRefusal {
    fn from(why: String) -> Self {
        Self::Other(why)
    }
}

/// The answer to a verb, or why it was not done.
pub type VerbResult = Result<VerbAnswer, VerbRefusal>;

/// A team, as a screen can reach it: the one that this process runs, or that of another.
pub trait Door: Send + Sync {
    /// Does what the user wants. Returns once it is durable, or the reason why it was not done.
    fn ask(&self, verb: Verb) -> BoxFuture<'_, VerbResult>;

    /// Everything that is known of the team from its beginning, in order: for looking at the past.
    ///
    /// Errors: a sentence for the user.
    fn history(&self) -> BoxFuture<'_, Result<Vec<Fact>, String>>;

    /// The pictures in the outcome of a member's call, in order. Only faces that show pictures ask; nothing where none are kept.
    ///
    /// Errors: a sentence for the user.
    fn pictures<'a>(
        &'a self,
        _member: &'a MemberName,
        _call: &'a CallId,
    ) -> BoxFuture<'a, Result<Vec<ShownPicture>, String>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

/// A picture that a member's tool gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownPicture {
    /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

/// A list to choose from. Texts are clean for a terminal, but for colours that the prompt asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    /// The command that takes a choice: `/resume`.
    pub command: String,
    /// The choices, in groups.
    pub groups: Vec<ChoiceGroup>,
}

/// Choices that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceGroup {
    pub title: String,
    /// At least one.
    pub choices: Vec<Choice>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The word that is typed behind the command to choose it: `2`.
    pub word: String,
    /// The choice, in a line.
    pub text: String,
    /// One more line about it; nothing if it is empty.
    pub more: String,
    /// Whether it is what the user has already.
    pub is_current: bool,
}

impl Choices {
    /// All choices, from the first group on.
    pub fn all(&self) -> impl Iterator<Item = &Choice> {
        self.groups.iter().flat_map(|group| &group.choices)
    }

    /// The line that chooses one, as it is typed.
    pub fn line(&self, choice: &Choice) -> String {
        format!("{} {}", self.command, choice.word)
    }
}
