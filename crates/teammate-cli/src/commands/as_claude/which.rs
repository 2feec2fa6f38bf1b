//! Which session a command line means: a new one, one that goes on, or a copy of one.

use std::path::Path;

use anyhow::anyhow;
use teammate::{TeamCopyError, copy_team, opened_teams, teams_in};
use teammate_serve::claude::ClaudeSession;

use super::{AsClaude, UsageError};
use crate::{commands::CliContext, settings::user_dirs};

/// A session that is to be served.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chosen {
    pub(super) session: ClaudeSession,
    /// The one whose conversation it begins with.
    copy_of: Option<ClaudeSession>,
}

impl Chosen {
    /// What these flags mean in a directory.
    ///
    /// Errors: there is no such session, or it is there already.
    pub(super) fn of(flags: &AsClaude, dir: &Path) -> anyhow::Result<Self> {
        let goes_on = match (flags.resume, flags.r#continue) {
            (Some(id), _) if is_there(id, dir) => Some(id),
            (Some(id), _) => {
                return wrong(format!(
                    "there is no session {id} in this directory; sessions are resumed where they began"
                ));
            }
            (None, true) => match last_session(dir) {
                Some(id) => Some(id),
                None => {
                    return wrong("there is no session in this directory to continue".to_owned());
                }
            },
            (None, false) => None,
        };
        match (goes_on, flags.session_id) {
            (_, Some(id)) if is_there(id, dir) => wrong(format!(
                "there is a session {id} already; --resume continues it"
            )),
            (Some(_), Some(_)) if !flags.fork_session => {
                wrong("a session that goes on keeps its id; with --fork-session the new one has that of --session-id".to_owned())
            }
            (Some(original), id) if flags.fork_session => Ok(Self {
                session: id.unwrap_or_else(ClaudeSession::fresh),
                copy_of: Some(original),
            }),
            (Some(session), _) | (None, Some(session)) => Ok(Self::alone(session)),
            (None, None) => Ok(Self::alone(ClaudeSession::fresh())),
        }
    }

    fn alone(session: ClaudeSession) -> Self {
        Self {
            session,
            copy_of: None,
        }
    }

    /// Has it begin with the conversation of the one that it is to be a copy of.
    pub(super) async fn copied(self, place: &CliContext) -> anyhow::Result<()> {
        if let Some(original) = self.copy_of {
            let (from, to) = (original.place(&place.dir), self.session.place(&place.dir));
            let copied = copy_team(&from, &to, &user_dirs(), place.options.read_max()?).await;
            copied.map_err(|error| match error {
                TeamCopyError::Worktrees => anyhow!("{error} (`teammate worktrees`)"),
                TeamCopyError::Team(_) | TeamCopyError::Taken(_) => error.into(),
            })?;
        }
        Ok(())
    }
}

fn wrong(what: String) -> anyhow::Result<Chosen> {
    Err(UsageError(what).into())
}

fn is_there(session: ClaudeSession, dir: &Path) -> bool {
    let mut here = teams_in(dir).into_iter();
    here.any(|place| ClaudeSession::of(&place) == Some(session))
}

/// The session of this directory that was opened last.
fn last_session(dir: &Path) -> Option<ClaudeSession> {
    let here = dir.canonicalize().ok()?;
    let opened = opened_teams(&user_dirs()).into_iter();
    opened
        .filter(|team| team.place.workspace().canonicalize().ok().as_ref() == Some(&here))
        .find_map(|team| ClaudeSession::of(&team.place))
}
