//! Logging in at servers by OAuth: once in the user's browser, then by tokens that are kept in files which no other user reads,
//! and renewed when they are old.

mod callback;
mod tokens;

use std::{path::Path, time::Duration};

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
    let mut manager = AuthorizationManager::new(url.as_str()).await?;
    manager.set_credential_store(file);
    let found = manager.resolve_metadata().await?;
    manager.set_metadata(found.metadata);
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
    let mut manager = AuthorizationManager::new(url.as_str()).await.ok()?;
    manager.set_credential_store(file);
    let is_known = manager.initialize_from_store().await.ok()?;
    is_known.then(|| AuthClient::new(client.clone(), manager))
}
