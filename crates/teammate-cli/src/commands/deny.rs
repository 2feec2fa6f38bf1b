//! `teammate deny`: the person says no, from any terminal.

use clap::Args;
use teammate::request::{Answer, RequestId};

use super::{Ended, Place, approve::tell};

/// Say no to a plan or a permission question
#[derive(Args)]
pub(crate) struct Deny {
    /// Which: req_000003 or 3
    id: RequestId,

    /// Why: whoever asked reads it
    #[arg(long, value_name = "TEXT", default_value = "")]
    because: String,

    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Deny {
    pub(crate) async fn run(self, place: &Place) -> Ended {
        let mut outside = place.look().await?;
        let answer = Answer::no(self.because);
        let request = outside.answer(self.id, answer).await?;
        tell(&outside, &request, self.json);
        Ok(std::process::ExitCode::SUCCESS)
    }
}
