//! `--otel` and the table `[otel]` of the configuration: whether traces and metrics are sent, and where.

use std::{convert::Infallible, env, str::FromStr};

use serde::Deserialize;
use teammate::telemetry::{
    Contents, DEFAULT_ENDPOINT, HEADERS_VARIABLE, OtelSettingsError, Settings,
};

/// The standard's variable for the collector.
const ENDPOINT_VARIABLE: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

/// The standard's variable for the name of the service.
const SERVICE_VARIABLE: &str = "OTEL_SERVICE_NAME";

/// Where the flag sends them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OtelFlag {
    /// Where the environment or the configuration says.
    Usual,
    /// There.
    To(String),
}

impl FromStr for OtelFlag {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text.trim() {
            "" => Self::Usual,
            endpoint => Self::To(endpoint.to_owned()),
        })
    }
}

/// The table of the configuration.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct OtelTable {
    enabled: bool,
    endpoint: Option<String>,
    contents: bool,
}

impl OtelTable {
    /// Where they go; nothing if they are not sent. The flag counts more than the environment, and that more than the table.
    ///
    /// # Errors
    ///
    /// They cannot be sent there.
    pub(super) fn settings(
        &self,
        flag: Option<&OtelFlag>,
    ) -> Result<Option<Settings>, OtelSettingsError> {
        if flag.is_none() && !self.enabled {
            return Ok(None);
        }
        let of_flag = match flag {
            Some(OtelFlag::To(endpoint)) => Some(endpoint.clone()),
            Some(OtelFlag::Usual) | None => None,
        };
        let endpoint = of_flag
            .or_else(|| variable(ENDPOINT_VARIABLE))
            .or_else(|| self.endpoint.clone());
        let mut settings = Settings::to(endpoint.as_deref().unwrap_or(DEFAULT_ENDPOINT))?
            .headers(&variable(HEADERS_VARIABLE).unwrap_or_default())?
            .contents(match self.contents {
                true => Contents::Sent,
                false => Contents::Left,
            });
        if let Some(service) = variable(SERVICE_VARIABLE) {
            settings = settings.service(service);
        }
        Ok(Some(settings))
    }
}

/// An empty variable is as good as none, by the standard.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.trim().is_empty())
}
