//! Traces and metrics of a team, sent by [`teammate_otel`] from the events of its host.

pub use teammate_otel::{
    Contents, DEFAULT_ENDPOINT, DEFAULT_SERVICE, FLUSH_MAX, HEADERS_VARIABLE, OtelSettingsError,
    Settings,
};

use teammate_otel::{About, Telemetry};
use teammate_process::environment::is_secret;
use teammate_runtime::Host;

/// The keys among its headers. Without the scheme it is the same secret.
pub(crate) fn secrets(to: &Settings) -> Vec<(String, String)> {
    let keys = to
        .named_headers()
        .filter(|(name, _)| *name == "authorization" || is_secret(name));
    let bare = |value: &str| value.rsplit(' ').next().unwrap_or(value).to_owned();
    keys.map(|(_, value)| (HEADERS_VARIABLE.to_owned(), bare(value)))
        .collect()
}

/// Begins. No event has come before: the host was only opened.
pub(crate) fn begin(to: Settings, host: &Host) -> Telemetry {
    let about = About {
        run: host.run_id(),
        team_id: host.team().id().to_string(),
        contents: Contents::default(),
    };
    let source = host.event_source();
    let feed = host.events();
    Telemetry::begin(to, about, feed, Box::new(move |text| source.note(text)))
}
