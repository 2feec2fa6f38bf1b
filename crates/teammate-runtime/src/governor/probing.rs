//! Which worker probes a server that is away. A pure function of what was asked and answered.
//!
//! Each worker's first failures are its own to see: a hiccup costs nobody a question. One that has failed twice leaves probing to one
//! of all workers, which has claimed it.

use std::time::Duration;

use teammate_core::port::PROBE_CLAIMED;
use tokio::time::Instant;

/// How often a worker sees for itself that a server is away.
pub(super) const OWN_FAILURES: u32 = 2;

/// How often is asked who does not probe. The claim of another one that has ended is found this late at most.
const ASK_EVERY: Duration = Duration::from_secs(8);

/// Whether this worker probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Probing {
    /// There are no other workers: always.
    Alone,
    /// Nobody has asked.
    Open,
    /// The answer is under way.
    Asked,
    /// It does, until then.
    Own(Instant),
    /// Another one does. Asked again then.
    Other(Instant),
}

/// The step of a request that would be a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Probe {
    Begins,
    /// Its worker asks for the claim.
    Asks,
    /// Until then, or until it is woken.
    Waits(Option<Instant>),
}

impl Probing {
    pub(super) fn is_alone(self) -> bool {
        self == Self::Alone
    }

    /// A request would probe now.
    pub(super) fn look(&mut self, now: Instant) -> Probe {
        match *self {
            Self::Alone => Probe::Begins,
            Self::Own(until) if until > now => Probe::Begins,
            Self::Other(until) if until > now => Probe::Waits(Some(until)),
            Self::Asked => Probe::Waits(None),
            Self::Open | Self::Own(_) | Self::Other(_) => {
                *self = Self::Asked;
                Probe::Asks
            }
        }
    }

    /// The answer to what was asked at `asked`.
    pub(super) fn answered(&mut self, is_own: bool, asked: Instant) {
        *self = match is_own {
            true => Self::Own(asked + PROBE_CLAIMED),
            false => Self::Other(asked + ASK_EVERY),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_asked_for_once_and_again_when_it_has_ended() {
        let (mut probing, now) = (Probing::Open, Instant::now());
        assert_eq!(probing.look(now), Probe::Asks);
        assert_eq!(probing.look(now), Probe::Waits(None));
        probing.answered(false, now);
        assert_eq!(probing.look(now), Probe::Waits(Some(now + ASK_EVERY)));
        assert_eq!(probing.look(now + ASK_EVERY), Probe::Asks);
        probing.answered(true, now);
        let last = now + PROBE_CLAIMED - Duration::from_millis(1);
        assert_eq!(probing.look(last), Probe::Begins);
        assert_eq!(probing.look(now + PROBE_CLAIMED), Probe::Asks);
    }

    #[test]
    fn who_is_alone_asks_nobody() {
        let mut probing = Probing::Alone;
        assert_eq!(probing.look(Instant::now()), Probe::Begins);
    }
}
