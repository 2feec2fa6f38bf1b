//! Where a worker's clones are: one for each team, in the state directory.

use teammate::{
    carried_work::{RemoteAddress, WorkerClone, worker_clone},
    nats::{WorkerName, layout::TeamId},
};

use crate::settings::user_dirs;

/// The clone in which members of a team work, made if it is not there. Two workers of one machine have one each.
///
/// Errors: there is no state directory, the repository does not answer, or the clone cannot be written.
pub(super) async fn of(
    repo: &RemoteAddress,
    worker: &WorkerName,
    team: &TeamId,
) -> anyhow::Result<WorkerClone> {
    let Some(state) = user_dirs().state else {
        anyhow::bail!("a clone of {repo} needs a state directory: set HOME or XDG_STATE_HOME");
    };
    let team = team.to_string();
    let dir = state.join("clones").join(worker.as_str()).join(&team);
    Ok(worker_clone(repo.clone(), &dir, &team).await?)
}
