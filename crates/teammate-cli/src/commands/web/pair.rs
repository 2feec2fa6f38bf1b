//! `teammate web pair`: a key for another device, as a picture for its camera.

use std::{process::ExitCode, time::Duration};

use clap::Args;
use teammate::{DeviceName, platform::now};
use teammate_web::{KeyScope, PageHost, qr_code};

use super::pages;
use crate::commands::{CliResult, print_line};

/// So long is such a key good.
const GOOD_FOR: Duration = Duration::from_secs(12 * 60 * 60);

/// Make a key for another device, good for 12 hours, and show it as a QR code
///
/// The address is that of your TLS proxy with --name, otherwise the loopback address, which another device reaches by
/// `ssh -L`.
#[derive(Args)]
pub(super) struct Pair {
    /// What the key is good for: see, answer (for once), or steer (all that the prompt can do)
    #[arg(long, default_value = "answer")]
    scope: KeyScope,

    /// The host under which your own TLS proxy serves the page
    #[arg(long, value_name = "HOST")]
    name: Option<PageHost>,

    /// The name of the device, with which its answers are recorded and shown
    #[arg(long, value_name = "NAME", default_value = "phone", value_parser = DeviceName::parse)]
    device: DeviceName,

    /// The page on this port; without it the only one
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

impl Pair {
    pub(super) fn run(self) -> CliResult {
        let keys = pages::find(self.port)?;
        let own = keys.address()?;
        let right = (self.scope, Some(self.device));
        let key = keys.make(right, now(), Some(now().after(GOOD_FOR)))?;
        let page = self.name.map_or(own, |name| format!("https://{name}"));
        let address = format!("{page}/#key={}", key.reveal());
        if let Some(code) = qr_code(&address) {
            print_line(code);
        }
        print_line(&address);
        print_line(format!(
            "Good for `{}` and 12 hours; `teammate web keys revoke` ends it. Who sees this can use it",
            self.scope
        ));
        Ok(ExitCode::SUCCESS)
    }
}
