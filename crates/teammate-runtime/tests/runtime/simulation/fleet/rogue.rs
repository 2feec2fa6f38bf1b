//! What a faulty worker writes beside what its host does, if that is planted.

use teammate_core::{
    fold::Fold,
    port::Clock as _,
    request::RequestCommand,
    team::{Command, JobEnd, TeamState},
};

use super::{life::Life, ports::Access};

/// All running jobs are lost, as for a process that believes it is the only one.
pub(crate) async fn bury_jobs(access: &Access, life: &Life) {
    decide(access, life, |team| {
        let jobs = team.jobs().running().map(|job| job.id);
        let end = JobEnd::Lost;
        let lost = jobs.map(|job| Command::EndJob {
            job,
            end: end.clone(),
        });
        lost.collect()
    })
    .await;
}

/// Whatever is late by this clock is over, no matter which worker follows it.
pub(crate) async fn pass_deadlines(access: &Access, life: &Life) {
    let at = life.now();
    decide(access, life, |team| {
        let pending = team.requests().pending().map(|request| request.id);
        let expire = |request| Command::Request(RequestCommand::Expire { request, at });
        pending.map(expire).collect()
    })
    .await;
}

async fn decide(access: &Access, life: &Life, commands: impl Fn(&TeamState) -> Vec<Command>) {
    // An engine that does not answer is no matter here.
    if let Ok((mut fold, _)) = Fold::open(access).await {
        let commands = commands(fold.team());
        let _ = fold.commit(access, life, &commands).await;
    }
}
