//! Where bundles of work lie between machines, and the adapter that keeps them with the team's objects.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    port::{BoxFuture, ObjectStore, TransferError},
    team::{CommitId, Term},
};

/// How many terms of a member are kept: the newest, and the one that its work may still be taken from.
pub(super) const TERMS_KEPT: usize = 2;

/// Bundles of git by member and term. A term has one at a time.
pub trait BundleStore: Send + Sync {
    /// Keeps a bundle in place of the term's last one, wholly or not at all. Bundles of long ended terms are removed.
    fn put<'a>(
        &'a self,
        member: &'a MemberName,
        term: Term,
        bundle: WorkBundle,
    ) -> BoxFuture<'a, Result<(), TransferError>>;

    /// All terms of which there is a bundle, the newest first.
    fn terms<'a>(
        &'a self,
        member: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Term>, TransferError>>;

    /// The highest term up to this one of which there is a bundle.
    fn newest<'a>(
        &'a self,
        member: &'a MemberName,
        through: Term,
    ) -> BoxFuture<'a, Result<Option<Term>, TransferError>> {
        Box::pin(async move {
            let terms = self.terms(member).await?;
            Ok(terms.into_iter().find(|term| *term <= through))
        })
    }

    /// A term's bundle, if there is one, for a repository that has these commits.
    fn get<'a>(
        &'a self,
        member: &'a MemberName,
        term: Term,
        has: &'a [CommitId],
    ) -> BoxFuture<'a, Result<Option<Vec<u8>>, TransferError>>;
}

/// A bundle on its way out.
pub struct WorkBundle {
    /// The one reference in it: the saving commit.
    pub reference: String,
    /// How git names the member's last commit, which is the parent of that.
    pub head: String,
    pub bytes: Vec<u8>,
}

/// Bundles among the team's objects. Every repository must have the commits of the others' remote: bundles hold what is new since.
pub struct ObjectBundles {
    objects: Arc<dyn ObjectStore>,
}

impl ObjectBundles {
    /// Those of the team with these objects.
    pub fn new(objects: Arc<dyn ObjectStore>) -> Self {
        Self { objects }
    }
}

fn prefix(member: &MemberName) -> String {
    format!("work/{member}/")
}

/// Terms by their numbers; what is no number is none of ours.
pub(super) fn newest_first<'a>(numbers: impl Iterator<Item = &'a str>) -> Vec<Term> {
    let mut terms: Vec<Term> = numbers.filter_map(|it| it.parse().ok()).map(Term).collect();
    terms.sort_unstable_by(|a, b| b.cmp(a));
    terms.dedup();
    terms
}

/// Those that are no longer kept once there is one of `term`. A late holder of an old term removes nothing newer.
pub(super) fn ended(terms: &[Term], term: Term) -> impl Iterator<Item = Term> + '_ {
    let older = terms.iter().copied().filter(move |other| *other < term);
    older.skip(TERMS_KEPT - 1)
}

impl BundleStore for ObjectBundles {
    fn put<'a>(
        &'a self,
        member: &'a MemberName,
        term: Term,
        bundle: WorkBundle,
    ) -> BoxFuture<'a, Result<(), TransferError>> {
        Box::pin(async move {
            let name = |term| format!("{}{term}", prefix(member));
            self.objects.put(&name(term), bundle.bytes).await?;
            for old in ended(&self.terms(member).await?, term) {
                self.objects.remove(&name(old)).await?;
            }
            Ok(())
        })
    }

    fn terms<'a>(
        &'a self,
        member: &'a MemberName,
    ) -> BoxFuture<'a, Result<Vec<Term>, TransferError>> {
        Box::pin(async move {
            let prefix = prefix(member);
            let names = self.objects.names(&prefix).await?;
            let numbers = names.iter().filter_map(|name| name.strip_prefix(&prefix));
            Ok(newest_first(numbers))
        })
    }

    fn get<'a>(
        &'a self,
        member: &'a MemberName,
        term: Term,
        _has: &'a [CommitId],
    ) -> BoxFuture<'a, Result<Option<Vec<u8>>, TransferError>> {
        Box::pin(async move {
            let name = format!("{}{term}", prefix(member));
            Ok(self.objects.get(&name).await?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_newest_terms_are_kept_and_a_late_one_removes_nothing_newer() {
        let terms = newest_first(["9", "10", "x", "2", "1"].into_iter());
        assert_eq!(terms, [10, 9, 2, 1].map(Term));
        assert_eq!(
            ended(&terms, Term(10)).collect::<Vec<_>>(),
            [2, 1].map(Term)
        );
        assert_eq!(ended(&terms, Term(2)).count(), 0);
    }
}
