//! Messages of JSON-RPC 2.0 as lines, in both directions. Methods and what they mean are of those who speak.

mod message;
mod pending;

pub use message::{
    BAD_PARAMETERS, BAD_REQUEST, Error, INTERNAL, RpcLine, UNKNOWN_METHOD, UNREADABLE, answer,
    broken_answer, notification, read, request,
};
pub use pending::{Pending, RpcAnswer};
