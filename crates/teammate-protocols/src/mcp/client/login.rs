//! Logging in at servers by OAuth: once in the user's browser, then by tokens that are kept in files which no other user reads,
//! and renewed when they are old.

mod callback;
mod tokens;

use std::{path::Path, time::Duration};

use reqwest::{
    StatusCode,
    header::{ACCEPT, CONTENT_TYPE, WWW_AUTHENTICATE},
};
use rmcp::transport::auth::{
    AuthClient, AuthError, AuthorizationManager, AuthorizationRequest, AuthorizationSession,
};
use tokio::{net::TcpListener, time::timeout};

use self::{callback::callback, tokens::TokenFile};
use crate::mcp::client::{
    listing::short,
    settings::{ServerSettings, TransportSettings},
};

/// How long the user has in the browser.
const BROWSER: Duration = Duration::from_secs(10 * 60);

/// How long the server has to say that it does not know the user.
const CHALLENGE: Duration = Duration::from_secs(10);

/// Why nobody was logged in.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    #[error("it is a program, which takes keys from its environment (`env` of its entry)")]
    Program,
    /// There is no state directory.
    #[error("there is no directory to keep tokens in (HOME is not set)")]
    NoDirectory,
    /// This machine refused something.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The server, or who lets people in there, refused it.
    #[error("it refused: {0}")]
    Refused(String),
    /// The user did not come back from the browser.
    #[error("nobody came back from the browser within {} minutes", BROWSER.as_secs() / 60)]
    Abandoned,
}

impl From<AuthError> for LoginError {
    fn from(error: AuthError) -> Self {
        Self::Refused(short(&error.to_string()))
    }
}

/// Logs in at this server. `opens` gets the address that the user opens in a browser of this machine.
pub(crate) async fn log_in(
    client: &reqwest::Client,
    settings: &ServerSettings,
    tokens: Option<&Path>,
    opens: impl FnOnce(&str),
) -> Result<(), LoginError> {
    let TransportSettings::Http { url, .. } = &settings.transport else {
        return Err(LoginError::Program);
    };
    let file = TokenFile::of(tokens.ok_or(LoginError::NoDirectory)?, settings);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let here = format!("http://127.0.0.1:{}", listener.local_addr()?.port());
    let manager = manager(client, url, file).await?;
    let request =
        AuthorizationRequest::new(format!("{here}/callback")).with_client_name("teammate");
    let session = AuthorizationSession::new(manager, request).await;
    let session = session.map_err(|(_, error)| error)?;
    opens(session.get_authorization_url());
    let came = timeout(BROWSER, callback(&listener)).await;
    let path = came.map_err(|_| LoginError::Abandoned)??;
    session
        .handle_callback_url(&format!("{here}{path}"))
        .await?;
    Ok(())
}

/// Knows who lets people in at this server.
async fn manager(
    client: &reqwest::Client,
    url: &str,
    file: TokenFile,
) -> Result<AuthorizationManager, AuthError> {
    let mut manager = AuthorizationManager::new(url).await?;
    manager.set_credential_store(file);
    let challenge = challenge(client, url).await;
    let found = manager.resolve_metadata_from_challenge(challenge.as_deref());
    manager.set_metadata(found.await?.metadata);
    Ok(manager)
}

/// What the server answers somebody whom it does not know: some say only there how one logs in, and for what. It is a message that is
/// refused, for many give a page to anybody who asks for one.
async fn challenge(client: &reqwest::Client, url: &str) -> Option<String> {
    let asked = client
        .post(url)
        .header(ACCEPT, "application/json, text/event-stream")
        .header(CONTENT_TYPE, "application/json")
        .timeout(CHALLENGE)
        .body(r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#);
    let answer = asked.send().await.ok()?;
    if answer.status() != StatusCode::UNAUTHORIZED {
        return None;
    }
    let mut said = answer.headers().get_all(WWW_AUTHENTICATE).iter();
    said.find_map(|said| Some(said.to_str().ok()?.to_owned()).filter(|said| is_of_oauth(said)))
}

fn is_of_oauth(challenge: &str) -> bool {
    let scheme = challenge.split_whitespace().next();
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("bearer"))
}

/// Forgets the tokens of this server; false if there are none.
pub(crate) fn log_out(settings: &ServerSettings, tokens: Option<&Path>) -> std::io::Result<bool> {
    let Some(dir) = tokens else { return Ok(false) };
    TokenFile::of(dir, settings).forget()
}

/// The client with the tokens of this server, where there are some that can be used.
pub(crate) async fn authorized(
    client: &reqwest::Client,
    settings: &ServerSettings,
    tokens: Option<&Path>,
) -> Option<AuthClient<reqwest::Client>> {
    let TransportSettings::Http { url, headers } = &settings.transport else {
        return None;
    };
    let has_own = |(name, _): &(String, String)| name.eq_ignore_ascii_case("authorization");
    let file = TokenFile::of(tokens?, settings);
    if headers.iter().any(has_own) || !file.is_there() {
        return None;
    }
    let mut manager = manager(client, url, file).await.ok()?;
    let is_known = manager.initialize_from_store().await.ok()?;
    is_known.then(|| AuthClient::new(client.clone(), manager))
}
