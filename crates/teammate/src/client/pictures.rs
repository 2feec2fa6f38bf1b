//! Pictures that a member's tools gave it: their bytes are in its transcript only.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use teammate_core::{
    MemberName,
    tool::{CallId, OutcomePart},
    transcript::Entry,
};

use super::TeamClient;
use crate::TeamError;

/// A picture of a tool's outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallPicture {
    /// `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    pub media_type: &'static str,
    /// The picture as it is in a file.
    pub bytes: Vec<u8>,
}

impl TeamClient {
    /// The pictures in the outcome of a member's call, in order: of the last call with this id that gave any.
    ///
    /// Errors: the transcript cannot be read.
    pub async fn pictures(
        &self,
        member: &MemberName,
        call: &CallId,
    ) -> Result<Vec<CallPicture>, TeamError> {
        let entries = self.transcript(member).await?;
        let outcomes = entries.iter().rev().filter_map(|entry| match entry {
            Entry::ToolOutcomes(outcomes) => Some(outcomes.iter().rev()),
            _ => None,
        });
        let mut found = outcomes
            .flatten()
            .filter(|(id, _)| id == call)
            .map(|(_, outcome)| pictures_of(&outcome.parts));
        Ok(found
            .find(|pictures| !pictures.is_empty())
            .unwrap_or_default())
    }
}

/// Those whose bytes can be read.
fn pictures_of(parts: &[OutcomePart]) -> Vec<CallPicture> {
    let pictures = parts.iter().filter_map(|part| match part {
        OutcomePart::Image { media_type, base64 } => Some(CallPicture {
            media_type,
            bytes: STANDARD.decode(base64).ok()?,
        }),
        OutcomePart::Text(_) | OutcomePart::Document { .. } => None,
    });
    pictures.collect()
}
