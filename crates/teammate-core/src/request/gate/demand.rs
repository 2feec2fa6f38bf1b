//! The demand for plans of a member: by whom, and for how long.

use crate::cause::Cause;
use serde::{Deserialize, Serialize};

use super::super::{Approver, Principal};

/// The one who requires plans of a member, and so can lift that again. The user outranks the lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Requirer {
    /// The lead; the user can lift it, too.
    Lead,
    User,
}

impl From<&Principal> for Requirer {
    fn from(party: &Principal) -> Self {
        match party {
            Principal::User | Principal::System => Self::User,
            Principal::Member { .. } => Self::Lead,
        }
    }
}

impl From<Approver> for Requirer {
    fn from(approver: Approver) -> Self {
        match approver {
            Approver::Lead => Self::Lead,
            Approver::User | Approver::Rule => Self::User,
        }
    }
}

/// For how long plans are required.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Demand {
    /// For every piece of work, until it is lifted.
    Standing {
        by: Requirer,
        /// The call that required it last, if it was not a spawn.
        call: Option<Cause>,
    },
    /// Until one plan is approved: the member submitted it unasked. Its approver can lift this.
    Once(Requirer),
}

impl Demand {
    /// Of this one, for every piece of work.
    pub(crate) fn of(by: Requirer) -> Self {
        Self::Standing { by, call: None }
    }

    /// The one who can lift it.
    pub fn by(&self) -> Requirer {
        match self {
            Self::Standing { by, .. } | Self::Once(by) => *by,
        }
    }

    /// The one who requires a plan for every piece of work.
    pub(crate) fn permanent_requirer(&self) -> Option<Requirer> {
        match self {
            Self::Standing { by, .. } => Some(*by),
            Self::Once(_) => None,
        }
    }
}
