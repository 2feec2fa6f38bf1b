//! Brings saved work to this machine: for a member that works here from now on, or as a copy to look at.

use teammate_core::{
    MemberName,
    port::{BroughtWork, TransferError, WorkOf, WorkThatCame, WorktreeError},
    team::{CommitId, Delivery, Term},
};

use super::{
    GitWorkTransfer,
    place::{RunIn, WorkPlace},
    save::{HeldWork, Holder, LastSeen, SavedNote},
    snapshot::Snapshot,
};
use crate::git::{GitOutput, failed};

/// Why a bundle does not fit.
const OLD_CLONE: &str = "the clone here is older than what the work is based on; make it anew";

/// Saved work that is in the repository here.
struct Fetched {
    saved: CommitId,
    /// The member's last commit: its only parent.
    head: CommitId,
    tree: CommitId,
    saved_at: String,
    said: SavedNote,
}

impl GitWorkTransfer {
    /// The member works here from now on.
    pub(super) async fn take_over(
        &self,
        of: &WorkOf,
        delivered: Option<&Delivery>,
    ) -> Result<BroughtWork, TransferError> {
        let WorkOf { member, term } = of;
        let held = self.held(member);
        let known = held.read();
        let was_here = known.as_ref().filter(|known| known.holder == Holder::Here);
        if was_here.is_some_and(|known| known.term == *term) {
            WorkPlace::prepare(&self.worktrees, member).await?;
            return Ok(BroughtWork::Here);
        }
        let newest = self.bundles.newest(member, *term).await?;
        let newest = newest.filter(|newest| was_here.is_none_or(|known| *newest > known.term));
        let Some(newest) = newest else {
            let brought = was_here.map_or(BroughtWork::Nothing, |_| BroughtWork::Here);
            self.go_on(of).await?;
            return Ok(brought);
        };
        let place = WorkPlace::prepare(&self.worktrees, member).await?;
        let fetched = self.fetch(&place, member, newest).await?;
        let aside = self
            .lay_out(&place, of, known.as_ref(), (&fetched.head, &fetched.saved))
            .await?;
        // From now on this term counts: what comes late under an older one is read by nobody.
        let snapshot = Snapshot {
            head: fetched.head.clone(),
            tree: fetched.tree.clone(),
            left_out: fetched.said.left_out.clone(),
        };
        let saved = self.commit(&place, of, &snapshot).await?;
        self.store(&place, of, &saved).await?;
        held.write(&fetched.held(*term, Holder::Here, saved))?;
        let mut came = self.came(&place, fetched, aside).await?;
        came.missing = self.missing(&place, &came.commit, delivered).await?;
        Ok(BroughtWork::Came(came))
    }

    /// Continues this term from the work that is here, which is the newest.
    async fn go_on(&self, of: &WorkOf) -> Result<(), TransferError> {
        WorkPlace::prepare(&self.worktrees, &of.member).await?;
        self.held(&of.member).write(&HeldWork {
            term: of.term,
            holder: Holder::Here,
            last: None,
        })?;
        if of.term > Term::FIRST {
            // So that nothing counts that comes late under an older one. Else the next save does it, and tells why this one failed.
            let _ = self.save_now(of).await;
        }
        Ok(())
    }

    /// A copy of what the member has elsewhere.
    pub(super) async fn copy(
        &self,
        member: &MemberName,
        through: Term,
    ) -> Result<BroughtWork, TransferError> {
        let held = self.held(member);
        let known = held.read();
        let was_here = known.as_ref().filter(|known| known.holder == Holder::Here);
        let Some(newest) = self.bundles.newest(member, through).await? else {
            return Ok(was_here.map_or(BroughtWork::Nothing, |_| BroughtWork::Here));
        };
        if was_here.is_some_and(|known| known.term >= newest) {
            return Ok(BroughtWork::Here);
        }
        let place = WorkPlace::prepare(&self.worktrees, member).await?;
        let fetched = self.fetch(&place, member, newest).await?;
        let of = Self::work_of(member, newest);
        let aside = self
            .lay_out(&place, &of, known.as_ref(), (&fetched.head, &fetched.saved))
            .await?;
        let saved = fetched.saved.clone();
        held.write(&fetched.held(newest, Holder::Elsewhere, saved))?;
        let came = self.came(&place, fetched, aside).await?;
        Ok(BroughtWork::Came(came))
    }

    /// Fetches a term's work into the repository. Nothing is checked out.
    async fn fetch(
        &self,
        place: &WorkPlace,
        member: &MemberName,
        term: Term,
    ) -> Result<Fetched, TransferError> {
        let broken = |why: String| TransferError::Broken {
            member: member.clone(),
            term,
            why,
        };
        let has = self.origin(place).await?;
        let bundle = self.bundles.get(member, term, &has).await?;
        let bundle = bundle.ok_or_else(|| broken("it is not there any more".to_owned()))?;
        let unbundle = ["bundle", "unbundle", "-"];
        let with = RunIn {
            index: None,
            input: bundle,
        };
        let said = self.git_with(place, &unbundle, with).await?;
        let said = GitOutput::from(said);
        if !said.is_ok {
            return Err(broken(match said.err.contains("prerequisite") {
                true => OLD_CLONE.to_owned(),
                false => said.refused("read the bundle").to_string(),
            }));
        }
        // One line: the commit, and the reference it had.
        let saved = said.out.split_whitespace().next().unwrap_or_default();
        let saved = CommitId::parse(saved).map_err(|error| broken(error.to_string()))?;
        let head = self.commit_of(place, &format!("{saved}^1")).await?;
        let tree = self.tree_of_commit(place, &saved).await?;
        let (saved_at, said) = self.message(place, &saved).await?;
        let reference = self.reference(member, term);
        self.name(place, &reference, &saved).await?;
        Ok(Fetched {
            saved,
            head,
            tree,
            saved_at,
            said,
        })
    }

    /// When a saving commit was made, and what it says besides.
    async fn message(
        &self,
        place: &WorkPlace,
        saved: &CommitId,
    ) -> Result<(String, SavedNote), WorktreeError> {
        let what = "read the saved work";
        let show = [
            "log",
            "--max-count=1",
            "--no-color",
            "--date=format-local:%Y-%m-%d %H:%M:%S UTC",
            "--format=%cd%n%B",
            saved.as_str(),
        ];
        let text = self.git(what, place, &show).await?;
        let saved_at = text.lines().next().unwrap_or_default().to_owned();
        let last = text.trim_end().lines().next_back().unwrap_or_default();
        let said = serde_json::from_str(last).map_err(|error| failed(what, error))?;
        Ok((saved_at, said))
    }

    /// The commits that the remote had when this repository last heard of it.
    async fn origin(&self, place: &WorkPlace) -> Result<Vec<CommitId>, WorktreeError> {
        let what = "list the remote's branches";
        let list = ["for-each-ref", "--format=%(objectname)", "refs/remotes/"];
        let said = self.git(what, place, &list).await?;
        let mut ids: Vec<CommitId> = said
            .lines()
            .filter_map(|line| CommitId::parse(line).ok())
            .collect();
        ids.sort();
        ids.dedup();
        Ok(ids)
    }

    async fn came(
        &self,
        place: &WorkPlace,
        fetched: Fetched,
        aside: Option<String>,
    ) -> Result<WorkThatCame, WorktreeError> {
        let what = "compare the saved work";
        let (head, saved) = (fetched.head.as_str(), fetched.saved.as_str());
        let compare = [
            "diff-tree",
            "-r",
            "-z",
            "--name-only",
            "--no-renames",
            head,
            saved,
        ];
        let files = self.git(what, place, &compare).await?;
        Ok(WorkThatCame {
            uncommitted: files.split('\0').filter(|file| !file.is_empty()).count(),
            commit: fetched.head,
            saved_at: fetched.saved_at,
            left_out: fetched.said.left_out,
            missing: None,
            aside,
        })
    }

    /// The delivered commit of the journal, if the work does not go on from it.
    async fn missing(
        &self,
        place: &WorkPlace,
        head: &CommitId,
        delivered: Option<&Delivery>,
    ) -> Result<Option<CommitId>, WorktreeError> {
        let Some(Delivery { commit, .. }) = delivered else {
            return Ok(None);
        };
        let is_in = [
            "merge-base",
            "--is-ancestor",
            commit.as_str(),
            head.as_str(),
        ];
        let said = self.git_with(place, &is_in, RunIn::default()).await?;
        Ok((!said.is_ok).then(|| commit.clone()))
    }
}

impl Fetched {
    /// The record of this place, with its work saved as `saved`.
    fn held(&self, term: Term, holder: Holder, saved: CommitId) -> HeldWork {
        let (head, tree) = (self.head.clone(), self.tree.clone());
        let last = Some(LastSeen { head, tree, saved });
        HeldWork { term, holder, last }
    }
}
