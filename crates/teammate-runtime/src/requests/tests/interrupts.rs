//! Interrupts and closes while something is under way: a member being started, results that the lead collects.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::json;
use teammate_core::{
    MemberName,
    port::{
        BoxFuture, Furnished, Merged, PreparedWorktree, RemovalReason, Worktree, WorktreeError,
        WorktreeName, WorktreeOrigin, WorktreeStatus, Worktrees,
    },
    team::MemberPhase,
    transcript::EndReason,
};
use tokio::sync::Notify;

use super::stage::{Line, Stage, alice, spawn, toil, until};
use crate::Host;

/// A git that makes worktrees at once, and lists them only when released.
#[derive(Default)]
struct SlowGit {
    is_looking: AtomicBool,
    let_go: Notify,
}

impl SlowGit {
    fn worktree(name: &WorktreeName) -> Worktree {
        Worktree {
            name: name.clone(),
            path: PathBuf::from("/nowhere").join(name.to_string()),
            branch: format!("teammate/{name}"),
        }
    }
}

impl Worktrees for SlowGit {
    fn create<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<PreparedWorktree, WorktreeError>> {
        let origin = WorktreeOrigin::Created {
            base: "0000000".to_owned(),
            had_branch: false,
            left_out: 0,
            furnished: Furnished::default(),
        };
        let worktree = Self::worktree(name);
        Box::pin(async { Ok(PreparedWorktree { worktree, origin }) })
    }

    fn find<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<Worktree, WorktreeError>> {
        Box::pin(async {
            self.is_looking.store(true, Ordering::SeqCst);
            self.let_go.notified().await;
            self.is_looking.store(false, Ordering::SeqCst);
            Ok(Self::worktree(name))
        })
    }

    fn list(&self) -> BoxFuture<'_, Result<Vec<WorktreeStatus>, WorktreeError>> {
        Box::pin(async { Err(WorktreeError::Unsupported) })
    }

    fn status<'a>(
        &'a self,
        _: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<WorktreeStatus, WorktreeError>> {
        Box::pin(async { Err(WorktreeError::Unsupported) })
    }

    fn diff<'a>(&'a self, _: &'a WorktreeName) -> BoxFuture<'a, Result<String, WorktreeError>> {
        Box::pin(async { Err(WorktreeError::Unsupported) })
    }

    fn merge<'a>(&'a self, _: &'a WorktreeName) -> BoxFuture<'a, Result<Merged, WorktreeError>> {
        Box::pin(async { Err(WorktreeError::Unsupported) })
    }

    fn keep<'a>(&'a self, _: &'a WorktreeName) -> BoxFuture<'a, Result<Worktree, WorktreeError>> {
        Box::pin(async { Err(WorktreeError::Unsupported) })
    }

    fn remove<'a>(
        &'a self,
        _: &'a WorktreeName,
        _: RemovalReason,
    ) -> BoxFuture<'a, Result<Worktree, WorktreeError>> {
        Box::pin(async { Err(WorktreeError::Unsupported) })
    }

    fn path(&self, name: &WorktreeName) -> PathBuf {
        Self::worktree(name).path
    }
}

/// Alice works, and the lead spawns wanda, whose worktree git is listing.
async fn with_wanda_on_the_way(stage: &Stage, git: &SlowGit) -> Host {
    stage.lines("alice", vec![toil("for ever")]);
    let host = stage.with_alice().await;
    until(|| stage.toil.running() == 1).await;
    let wanda = json!({ "name": "wanda", "role": "coder", "prompt": "begin", "worktree": true });
    stage.lines("lead", vec![Line::Call("spawn_teammate", wanda)]);
    host.send_as_user("lead", "go on").await.unwrap();
    until(|| git.is_looking.load(Ordering::SeqCst)).await;
    host
}

/// The clock is paused: a minute is over at once if nothing else can happen.
async fn in_time<T>(what: &str, work: impl Future<Output = T>) -> T {
    let done = tokio::time::timeout(Duration::from_secs(60), work).await;
    done.unwrap_or_else(|_| panic!("{what} waits for ever"))
}

fn is_interrupted(host: &Host) -> bool {
    let team = host.team();
    match &team.member(&alice()).unwrap().phase {
        MemberPhase::Idle { why, .. } => *why == EndReason::Interrupted,
        _ => false,
    }
}

#[tokio::test(start_paused = true)]
async fn an_interrupt_does_not_wait_for_the_worktree_of_another_member() {
    let git = Arc::new(SlowGit::default());
    let stage = Stage::new().with_worktrees(git.clone());
    let host = with_wanda_on_the_way(&stage, &git).await;

    in_time("the interrupt", async {
        host.interrupt(&alice()).await;
        until(|| is_interrupted(&host)).await;
    })
    .await;
    assert!(git.is_looking.load(Ordering::SeqCst), "git is at it still");

    git.let_go.notify_one();
    host.wait_idle().await;
    assert_eq!(stage.unsaid("lead"), 0);
    assert!(!stage.entries("wanda").await.is_empty(), "she began");
}

#[tokio::test(start_paused = true)]
async fn a_member_that_is_on_the_way_hears_of_an_interrupt_when_it_is_there() {
    let git = Arc::new(SlowGit::default());
    let stage = Stage::new().with_worktrees(git.clone());
    stage.lines("wanda", vec![toil("for ever")]);
    let host = with_wanda_on_the_way(&stage, &git).await;

    let wanda = MemberName::teammate("wanda").unwrap();
    in_time("the interrupt", host.interrupt(&wanda)).await;
    host.interrupt(&alice()).await;
    git.let_go.notify_one();
    in_time("the rest", host.wait_idle()).await;
    assert_eq!(stage.toil.running(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_close_does_not_wait_for_the_worktree_of_a_member() {
    let git = Arc::new(SlowGit::default());
    let stage = Stage::new().with_worktrees(git.clone());
    let host = with_wanda_on_the_way(&stage, &git).await;
    let team = in_time("the close", host.close()).await;
    assert!(team.members().all(|member| !member.phase.is_busy()));
}

#[tokio::test(start_paused = true)]
async fn a_lead_interrupted_while_it_collects_results_hears_them() {
    let stage = Stage::new();
    stage.lines("alice", vec![toil("for ever")]);
    let host = stage.with_alice().await;
    until(|| stage.toil.running() == 1).await;
    stage.lines("bob", vec![toil("ten seconds")]);
    stage.lines("lead", vec![spawn("bob")]);
    host.send_as_user("lead", "go on").await.unwrap();
    until(|| stage.toil.running() == 2).await;
    let told = in_time("the result", async {
        loop {
            let waiting = stage.unheard("lead").await;
            if !waiting.is_empty() {
                break waiting;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;

    host.interrupt(&MemberName::lead()).await;
    in_time("the lead", async {
        while !stage.unheard("lead").await.is_empty() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
    let heard = stage.heard("lead").await;
    assert!(told.iter().all(|text| heard.contains(text)), "{heard:?}");
}
