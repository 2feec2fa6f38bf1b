//! A network while commands have it: one command, and those of the same place that start before it has ended, so that a command
//! reaches the server that an earlier one started.

use std::{
    collections::BTreeMap,
    fmt,
    os::fd::{AsFd as _, BorrowedFd},
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

use teammate_core::lock::Hold;
use tokio::task::AbortHandle;

use super::{Judge, Networks, Sockets};
use crate::inside::PROXY_PORT;

/// A command's part in a network. When the last is dropped, after the last process has ended, the network is kept for others.
#[derive(Debug)]
pub struct Network {
    leased: Arc<Leased>,
    part: u64,
}

/// A network that a later command may join while somebody has it.
#[derive(Debug)]
pub(crate) struct Joinable(Weak<Leased>);

#[derive(Debug)]
struct Leased {
    sockets: Option<Sockets>,
    served: AbortHandle,
    judges: Arc<Judges>,
    networks: Arc<Networks>,
    is_discarded: AtomicBool,
}

impl Network {
    pub(super) fn new(
        sockets: Sockets,
        served: AbortHandle,
        (judges, part): (Arc<Judges>, u64),
        networks: Arc<Networks>,
    ) -> Self {
        let leased = Leased {
            sockets: Some(sockets),
            served,
            judges,
            networks,
            is_discarded: AtomicBool::new(false),
        };
        Self {
            leased: Arc::new(leased),
            part,
        }
    }

    pub(crate) fn namespace(&self) -> Option<BorrowedFd<'_>> {
        let sockets = self.leased.sockets.as_ref();
        sockets.map(|sockets| sockets.namespace.as_fd())
    }

    pub(crate) fn joinable(&self) -> Joinable {
        Joinable(Arc::downgrade(&self.leased))
    }

    /// The variables by which programs find the proxy, in both spellings. It speaks SOCKS, too, but no variable says so: clients in
    /// Python that know no SOCKS do not start where a variable names it.
    pub fn environment() -> impl Iterator<Item = (String, String)> {
        let proxy = format!("http://127.0.0.1:{PROXY_PORT}");
        let values = [
            ("HTTP_PROXY", proxy.clone()),
            ("HTTPS_PROXY", proxy.clone()),
            ("ALL_PROXY", proxy),
            ("NO_PROXY", "localhost,127.0.0.1,::1".to_owned()),
        ];
        values.into_iter().flat_map(|(name, value)| {
            [
                (name.to_owned(), value.clone()),
                (name.to_lowercase(), value),
            ]
        })
    }

    /// Lets go of it for good: when the last part is dropped, no other command gets it.
    pub(crate) fn discard(self) {
        self.leased.is_discarded.store(true, Ordering::Relaxed);
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.leased.judges.leave(self.part);
    }
}

impl Joinable {
    /// A part for one more command, if somebody still has the network.
    pub(crate) fn join(&self, judge: Arc<dyn Judge>) -> Option<Network> {
        let leased = self.0.upgrade()?;
        let part = leased.judges.add(judge);
        Some(Network { leased, part })
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.strong_count() == 0
    }
}

impl Drop for Leased {
    fn drop(&mut self) {
        self.served.abort();
        if let Some(sockets) = self.sockets.take()
            && !*self.is_discarded.get_mut()
        {
            self.networks.keep(sockets);
        }
    }
}

/// The judges of the commands in one network. A socket does not say which of them connects: the one that started last is
/// taken for it. Later parts have higher numbers.
#[derive(Default)]
pub(super) struct Judges(Mutex<BTreeMap<u64, Arc<dyn Judge>>>);

impl Judges {
    /// The judge of the command that started last, of those that have not ended.
    pub(super) fn newest(&self) -> Option<Arc<dyn Judge>> {
        self.0
            .hold()
            .last_key_value()
            .map(|(_, judge)| judge.clone())
    }

    /// The number of the command's part.
    pub(super) fn add(&self, judge: Arc<dyn Judge>) -> u64 {
        let mut all = self.0.hold();
        let part = all.last_key_value().map_or(0, |(last, _)| last + 1);
        all.insert(part, judge);
        part
    }

    fn leave(&self, part: u64) {
        self.0.hold().remove(&part);
    }
}

impl fmt::Debug for Judges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Judges({})", self.0.hold().len())
    }
}
