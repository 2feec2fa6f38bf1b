//! `--saw`: the digest of what was shown when it was decided how to answer.

use clap::Args;
use teammate::{
    Refusal, TeamError,
    request::{Digest, Request},
};

use crate::screen::clean_line;

/// The fewest digits of a digest that tell two apart.
const DIGITS_MIN: usize = 12;

/// The digest of the text that the user has seen.
#[derive(Args, Default)]
pub(crate) struct Saw {
    /// Answer only if this is the digest of what is asked, as `teammate requests show --json` gives it; its first 12 digits
    /// are enough
    #[arg(long, value_name = "DIGEST")]
    saw: Option<String>,
}

impl Saw {
    /// The whole digest of the request, if it is the one that was seen; nothing if nobody said what was seen.
    ///
    /// Errors: something else is asked.
    pub(crate) fn of(&self, request: &Request) -> Result<Option<Digest>, TeamError> {
        let Some(saw) = self.saw.as_deref() else {
            return Ok(None);
        };
        let asked = request.digest().cloned();
        let is_it = |digest: &Digest| {
            saw.len() >= DIGITS_MIN && digest.to_string().starts_with(&saw.to_ascii_lowercase())
        };
        match asked.filter(is_it) {
            Some(digest) => Ok(Some(digest)),
            None => {
                let now = request.digest().map_or("no digest", Digest::short);
                let text = format!(
                    "{} asks for something else than {} ({now} now); look at it again, then answer. Nothing was answered",
                    request.id,
                    clean_line(saw)
                );
                Err(Refusal::Rule(text).into())
            }
        }
    }
}
