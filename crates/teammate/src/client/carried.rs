//! The work of members that run on other machines, fetched to the clone in which somebody looks at the team.

use std::{collections::BTreeSet, path::PathBuf};

use teammate_core::{
    MemberName,
    name::WorkerName,
    port::{Bringing, TransferError, WorkOf, WorktreeError},
    team::{Label, PlaceEvent, TeamEvent, Term},
};

use super::TeamClient;
use crate::{
    TeamError,
    carried_work::{RemoteAddress, WorkCarrier, remote_bundles},
    git_worktrees::carried_worktrees,
};

/// How the label begins that names the repository of which a worker has a clone.
const REPOSITORY_LABEL: &str = "repo:";

/// The directory below the state directory in which what is fetched waits for the clone.
const FETCHED: &str = "fetched";

/// Why the work of members elsewhere cannot be fetched here.
#[derive(Debug, thiserror::Error)]
pub enum WorkFetchError {
    /// The workspace is a clone of something else.
    #[error(
        "the team works on {repository}, and {} is no clone of it{}: use this in a clone of it",
        .workspace.display(),
        remotes_in_words(.remotes)
    )]
    OtherRepository {
        /// The repository that the team works on.
        repository: RemoteAddress,
        /// Where the user is.
        workspace: PathBuf,
        /// The remotes there.
        remotes: Vec<String>,
    },
    /// Workers have clones of several repositories.
    #[error(
        "the team's workers have clones of several repositories ({0}), so it is not known which one is meant"
    )]
    Several(String),
    /// The journal names something that is no address.
    #[error("a worker has a clone of '{0}', which is no address of a repository")]
    NoAddress(String),
    /// There is no room for it.
    #[error("there is no directory for what is fetched: set HOME or XDG_STATE_HOME")]
    NoDirectory,
    /// The workspace cannot be used.
    #[error(transparent)]
    Workspace(#[from] WorktreeError),
    /// The repository does not give it.
    #[error(transparent)]
    Transfer(#[from] TransferError),
    /// The team cannot be read.
    #[error(transparent)]
    Team(#[from] TeamError),
}

fn remotes_in_words(remotes: &[String]) -> String {
    match remotes.is_empty() {
        true => " (it has no remote)".to_owned(),
        false => format!(" (its remotes: {})", remotes.join(", ")),
    }
}

impl TeamClient {
    /// The carrier that fetches the work of members on workers to the workspace; nothing where no worker has a clone of a
    /// repository.
    ///
    /// Errors: the workspace is no clone of that repository, or it does not answer.
    pub async fn work_carrier(&self) -> Result<Option<WorkCarrier>, WorkFetchError> {
        let Some(repository) = self.repository().await? else {
            return Ok(None);
        };
        let remotes = self.worktrees_here().remotes().await?;
        if !remotes.iter().any(|remote| repository.is_same(remote)) {
            return Err(WorkFetchError::OtherRepository {
                repository,
                workspace: self.site.workspace.clone(),
                remotes,
            });
        }
        let state = self
            .user
            .state
            .as_ref()
            .ok_or(WorkFetchError::NoDirectory)?;
        let team = self.team();
        let dir = state.join(FETCHED).join(team.id().to_string());
        let bundles = remote_bundles(repository, &dir, team.name()).await?;
        Ok(Some(WorkCarrier::by_remote(&bundles)))
    }

    /// The repository that workers have clones of: that of those who are there, else of the last one that was.
    async fn repository(&self) -> Result<Option<RemoteAddress>, WorkFetchError> {
        let places = self.team().places();
        let there = places.workers().flat_map(|(_, joined)| &joined.labels);
        let there: BTreeSet<&str> = there.filter_map(repository_of).collect();
        let address = match there.iter().copied().collect::<Vec<_>>()[..] {
            [] if places.is_used() => self.last_repository().await?,
            [] => None,
            [one] => Some(one.to_owned()),
            [..] => {
                let all: Vec<&str> = there.into_iter().collect();
                return Err(WorkFetchError::Several(all.join(", ")));
            }
        };
        let parsed = address.map(|address| {
            let parsed = RemoteAddress::parse(&address);
            parsed.map_err(|_| WorkFetchError::NoAddress(address))
        });
        parsed.transpose()
    }

    /// That of the last worker that said any when it joined.
    async fn last_repository(&self) -> Result<Option<String>, TeamError> {
        let mut last = None;
        let mut see = |event: &TeamEvent| {
            if let TeamEvent::Place(PlaceEvent::Joined { labels, .. }) = event
                && let Some(repository) = labels.iter().find_map(repository_of)
            {
                last = Some(repository.to_owned());
            }
        };
        for record in self.history().records_on().await? {
            record.events.iter().for_each(&mut see);
        }
        Ok(last)
    }

    /// Fetches the newest work of each member that a worker holds or held. Whose could not be fetched, with the reason.
    pub async fn fetch_work(&self, by: &WorkCarrier) -> Vec<(MemberName, TransferError)> {
        let (_, transfer) = carried_worktrees(self.worktrees_here(), Some(by));
        let Some(transfer) = transfer else {
            return Vec::new();
        };
        let placements = self.team().places().placements();
        let members = placements
            .map(|(name, _)| name)
            .filter(|name| !name.is_lead());
        let mut failed = Vec::new();
        for member in members {
            let newest = WorkOf {
                member: member.clone(),
                term: Term(u64::MAX),
            };
            if let Err(error) = transfer.bring(&newest, Bringing::ToLook).await {
                failed.push((member.clone(), error));
            }
        }
        failed
    }

    /// The worker that holds a member; nothing where one process runs them all, or none.
    pub fn worker_of(&self, member: &MemberName) -> Option<&WorkerName> {
        let placement = self.team().places().placement(member)?;
        placement.worker.as_ref().filter(|_| self.is_on_workers())
    }
}

fn repository_of(label: &Label) -> Option<&str> {
    label.as_str().strip_prefix(REPOSITORY_LABEL)
}
