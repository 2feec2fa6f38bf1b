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
    AuthClient, AuthError, AuthorizationManager, AuthorizationMetadata, AuthorizationRequest,
    AuthorizationSession, OAuthClientConfig,
};
use tokio::{net::TcpListener, time::timeout};

use self::{callback::callback, tokens::TokenFile};
use crate::mcp::client::{
    listing::short,
    settings::{LoginSettings, ServerSettings, TransportSettings},
};

/// How long the user has in the browser.
const BROWSER: Duration = Duration::from_secs(10 * 60);

/// How long the server has to say that it does not know the user.
const CHALLENGE: Duration = Duration::from_secs(10);

/// Where the browser comes back to, on any port.
const CALLBACK: &str = "http://127.0.0.1/callback";

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
    /// The program is not registered with who lets people in, and cannot be by itself.
    #[error(
        "{by} lets people in there, and registers no programs by itself ({why}). Register one with it, with the address \
         {CALLBACK} to come back to, and write its id into the entry of the server: client_id, and client_secret = \"${{NAME}}\" if \
         it has one; callback_port where its address must have a port"
    )]
    NotRegistered {
        /// Who lets people in: a host, or all of its address.
        by: String,
        why: String,
    },
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
    let login = &settings.login;
    let listener = TcpListener::bind(("127.0.0.1", login.callback_port.unwrap_or(0))).await?;
    let here = format!("http://127.0.0.1:{}", listener.local_addr()?.port());
    let (manager, registrar) = manager(client, url, file).await?;
    let mut request =
        AuthorizationRequest::new(format!("{here}/callback")).with_client_name("teammate");
    if let Some(id) = &login.client_id {
        request = request.with_preregistered_client(id);
    } else if !registrar.registers {
        return Err(registrar.refuses("it names no place where it does"));
    }
    if let Some(secret) = &login.client_secret {
        request = request.with_client_secret(secret);
    }
    let session = AuthorizationSession::new(manager, request).await;
    let session = session.map_err(|(_, error)| match error {
        AuthError::RegistrationFailed(why) => registrar.refuses(&why),
        error => error.into(),
    })?;
    opens(session.get_authorization_url());
    let came = timeout(BROWSER, callback(&listener)).await;
    let path = came.map_err(|_| LoginError::Abandoned)??;
    session
        .handle_callback_url(&format!("{here}{path}"))
        .await?;
    Ok(())
}

/// Who lets people in at a server.
struct Registrar {
    name: String,
    /// Whether it says where programs register themselves.
    registers: bool,
}

impl Registrar {
    fn of(metadata: &AuthorizationMetadata) -> Self {
        let issuer = metadata.issuer.as_ref();
        let name = issuer.unwrap_or(&metadata.authorization_endpoint);
        Self {
            name: short(name),
            registers: metadata.registration_endpoint.is_some(),
        }
    }

    fn refuses(&self, why: &str) -> LoginError {
        LoginError::NotRegistered {
            by: self.name.clone(),
            why: short(why),
        }
    }
}

/// Knows who lets people in at this server.
async fn manager(
    client: &reqwest::Client,
    url: &str,
    file: TokenFile,
) -> Result<(AuthorizationManager, Registrar), AuthError> {
    let mut manager = AuthorizationManager::new(url).await?;
    manager.set_credential_store(file);
    let challenge = challenge(client, url).await;
    let found = manager.resolve_metadata_from_challenge(challenge.as_deref());
    let metadata = found.await?.metadata;
    let registrar = Registrar::of(&metadata);
    manager.set_metadata(metadata);
    Ok((manager, registrar))
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
    let (mut manager, _) = manager(client, url, file).await.ok()?;
    if !manager.initialize_from_store().await.ok()? {
        return None;
    }
    let LoginSettings {
        client_id,
        client_secret,
        ..
    } = &settings.login;
    // What is stored knows no secret, without which some renew no token.
    if let (Some(id), Some(secret)) = (client_id, client_secret) {
        let config = OAuthClientConfig::new(id, CALLBACK).with_client_secret(secret);
        manager.configure_client(config).ok()?;
    }
    Some(AuthClient::new(client.clone(), manager))
}
