//! Whether the servers can be reached and accept their keys.

use std::time::Duration;
use teammate_view::t;

use teammate::{Endpoint, Key, ModelRef, Probe, Providers, model::Remedy};

use super::{CliContext, Finding};

/// A server must answer within this time.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);

/// A line for each provider.
pub(super) async fn providers(place: &CliContext, is_offline: bool) -> Vec<Finding> {
    let Ok(providers) = place.options.providers() else {
        return Vec::new();
    };
    let model = place.options.model().ok();
    let mut found = Vec::new();
    for (name, endpoint) in providers.endpoints() {
        let used = model.as_ref().filter(|model| model.provider == name);
        let server = ProviderServer {
            providers: &providers,
            name,
            endpoint,
            used,
        };
        found.push(server.check(is_offline).await);
        if !is_offline {
            found.extend(server.try_responses().await);
        }
    }
    found
}

/// A server, and the model of it that is in use.
struct ProviderServer<'a> {
    providers: &'a Providers,
    name: &'a str,
    endpoint: &'a Endpoint,
    used: Option<&'a ModelRef>,
}

impl ProviderServer<'_> {
    async fn check(&self, is_offline: bool) -> Finding {
        let (name, from) = (self.name, &self.endpoint.key_from);
        if self.endpoint.key.is_none() && !from.is_empty() {
            let what = t!("{name}: no key ({from} is not set)", name, from);
            return match self.used {
                Some(_) => Finding::Bad {
                    what,
                    hint: t!("set {from}, or choose another model", from),
                },
                None => Finding::Note(what),
            };
        }
        let url = self.providers.redacted(&self.endpoint.base_url);
        if is_offline {
            let key = match &self.endpoint.key {
                Some(Key::Renewable(_)) => format!("; {from}, which gives the key, was not run"),
                Some(Key::Fixed(_)) => format!("; the key is that of {from}"),
                None => String::new(),
            };
            return Finding::Note(format!("{name}: {url} was not checked (--offline){key}"));
        }
        if let Err(why) = self.providers.obtain_key(name).await {
            return Finding::Bad {
                what: why.what,
                hint: format!(
                    "run the line of {from} in a shell; the first line that it prints must be the key"
                ),
            };
        }
        match self.providers.probe(name, ANSWERS_WITHIN).await {
            Ok(Probe::Accepted) => Finding::Good(format!("{name}: {url} answers, {}", self.key())),
            Ok(Probe::Unknown) => self.ask_model(&url).await,
            Ok(Probe::Refused { status, why }) => self.refused(status, &why.what),
            Err(why) => Finding::Bad {
                hint: match why.remedy {
                    Remedy::Never => t("correct the provider's settings"),
                    Remedy::Retry { .. } | Remedy::SlowDown { .. } | Remedy::Shorten => {
                        t("check the base URL, the network and the proxy settings")
                    }
                }
                .to_owned(),
                what: why.what,
            },
        }
    }

    /// Which of OpenAI's two forms is spoken with the model that is in use, where only a trial shows it.
    async fn try_responses(&self) -> Option<Finding> {
        let model = self
            .used
            .filter(|model| self.providers.may_speak_responses(model))?;
        let name = self.name;
        Some(match self.providers.try_responses(model).await {
            Ok(()) => Finding::Good(format!(
                "{name}: speaks the Responses API, which keeps reasoning between calls; it is used from now on (wire = \"chat\" \
                 keeps chat completions)"
            )),
            Err(why) if why.remedy == Remedy::Never => Finding::Note(format!(
                "{name}: does not speak the Responses API; chat completions are used"
            )),
            Err(why) => Finding::Note(format!(
                "{name}: whether it speaks the Responses API is unknown ({}); run doctor again later",
                why.what
            )),
        })
    }

    /// The list of models did not show whether the key is valid; a request for one token does.
    async fn ask_model(&self, url: &str) -> Finding {
        let Some(model) = self.used else {
            return Finding::Note(format!(
                "{}: {url} answers; only a request to a model can show whether it accepts the key",
                self.name
            ));
        };
        match self.providers.try_model(model).await {
            Ok(()) => Finding::Good(format!("{}: {url} answers, {}", self.name, self.key())),
            Err(why) => Finding::Bad {
                what: why.what,
                hint: format!("'{model}' was asked for one token; try another with --model"),
            },
        }
    }

    fn key(&self) -> String {
        match (&self.endpoint.key, self.endpoint.key_from.as_str()) {
            (Some(_), from) => format!("accepts the key from {from}"),
            (None, _) => t("no key needed").to_owned(),
        }
    }

    fn refused(&self, status: u16, why: &str) -> Finding {
        let what = why.to_owned();
        let from = match self.endpoint.key_from.as_str() {
            "" => "a key for this server",
            from => from,
        };
        let hint = match status {
            401 if matches!(self.endpoint.key, Some(Key::Renewable(_))) => {
                format!(
                    "{from} gave a key, but it is not valid: sign in there again, or store another key"
                )
            }
            401 => format!("the key is not valid: set {from} to a valid one"),
            403 => {
                format!(
                    "the key is valid, but may not do this: check its permissions, or set {from} to another key"
                )
            }
            429 => {
                let text = "the key is accepted, but the server's rate limit or the account's budget is reached: wait, or check the account";
                return Finding::Note(format!("{what}\n     {text}"));
            }
            500.. => t("the server has a problem: try again later").to_owned(),
            _ => "check the base URL and the headers in the configuration".to_owned(),
        };
        Finding::Bad { what, hint }
    }
}
