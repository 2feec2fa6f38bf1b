//! Whose models are used: a vendor's, those of a server on this machine, or those of another address.

use std::time::Duration;
use teammate_view::t;

use anyhow::bail;
use teammate::{Endpoint, ListedModel, Providers, ProxySetting, WireFormat};

use super::ask;
use crate::commands::print_line;

/// A server on this machine must answer within this time.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// A place where models are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Server {
    /// The name before `:` in a model.
    pub(super) name: String,
    /// Its address, unless the program knows it.
    pub(super) base_url: Option<String>,
    pub(super) key: KeyCustom,
    /// The model that is usual there.
    pub(super) usual: Option<&'static str>,
}

/// Whether a server wants a key, as far as is known before it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyCustom {
    /// It does, and this variable holds it by custom.
    Variable(&'static str),
    /// It is on this machine, and answers everybody.
    None,
    Unknown,
}

struct Vendor {
    name: &'static str,
    title: &'static str,
    base_url: Option<&'static str>,
    key_env: &'static str,
    usual: Option<&'static str>,
}

const VENDORS: [Vendor; 3] = [
    Vendor {
        name: "anthropic",
        title: "Anthropic",
        base_url: None,
        key_env: "ANTHROPIC_API_KEY",
        usual: Some("claude-sonnet-5-5"),
    },
    Vendor {
        name: "openai",
        title: "OpenAI",
        base_url: None,
        key_env: "OPENAI_API_KEY",
        usual: Some("gpt-6.2-sol"),
    },
    Vendor {
        name: "openrouter",
        title: "OpenRouter, which has the models of many vendors",
        base_url: Some("https://openrouter.ai/api/v1"),
        key_env: "OPENROUTER_API_KEY",
        usual: None,
    },
];

/// A program that serves models, with the port that it has unless somebody chose another.
struct Local {
    name: &'static str,
    title: &'static str,
    port: u16,
}

const LOCALS: [Local; 4] = [
    Local {
        name: "ollama",
        title: "Ollama",
        port: 11434,
    },
    Local {
        name: "lmstudio",
        title: "LM Studio",
        port: 1234,
    },
    Local {
        name: "llamacpp",
        title: "llama.cpp",
        port: 8080,
    },
    Local {
        name: "vllm",
        title: "vLLM",
        port: 8000,
    },
];

impl Server {
    /// The words that name one, for people.
    pub(super) const WORDS: &str =
        "anthropic, openai, openrouter, ollama, lmstudio, llamacpp, vllm, or a base URL";

    /// The server that a word names.
    ///
    /// Errors: which words there are.
    pub(super) fn named(word: &str) -> anyhow::Result<Self> {
        if word.contains("://") {
            return Ok(Self::at(word));
        }
        let vendor = VENDORS.iter().find(|vendor| vendor.name == word);
        let local = LOCALS.iter().find(|local| local.name == word);
        match (vendor, local) {
            (Some(vendor), _) => Ok(vendor.server()),
            (None, Some(local)) => Ok(local.server()),
            (None, None) => bail!("there is no vendor '{word}'; there are: {}", Self::WORDS),
        }
    }

    /// A server of OpenAI's format at this address.
    fn at(base_url: &str) -> Self {
        let host = Endpoint::at("", base_url).host();
        Self {
            name: name_of(&host),
            base_url: Some(base_url.trim().to_owned()),
            key: KeyCustom::Unknown,
            usual: None,
        }
    }

    /// Asks which; those on this machine are looked for after a yes.
    pub(super) async fn ask() -> anyhow::Result<Self> {
        print_line(t("Whose models does the team use?"));
        let mut rows: Vec<String> = VENDORS
            .iter()
            .map(|vendor| t(vendor.title).to_owned())
            .collect();
        rows.push(t("a server on this machine (Ollama, LM Studio, llama.cpp, vLLM)").to_owned());
        rows.push(t("another server that speaks OpenAI's chat completions").to_owned());
        let chosen = ask::one_of(t("Which?"), &rows, 0)?;
        if let Some(vendor) = VENDORS.get(chosen) {
            return Ok(vendor.server());
        }
        if chosen == VENDORS.len()
            && let Some(found) = look_around().await?
        {
            return Ok(found);
        }
        loop {
            let url = ask::text(t("Its base URL, such as http://localhost:8080/v1: "))?;
            if !Endpoint::at("", &url).host().is_empty() {
                return Ok(Self::at(&url));
            }
            print_line(t("That is no URL of a server"));
        }
    }
}

impl Vendor {
    fn server(&self) -> Server {
        Server {
            name: self.name.to_owned(),
            base_url: self.base_url.map(str::to_owned),
            key: KeyCustom::Variable(self.key_env),
            usual: self.usual,
        }
    }
}

impl Local {
    fn server(&self) -> Server {
        Server {
            name: self.name.to_owned(),
            key: KeyCustom::None,
            ..Server::at(&format!("http://127.0.0.1:{}/v1", self.port))
        }
    }
}

/// Looks for servers at their usual ports, after a yes.
async fn look_around() -> anyhow::Result<Option<Server>> {
    let ports: Vec<String> = LOCALS.iter().map(|local| local.port.to_string()).collect();
    let question = t!(
        "Ask the ports {ports} of 127.0.0.1 which models are there?",
        ports = ports.join(", ")
    );
    if !ask::yes(&question)? {
        return Ok(None);
    }
    let mut found = Vec::new();
    for local in &LOCALS {
        let server = local.server();
        if let Some(models) = models_of(&server).await {
            let names: Vec<&str> = models.iter().take(3).map(|model| &*model.id).collect();
            let row = t!(
                "{name} at port {port}: {models}",
                name = local.title,
                port = local.port,
                models = names.join(", ")
            );
            found.push((server, row));
        }
    }
    if found.is_empty() {
        print_line(t(
            "None of them answers with models. Start one, or say where it is",
        ));
        return Ok(None);
    }
    let rows: Vec<String> = found.iter().map(|(_, row)| row.clone()).collect();
    let chosen = match rows.len() {
        1 => {
            print_line(t!("Found {server}", server = rows.concat()));
            0
        }
        _ => ask::one_of(t("Which?"), &rows, 0)?,
    };
    Ok(found.into_iter().nth(chosen).map(|(server, _)| server))
}

/// The models that a server without a key lists; nothing if none answers there.
async fn models_of(server: &Server) -> Option<Vec<ListedModel>> {
    let mut endpoint = Endpoint::at(&server.name, server.base_url.as_deref()?);
    // What is on this machine is behind no proxy.
    endpoint.transport.proxy = ProxySetting::Direct;
    let providers = Providers::new().with(&server.name, WireFormat::OpenAi, endpoint);
    let listed = providers.list_models(&server.name, ANSWERS_WITHIN).await;
    listed.ok().filter(|models| !models.is_empty())
}

/// A name for the server of a host: `api.example.com` is `example`, what is on this machine `local`.
fn name_of(host: &str) -> String {
    let is_number = |part: &&str| part.chars().all(|c| c.is_ascii_digit());
    let parts: Vec<&str> = host.split('.').collect();
    if host == "localhost" || host.starts_with("127.") || host.starts_with('[') {
        return "local".to_owned();
    }
    if parts.iter().all(is_number) {
        return "server".to_owned();
    }
    let name = match parts.as_slice() {
        [.., name, _] => name,
        [name] => name,
        [] => "server",
    };
    name.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_or_an_address_names_a_server() {
        let named = |word: &str| Server::named(word).unwrap();
        assert_eq!(
            named("anthropic").key,
            KeyCustom::Variable("ANTHROPIC_API_KEY")
        );
        assert_eq!(named("anthropic").base_url, None);
        let ollama = named("ollama");
        assert_eq!(
            ollama.base_url.as_deref(),
            Some("http://127.0.0.1:11434/v1")
        );
        assert_eq!(
            (ollama.name.as_str(), ollama.key),
            ("ollama", KeyCustom::None)
        );
        for (url, name) in [
            ("http://localhost:1/v1", "local"),
            ("http://127.0.0.1:1", "local"),
            ("http://[::1]:1", "local"),
            ("http://10.0.0.7:8000", "server"),
            ("https://llm.example.com/v1", "example"),
            ("http://desk:8080", "desk"),
        ] {
            assert_eq!(named(url).name, name, "{url}");
        }
        let why = Server::named("antropic").unwrap_err().to_string();
        assert!(why.contains("there are: anthropic, openai,"), "{why}");
    }
}
