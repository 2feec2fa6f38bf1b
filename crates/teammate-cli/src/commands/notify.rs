//! `[notify] command`: a line of the user's own that is run when something needs them. It reads one JSON object and knows nothing
//! of what is asked about. One runs at a time, outside of the workspace, and none outlives the prompt.

use std::{
    path::{Path, PathBuf},
    process::ExitStatus,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use teammate::{TeamState, platform::now, sandbox::UserCommand};
use teammate_view::{Need, NeedAlert, NeedNews};
use tokio::{
    sync::{Mutex, Semaphore, watch},
    task::JoinSet,
};

use super::outside::outside_of;
use crate::{screen::clean_line, settings::Options};

/// How long it may take.
const TIME: Duration = Duration::from_secs(10);

/// So many alerts run or wait; of more the user hears on the screen only.
const ALERTS_MAX: usize = 16;

/// The most characters of its complaints that are shown.
const COMPLAINT_CHARS_MAX: usize = 80;

/// The user's command.
pub(super) struct OwnAlert {
    command: UserCommand,
    dir: PathBuf,
    places: Semaphore,
    turn: Mutex<()>,
    has_complained: AtomicBool,
}

impl OwnAlert {
    /// The configured commands, if there are any. `workspace` is where it does not run.
    ///
    /// # Errors
    ///
    /// The configuration cannot be used.
    pub(super) fn configured(
        options: &Options,
        workspace: &Path,
    ) -> anyhow::Result<Option<Arc<Self>>> {
        let line = options.notify_command()?;
        Ok(line.map(|line| Arc::new(Self::of(line, outside_of(workspace)))))
    }

    fn of(line: String, dir: PathBuf) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "a line of the user's own configuration, which nothing in a workspace sets"
        )]
        let command = UserCommand::configured(line);
        Self {
            command,
            dir,
            places: Semaphore::new(ALERTS_MAX),
            turn: Mutex::new(()),
            has_complained: AtomicBool::new(false),
        }
    }

    /// Runs it for one need, after those that came before. Dropping the future ends it. Gives the first failure, for the user.
    pub(super) async fn alert(self: Arc<Self>, alert: NeedAlert) -> Option<String> {
        let _place = self.places.try_acquire().ok()?;
        let _turn = self.turn.lock().await;
        let why = self.run(&alert).await.err()?;
        let is_first = !self.has_complained.swap(true, Ordering::Relaxed);
        is_first.then(|| format!("[notify] command {why}"))
    }

    async fn run(&self, alert: &NeedAlert) -> Result<(), String> {
        let mut json = serde_json::to_vec(alert).map_err(|error| error.to_string())?;
        json.push(b'\n');
        match self.command.output_for(&json, &self.dir, TIME).await {
            Ok(Some(output)) if output.status.success() => Ok(()),
            Ok(Some(output)) => Err(failed(output.status, &output.stderr)),
            Ok(None) => Err(format!(
                "did not end within {} s and was ended",
                TIME.as_secs()
            )),
            Err(error) => Err(format!("could not be started: {error}")),
        }
    }
}

fn failed(status: ExitStatus, stderr: &[u8]) -> String {
    let complaint = String::from_utf8_lossy(stderr);
    let last = complaint.lines().rev().find(|line| !line.trim().is_empty());
    let last: String = clean_line(last.unwrap_or_default().trim())
        .chars()
        .take(COMPLAINT_CHARS_MAX)
        .collect();
    match last.as_str() {
        "" => format!("failed ({status})"),
        last => format!("failed ({status}): {last}"),
    }
}

/// Alerts the user to what needs them from now on, until this is dropped; failures are said.
pub(super) async fn follow(
    mut changes: watch::Receiver<Arc<TeamState>>,
    team: String,
    command: Arc<OwnAlert>,
    say: impl Fn(&str),
) {
    let needs = |state: &TeamState| Need::of(state, now());
    let mut news = NeedNews::after(needs(&changes.borrow_and_update()));
    let mut alerts = JoinSet::new();
    loop {
        tokio::select! {
            changed = changes.changed() => {
                if changed.is_err() {
                    return;
                }
                for need in news.look(needs(&changes.borrow_and_update())) {
                    alerts.spawn(command.clone().alert(need.alert(&team)));
                }
            }
            Some(alerted) = alerts.join_next(), if !alerts.is_empty() => {
                if let Ok(Some(how)) = alerted {
                    say(&how);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn alert(id: &str) -> NeedAlert {
        NeedAlert {
            team: "shop".into(),
            member: Some("alice".into()),
            kind: "permission",
            id: id.into(),
            text: "alice asks for permission".into(),
        }
    }

    #[tokio::test]
    async fn it_reads_one_object_at_a_time_and_complains_once() {
        let dir = tempfile::tempdir().unwrap();
        let line = "mkdir busy || exit 9; cat >> told; rmdir busy; echo 'no phone' >&2; exit 3";
        let command = Arc::new(OwnAlert::of(line.into(), dir.path().into()));
        let mut alerts = JoinSet::new();
        for number in 0..5 {
            alerts.spawn(command.clone().alert(alert(&format!("req_{number}"))));
        }
        let said: Vec<String> = alerts.join_all().await.into_iter().flatten().collect();
        assert_eq!(said, ["[notify] command failed (exit status: 3): no phone"]);
        let told = fs::read_to_string(dir.path().join("told")).unwrap();
        assert_eq!(told.lines().count(), 5, "{told}");
        let first: serde_json::Value = serde_json::from_str(told.lines().next().unwrap()).unwrap();
        assert_eq!(
            first,
            serde_json::json!({
                "team": "shop", "member": "alice", "kind": "permission", "id": "req_0",
                "text": "alice asks for permission"
            })
        );
    }

    #[tokio::test]
    async fn of_too_many_the_last_are_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let command = Arc::new(OwnAlert::of("cat >> told".into(), dir.path().into()));
        let alerts = (0..3 * ALERTS_MAX).map(|_| command.clone().alert(alert("req_1")));
        let mut all = JoinSet::new();
        // Held until all have come.
        let turn = command.turn.lock().await;
        alerts.for_each(|alert| drop(all.spawn(alert)));
        while all.len() > ALERTS_MAX {
            all.join_next().await;
        }
        drop(turn);
        all.join_all().await;
        let told = fs::read_to_string(dir.path().join("told")).unwrap();
        assert_eq!(told.lines().count(), ALERTS_MAX);
    }
}
