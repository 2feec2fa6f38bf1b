//! A clone of somebody's repository, made within the walls: it writes in its own directory, connects to that repository's host only,
//! and runs nothing that the repository or the user's settings name.

use std::{path::Path, sync::Arc, time::Duration};

use teammate_core::{
    permission::Rules,
    port::{ProgramBounds, ProgramOrder, ProgramStarter},
};

use teammate_process::{Brief, BriefEnd};

/// How long it may take.
const LIMIT: Duration = Duration::from_secs(300);

/// Settings of git that no other word sets. Settings of the user that would run something, or ask, are switched off.
const SETTINGS: [&str; 9] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "credential.helper=",
    "filter.lfs.smudge=",
    "filter.lfs.process=",
    "filter.lfs.required=false",
    "protocol.allow=never",
    "protocol.https.allow=always",
    "advice.detachedHead=false",
];

/// The protocols that git may speak besides https.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloneBy {
    /// Nothing.
    Https,
    /// `http`, to this machine.
    LocalHttp,
    /// Files of this machine.
    Files,
}

impl CloneBy {
    fn setting(self) -> &'static str {
        match self {
            Self::Https => "protocol.https.allow=always",
            Self::LocalHttp => "protocol.http.allow=always",
            Self::Files => "protocol.file.allow=always",
        }
    }
}

/// Clones the newest commit of a repository into a directory that is not there yet, below the one in which `programs` are started.
///
/// # Errors
///
/// Why it was not, with the last line that git said.
pub async fn clone(
    programs: Arc<dyn ProgramStarter>,
    (url, by): (&str, CloneBy),
    into: &Path,
    network: Rules,
) -> Result<(), String> {
    let settings = SETTINGS.into_iter().chain([by.setting()]);
    let settings = settings.flat_map(|setting| ["-c", setting]);
    let words = [
        "clone",
        "--quiet",
        "--depth=1",
        "--no-tags",
        "--no-recurse-submodules",
        "--template=",
        "--",
        url,
    ];
    let arguments = settings.chain(words).map(str::to_owned);
    let brief = Brief {
        order: ProgramOrder {
            name: "git".to_owned(),
            command: "git".to_owned(),
            arguments: arguments
                .chain([into.to_string_lossy().into_owned()])
                .collect(),
            environment: Vec::new(),
            directory: None,
            network,
            bounds: ProgramBounds::default(),
        },
        programs,
        told: Arc::default(),
        limit: LIMIT,
    };
    match brief.end().await {
        BriefEnd::Exited { code: Some(0), .. } => Ok(()),
        BriefEnd::Exited { stderr, .. } => {
            let last = stderr.trim().lines().last().unwrap_or_default().to_owned();
            Err(last)
        }
        BriefEnd::Failed(why) => Err(why),
    }
}
