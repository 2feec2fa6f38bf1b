//! Makes a place what was fetched. What is there before is kept under a name of git, if it was never saved.

use teammate_core::{
    port::{LeftOut, TransferError, WorkOf},
    team::CommitId,
};

use super::{
    GitWorkTransfer, OWN_REFERENCES, place::WorkPlace, save::HeldWork, snapshot::Snapshot,
};

impl GitWorkTransfer {
    /// Makes the place what is committed at `head`, with the files of `saved`. Returns where what was there is kept, if it was
    /// never saved.
    pub(super) async fn lay_out(
        &self,
        place: &WorkPlace,
        of: &WorkOf,
        known: Option<&HeldWork>,
        (head, saved): (&CommitId, &CommitId),
    ) -> Result<Option<String>, TransferError> {
        let aside = self.put_aside(place, of, (known, head)).await?;
        let what = "lay the work out";
        let (head, saved) = (head.as_str(), saved.as_str());
        self.git(what, place, &["reset", "--quiet", "--hard", head])
            .await?;
        // Files as they were saved, the index as it is committed.
        let files = ["read-tree", "-m", "-u", head, saved];
        self.git(what, place, &files).await?;
        self.git(what, place, &["read-tree", "--reset", head])
            .await?;
        Ok(aside)
    }

    /// Lets the index know all that is there, so that the next check-out takes it away, and keeps it under a name unless it was
    /// saved before or is nothing but a commit of a branch. Returns the name.
    async fn put_aside(
        &self,
        place: &WorkPlace,
        of: &WorkOf,
        (known, coming): (Option<&HeldWork>, &CommitId),
    ) -> Result<Option<String>, TransferError> {
        let snapshot = self.snapshot(place).await?;
        if !snapshot.left_out.is_empty() {
            return Err(in_the_way(place, &snapshot.left_out));
        }
        let was_saved = known
            .and_then(|known| known.last.as_ref())
            .is_some_and(|last| last.is(&snapshot));
        let is_kept = was_saved || self.is_elsewhere(place, of, (&snapshot, coming)).await?;
        let name = match is_kept {
            true => None,
            false => {
                let commit = self.commit(place, of, &snapshot).await?;
                let short = commit.short();
                let name = format!("{OWN_REFERENCES}{}/{}/aside/{short}", self.team, of.member);
                self.name(place, &name, &commit).await?;
                Some(name)
            }
        };
        let known = ["read-tree", "--reset", snapshot.tree.as_str()];
        self.git("put aside what is there", place, &known).await?;
        Ok(name)
    }

    /// Whether all of it is committed, and in what comes, at the remote or in the workspace's branch as well. The lead's own branch
    /// is the workspace's.
    async fn is_elsewhere(
        &self,
        place: &WorkPlace,
        of: &WorkOf,
        (snapshot, coming): (&Snapshot, &CommitId),
    ) -> Result<bool, TransferError> {
        if self.tree_of_commit(place, &snapshot.head).await? != snapshot.tree {
            return Ok(false);
        }
        let workspace = self.site().repository().await?.head;
        let (head, coming) = (snapshot.head.as_str(), coming.as_str());
        let mut own = vec!["rev-list", "--max-count=1", head, "--not", coming];
        if !of.member.is_lead() {
            own.push(&workspace);
        }
        own.push("--remotes");
        let own = self.git("compare what is there", place, &own).await?;
        Ok(own.trim().is_empty())
    }
}

fn in_the_way(place: &WorkPlace, left_out: &[LeftOut]) -> TransferError {
    TransferError::InTheWay {
        place: place.top.display().to_string(),
        files: LeftOut::list(left_out),
    }
}
