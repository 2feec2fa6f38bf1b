//! A no to a call: the sentence for the model, and who or what says it.

use teammate_core::{event::RefusedBy, permission::Rule, tool::Outcome};

/// Why a call may not run.
#[derive(Debug, Clone)]
pub(crate) struct CallRefusal {
    /// The sentence for the model.
    pub(crate) why: String,
    /// Nothing if nobody said no: it could not be asked, or the caller is no more.
    by: Option<RefusedBy>,
}

impl CallRefusal {
    pub(super) fn of(by: RefusedBy, why: String) -> Self {
        Self { why, by: Some(by) }
    }

    pub(super) fn by_rule(rule: &Rule) -> Self {
        let why = format!(
            "Not run: {} forbids it. Find another way, or say what you need.",
            rule.describe()
        );
        Self::of(RefusedBy::Rule, why)
    }

    pub(crate) fn by_hook(why: &str) -> Self {
        let why = format!("Not run: a hook of the user refuses it.\n{why}");
        Self::of(RefusedBy::Hook, why)
    }

    pub(crate) fn into_outcome(self) -> Outcome {
        match self.by {
            Some(by) => Outcome::refused(by, self.why),
            None => Outcome::error(self.why),
        }
    }
}

impl From<String> for CallRefusal {
    fn from(why: String) -> Self {
        Self { why, by: None }
    }
}

impl From<&str> for CallRefusal {
    fn from(why: &str) -> Self {
        why.to_owned().into()
    }
}
