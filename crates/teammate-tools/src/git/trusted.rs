//! Which programs of a repository the user trusts.

use std::{collections::BTreeSet, fmt, sync::Arc};

use super::{Program, Programs};

/// The programs that the user trusts. Read each time, so that a new trust counts at once. By default there are
/// none.
#[derive(Clone, Default)]
pub struct TrustedPrograms(Option<Arc<Ask>>);

type Ask = dyn Fn() -> BTreeSet<Program> + Send + Sync;

impl TrustedPrograms {
    /// Those that `ask` returns. It may block for as long as reading some files takes.
    pub fn asking(ask: impl Fn() -> BTreeSet<Program> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(ask)))
    }

    /// The untrusted programs among these.
    pub(crate) fn untrusted(&self, programs: Programs) -> Vec<Program> {
        let mut programs = programs.into_list();
        if let Some(ask) = &self.0
            && !programs.is_empty()
        {
            let trusted = ask();
            programs.retain(|program| !trusted.contains(program));
        }
        programs
    }
}

impl fmt::Debug for TrustedPrograms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TrustedPrograms")
    }
}
