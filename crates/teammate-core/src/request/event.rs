//! Events of a request. Journals hold these words for years: fields are added, never renamed or removed.

use serde::{Deserialize, Serialize};

use super::{Principal, RequestPayload};
use crate::{
    Timestamp, breadth::Breadth, cause::Cause, id::RequestId, mode::Mode, name::DeviceName,
};

/// Something that happened to a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum RequestEvent {
    Opened {
        #[serde(flatten)]
        kind: RequestPayload,
        from: Principal,
        call: Cause,
        /// The deadline; a later answer has no effect.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deadline: Option<Timestamp>,
        /// When, by the clock that the deadline is of, where workers run the team: another worker, which has another clock, may
        /// write the record. Else the record says when.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opened: Option<Timestamp>,
    },
    Approved {
        by: Principal,
        /// A note that comes with the approval.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
        /// The permission mode that it brings.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode: Option<Mode>,
        /// How much is allowed without a question from then on: the fields `always` and `breadth`.
        #[serde(flatten, with = "super::always")]
        always: Option<Breadth>,
        /// Whether it takes effect only when its author has heard it. In older journals it takes effect at once.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        awaits_hearing: bool,
        /// The request whose "always" allows this one, too: nobody was asked about it by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        covered_by: Option<RequestId>,
        /// The device of the user's that it came from; nothing for a terminal, and in older journals.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        device: Option<DeviceName>,
    },
    Rejected {
        by: Principal,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        because: String,
        /// Whether its author has yet to hear it, as above.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        awaits_hearing: bool,
        /// The device that it came from, as above.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        device: Option<DeviceName>,
    },
    /// The answer is in the requester's transcript.
    Heard,
    /// Nobody answered in time.
    Expired,
    /// It no longer applies.
    Cancelled { why: String },
    /// The one thing that the approval allows is being done: it allows nothing more.
    Used,
    /// The requester has the notice of the end.
    #[serde(rename = "told")]
    Notified,
}
