//! Why a server did not do what it was asked, in words for the model and for people.

use std::{error::Error, time::Duration};

use rmcp::service::{ClientInitializeError, ServiceError};
use teammate_core::port::ProgramError;

use crate::mcp::client::listing::short;

/// Why a server did not do something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ServerFailure {
    /// Its program does not run.
    #[error("{0}")]
    NotStarted(#[from] ProgramError),
    /// It did not answer in time.
    #[error("it did not answer within {} s", .0.as_secs())]
    Silent(Duration),
    /// It speaks a version of the protocol that is not known here.
    #[error("it speaks the version {0} of the protocol, which is not known here")]
    Version(String),
    /// It wants the user to log in.
    #[error("it wants you to log in")]
    LoginNeeded,
    /// It has ended, or the connection has.
    #[error("{0}")]
    Ended(String),
    /// It said no.
    #[error("it answered with an error: {0}")]
    Refused(String),
    /// It failed before, and is left alone for so long.
    #[error("it failed ({why}) and is tried again in {} s", .wait.as_secs().max(1))]
    Resting {
        /// Why it failed.
        why: String,
        /// How long it is still left alone.
        wait: Duration,
    },
}

impl ServerFailure {
    /// The failure in place of an answer to a request.
    pub(crate) fn of(error: ServiceError, ended: Option<String>) -> Self {
        match (error, ended) {
            (ServiceError::McpError(error), _) => Self::Refused(short(&error.message)),
            (ServiceError::Timeout { timeout }, _) => Self::Silent(timeout),
            (_, Some(why)) => Self::Ended(why),
            (ServiceError::TransportClosed, None) => Self::Ended("the connection is closed".into()),
            (other, None) => Self::Ended(short(&innermost(&other))),
        }
    }

    /// The failure in place of a first answer.
    pub(crate) fn of_start(error: &ClientInitializeError, ended: Option<String>) -> Self {
        if error.is_authorization_required() {
            return Self::LoginNeeded;
        }
        match error {
            ClientInitializeError::JsonRpcError(error) => Self::Refused(short(&error.message)),
            ClientInitializeError::NoCompatibleProtocolVersion {
                server_supported, ..
            } => {
                let versions = server_supported.iter().map(ToString::to_string);
                let versions: Vec<String> = versions.take(5).collect();
                Self::Version(short(&versions.join(", ")))
            }
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => {
                Self::of_start(fallback, ended)
            }
            ClientInitializeError::TransportError { .. }
            | ClientInitializeError::ConnectionClosed(_)
            | ClientInitializeError::Cancelled => {
                Self::Ended(ended.unwrap_or_else(|| short(&error.to_string())))
            }
            // What it said first is no hello.
            other => Self::Ended(short(&other.to_string())),
        }
    }
}

/// The words of the error that is behind all others: theirs are names of types.
fn innermost(error: &ServiceError) -> String {
    let mut found: &dyn Error = match error {
        ServiceError::TransportSend(behind) => behind,
        other => other,
    };
    while let Some(behind) = found.source() {
        found = behind;
    }
    found.to_string()
}
