//! `teammate send`: speaks to a member from any terminal.

use clap::Args;

use super::{CliContext, CliResult, print_line};

/// Speak to a member, from any terminal; a team that does not run hears it when it is opened
#[derive(Args)]
pub(crate) struct Send {
    /// To whom: lead, or a teammate
    to: String,

    /// The text; read from standard input if it is '-'
    #[arg(required = true)]
    text: Vec<String>,
}

impl Send {
    pub(crate) async fn run(self, place: &CliContext) -> CliResult {
        let mut client = place.look().await?;
        let providers = place.options.providers()?;
        let text = match self.text.as_slice() {
            [dash] if dash == "-" => super::read_stdin()?,
            words => words.join(" "),
        };
        if text.trim().is_empty() {
            let what = "the text is empty: nothing was sent";
            return Err(super::UsageError(what.to_owned()).into());
        }
        let text = providers.redacted(text.trim_end());
        let to = client.send(&self.to, text).await?;
        match client.host() {
            Some(_) => print_line(format!("Sent to {to}")),
            None => print_line(format!(
                "Stored for {to}; the team does not run: `teammate resume`"
            )),
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}
