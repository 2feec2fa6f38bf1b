//! `teammate send`: sends a message to a member from any terminal.

use clap::Args;
use teammate::{UserMessage, handle::Say};
use teammate_view::t;

use super::{CliContext, CliResult, SharedOptions, Verb, attach::Attach, print_line};

/// Send a message to a member (delivered on `resume` if the team is not running)
#[derive(Args)]
pub(crate) struct Send {
    /// The recipient: lead, or a teammate's name
    to: String,

    /// The text, or '-' to read it from standard input
    #[arg(required = true)]
    text: Vec<String>,

    #[command(flatten)]
    attach: Attach,
}

impl Verb for Send {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let mut client = place.look().await?;
        let text = match self.text.as_slice() {
            [dash] if dash == "-" => super::read_stdin()?,
            words => words.join(" "),
        };
        if text.trim().is_empty() {
            let what = "the text is empty: nothing was sent";
            return Err(super::UsageError(what.to_owned()).into());
        }
        let text = text.trim_end().to_owned();
        let attachments = self.attach.read(&place.dir).await?;
        let to = client
            .ask(Say::to(self.to, UserMessage { text, attachments }))
            .await?;
        match client.host() {
            Some(_) => print_line(t!("Sent to {to}", to)),
            None => print_line(t!(
                "Saved for {to}. The team is not running; {to} reads it after `teammate resume`",
                to
            )),
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}
