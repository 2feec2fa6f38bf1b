//! `web_fetch`: shows a page of the web.
//!
//! To look at a page is to look, so a member whose plan gate is closed may, and no mode asks about the call itself. What is
//! decided is each host that is connected to, also those that a server leads on to, by the rules that connections of commands
//! have; so a page is a question like theirs.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    event::RefusedBy,
    port::{Action, ConnectArgs, Connecting, Reach, Target, ToolContext, Unlisted},
    tool::{EffectClass, Outcome},
};
use teammate_process::TeamSandbox;
use teammate_sandbox::NetworkRule;

use super::{
    client::{WebAnswer, WebClient, WebRequest},
    page, reach,
    web_url::{UrlError, WebUrl},
};
use crate::{
    display::one_line,
    typed_tool::{Reply, TypedTool},
};

/// How often a server may lead on to another page.
const REDIRECTIONS_MAX: usize = 10;

/// The wanted forms of a page: its Markdown, where a server has it, is a tenth of it.
const ACCEPT: &str =
    "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, */*;q=0.5";

/// The refusal where nothing may connect.
pub(super) const NOWHERE: &str = "the user lets nothing connect: [sandbox] network = \"none\"";

pub(crate) struct WebFetch {
    sandbox: TeamSandbox,
    client: WebClient,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    url: String,
}

impl WebFetch {
    /// Connects where commands of this sandbox may.
    pub(crate) fn new(sandbox: TeamSandbox) -> Self {
        Self {
            sandbox,
            client: WebClient::new(),
        }
    }

    /// Follows redirections to the page.
    async fn fetch(
        &self,
        mut url: WebUrl,
        context: &ToolContext,
    ) -> Result<(WebAnswer, WebUrl), Outcome> {
        let request = WebRequest::get(ACCEPT);
        for _ in 0..=REDIRECTIONS_MAX {
            let reach = self.decided(&url, context).await?;
            let answer = self.client.send(&request, &url, reach).await;
            let answer =
                answer.map_err(|why| Outcome::error(format!("{url} was not fetched: {why}.")))?;
            let Some(location) = answer.redirection() else {
                return Ok((answer, url));
            };
            url = url.join(location).map_err(|why| {
                Outcome::error(format!(
                    "{url} was not fetched: its server leads elsewhere, and {why}."
                ))
            })?;
        }
        Err(Outcome::error(format!(
            "Not fetched: the server leads on more than {REDIRECTIONS_MAX} times, at last to {url}."
        )))
    }

    /// Which addresses the server of a page may have, if it may be connected to.
    async fn decided(&self, url: &WebUrl, context: &ToolContext) -> Result<Reach, Outcome> {
        let refused = |by: RefusedBy, why: &str| {
            Outcome::refused(by, format!("{url} was not fetched: {why}."))
        };
        let unlisted = match self.sandbox.sandbox().rules().network {
            NetworkRule::Ask => Unlisted::Ask,
            NetworkRule::Listed => Unlisted::Refuse,
            NetworkRule::Machine => Unlisted::Connect("[sandbox] network = \"all\""),
            NetworkRule::Nowhere => return Err(refused(RefusedBy::Rule, NOWHERE)),
        };
        let ask = ConnectArgs {
            to: url.to().clone(),
            by: Connecting::Fetch(url.to_string()),
            unlisted,
        };
        reach(ask, context, refused).await
    }
}

fn not_fetched(why: &UrlError) -> Outcome {
    Outcome::error(format!("Not fetched: {why}."))
}

impl TypedTool for WebFetch {
    type Input = Input;
    const NAME: &'static str = "web_fetch";
    const DESCRIPTION: &'static str = "Read a page of the web: text, picture or PDF.";
    const CLASS: EffectClass = EffectClass::Reads;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let url = WebUrl::parse(&input.url).map_err(|why| not_fetched(&why))?;
        Ok(Action {
            target: Target::Host(url.to().clone()),
            shows: format!("fetch {url}"),
            summary: one_line(url.as_str(), 100),
        })
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let url = WebUrl::parse(&input.url).map_err(|why| not_fetched(&why))?;
        let (answer, url) = self.fetch(url, context).await?;
        page::outcome(answer, &url, context).await
    }
}
