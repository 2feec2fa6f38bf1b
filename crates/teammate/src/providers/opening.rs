//! Opens a model by its name: a play, a model of the program's own code, or one at a server, over the wire that is right there and
//! under the policy of the machine.

use std::{path::Path, sync::Arc};

use teammate_core::{
    lock::Hold,
    model::{ModelFailure, ModelRef, Remedy, Wire},
    port::{Model, ModelSource},
};
use teammate_models::{Anthropic, Endpoint, OpenAi, Responses, Scripted};

use super::{Provider, Providers};
use crate::policy::{MachinePolicy, PolicyError};

/// Servers that answer nobody without a key.
const VENDORS: [&str; 2] = ["api.anthropic.com", "api.openai.com"];

impl ModelSource for Providers {
    fn open(&self, model: &ModelRef) -> Result<Arc<dyn Model>, ModelFailure> {
        let mut opened = self.opened.hold();
        if let Some(known) = opened.get(model) {
            return Ok(known.clone());
        }
        let made = self.open_model(model)?;
        opened.insert(model.clone(), made.clone());
        Ok(made)
    }

    /// A play is a file, and only the user chooses which files are opened as plays.
    fn reserved(&self, model: &ModelRef) -> Option<String> {
        (model.provider == "scripted")
            .then(|| format!("'{model}' is a play, and only the user can choose a play"))
    }
}

impl Providers {
    fn open_model(&self, model: &ModelRef) -> Result<Arc<dyn Model>, ModelFailure> {
        self.open_spoken(model, None)
    }

    /// Opens a model over this wire, or over the one that is known to be right.
    pub(super) fn open_spoken(
        &self,
        model: &ModelRef,
        wire: Option<Wire>,
    ) -> Result<Arc<dyn Model>, ModelFailure> {
        if model.provider == "scripted" {
            // A play, which is no model.
            return Ok(Arc::new(Scripted::load(Path::new(&model.name))?));
        }
        let secrets = self.held_secrets();
        let checked = secrets.require_none_in("model", &model.to_string());
        checked.map_err(|why| ModelFailure {
            what: why.to_string(),
            remedy: Remedy::Never,
        })?;
        let policy = MachinePolicy::of_machine().map_err(|why| refused(&why))?;
        if let Some(policy) = &policy {
            policy.check_model(model).map_err(|why| refused(&why))?;
        }
        let server = match self.named.get(&model.provider) {
            Some(Provider::Server(server)) => server,
            Some(Provider::Code(models)) => return models.open(model),
            None => return Err(self.unknown(&model.provider)),
        };
        let endpoint = &server.endpoint;
        if let Some(policy) = &policy {
            policy
                .check_endpoint(endpoint)
                .map_err(|why| refused(&why))?;
        }
        require_key(endpoint)?;
        let http = self.http.clone().with_timeouts(server.timeouts);
        let (name, settings) = (&model.name, self.settings(model));
        let wire = wire.unwrap_or_else(|| self.spoken(server, model));
        let lessons = self
            .lessons
            .of(&endpoint.base_url, (wire, name.as_str()), &settings);
        let lessons = Arc::new(lessons);
        Ok(match wire {
            Wire::Anthropic | Wire::Plain => {
                let model = Anthropic::new(endpoint, name, http)?;
                Arc::new(model.with_settings(settings).with_lessons(lessons))
            }
            Wire::OpenAi => {
                let model = OpenAi::new(endpoint, name, http)?;
                Arc::new(model.with_settings(settings).with_lessons(lessons))
            }
            Wire::Responses => {
                let model = Responses::new(endpoint, name, http)?;
                Arc::new(model.with_settings(settings).with_lessons(lessons))
            }
        })
    }

    pub(super) fn unknown(&self, provider: &str) -> ModelFailure {
        let known = self.named.keys().map(String::as_str);
        let known: Vec<&str> = known.chain(["scripted"]).collect();
        let what = format!(
            "there is no provider '{provider}'; known: {}. Name it in the configuration file",
            known.join(", ")
        );
        ModelFailure {
            what,
            remedy: Remedy::Never,
        }
    }
}

/// A vendor's own server refuses requests without a key, so none is sent. Any other server may need none.
///
/// Errors: which variable or setting is missing.
fn require_key(endpoint: &Endpoint) -> Result<(), ModelFailure> {
    let carries_one = |(name, _): &(String, String)| {
        ["authorization", "x-api-key", "api-key"].contains(&name.to_ascii_lowercase().as_str())
    };
    let is_vendors = VENDORS.contains(&endpoint.host().as_str());
    if endpoint.key.is_some() || !is_vendors || endpoint.headers.iter().any(carries_one) {
        return Ok(());
    }
    let Endpoint { name, key_from, .. } = endpoint;
    let what = match key_from.as_str() {
        "" => {
            format!("{name} has no key: name one in the configuration, [providers.{name}] key_env")
        }
        from => format!(
            "{name} has no key: set {from}, or name one in the configuration, [providers.{name}] key_env or key_command"
        ),
    };
    Err(ModelFailure {
        what,
        remedy: Remedy::Never,
    })
}

/// A model that the machine's policy keeps from being used.
pub(super) fn refused(why: &PolicyError) -> ModelFailure {
    ModelFailure {
        what: why.to_string(),
        remedy: Remedy::Never,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::WireFormat;

    #[test]
    fn a_vendors_model_without_a_key_is_refused_before_anything_is_sent() {
        let opened = |endpoint: Endpoint| {
            let providers = Providers::new().with("mine", WireFormat::OpenAi, endpoint);
            let opened = providers.open(&"mine:m".parse().unwrap());
            opened.err().map(|why| why.what)
        };
        let why = opened(Endpoint::openai(None)).unwrap();
        assert!(
            why.contains("openai has no key: set OPENAI_API_KEY"),
            "{why}"
        );
        let why = opened(Endpoint::anthropic(None)).unwrap();
        assert!(why.contains("set ANTHROPIC_API_KEY"), "{why}");
        assert_eq!(opened(Endpoint::openai(Some("sk".into()))), None);
        // Servers that need none, and a key that is given in a header.
        let local = Endpoint {
            base_url: "http://localhost:8080/v1".to_owned(),
            ..Endpoint::openai(None)
        };
        assert_eq!(opened(local), None);
        assert_eq!(opened(Endpoint::at("mine", "https://models.example")), None);
        let header = Endpoint {
            headers: vec![("Authorization".to_owned(), "Bearer sk".to_owned())],
            ..Endpoint::openai(None)
        };
        assert_eq!(opened(header), None);
    }
}
