//! The note beside a held file: for whom the user is asked about it, and what they have said.

use serde::{Deserialize, Serialize};
use teammate_core::{Incarnation, MemberName, cause::Cause, port::Caller};
use teammate_sandbox::HeldFile;
use uuid::Uuid;

/// It is read for as long as the file is held, by newer programs as well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct HeldNote {
    /// Whose command wrote it; the lead where nobody knows.
    member: MemberName,
    incarnation: Incarnation,
    /// The command. Files of one call are one question.
    call: Cause,
    /// How often nobody answered.
    #[serde(default)]
    tries: u32,
    /// Whether the user has said no.
    #[serde(default)]
    is_refused: bool,
    /// Whether the program was killed before it could say whose command it was.
    #[serde(default)]
    is_found: bool,
}

impl HeldNote {
    /// A command of this caller wrote it.
    pub(super) fn of(caller: &Caller) -> Self {
        Self {
            member: caller.name.clone(),
            incarnation: caller.incarnation,
            call: caller.call.clone(),
            tries: 0,
            is_refused: false,
            is_found: false,
        }
    }

    /// It was found after a program had been killed.
    pub(super) fn found() -> Self {
        Self {
            member: MemberName::lead(),
            incarnation: Incarnation::FIRST,
            call: Cause::held(Uuid::now_v7()),
            tries: 0,
            is_refused: false,
            is_found: true,
        }
    }

    pub(super) fn read(file: &HeldFile) -> Option<Self> {
        serde_json::from_slice(&file.note()?).ok()
    }

    /// Without it the user is asked once more after a restart, and not told whose command it was.
    pub(super) fn write(&self, file: &HeldFile) {
        if let Ok(text) = serde_json::to_vec(self) {
            let _ = file.write_note(&text);
        }
    }

    pub(super) fn refuse(&mut self) {
        self.is_refused = true;
    }

    pub(super) fn count_try(&mut self) {
        self.tries = self.tries.saturating_add(1);
    }

    pub(super) fn is_refused(&self) -> bool {
        self.is_refused
    }

    /// Whose command wrote it, where that is known.
    pub(super) fn writer(&self) -> Option<&MemberName> {
        (!self.is_found).then_some(&self.member)
    }

    /// By which call the user is asked. A question that nobody answered is not found again.
    pub(super) fn caller(&self) -> Caller {
        Caller {
            name: self.member.clone(),
            incarnation: self.incarnation,
            call: match self.tries {
                0 => self.call.clone(),
                tries => self.call.part(tries),
            },
            sources: Default::default(),
            subagent: None,
        }
    }
}
