//! The pulse of workers: a worker's own beats and those of others, counted in seconds of silence. Seconds come from a clock
//! that runs on while the machine sleeps, so a suspended laptop wakes up alone.

use std::collections::BTreeMap;

use teammate_core::{name::WorkerName, team::Beat};

/// After so many seconds without its own beat a worker is alone.
pub const ALONE_AFTER: u8 = 4;
/// After so many seconds without a beat a worker is asked whether it is there.
const ASKED_AFTER: u8 = 3;
/// After so many seconds without a beat a worker that does not answer is lost, and a steward succeeded.
pub const MISSED_MAX: u8 = 5;
/// In so many seconds a beat of another process of the own name is heard before it counts as one that lives. What a killed
/// process sent while it was cut off comes later, and all at once.
const DOUBLE_HEARD_IN: u8 = 3;
/// After so many seconds alone a worker ends the commands of its members.
pub const COMMANDS_END_AFTER: u8 = 60;

/// The news of another worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Heard {
    silence: u8,
    is_draining: bool,
    ping: Ping,
}

/// Another process of the own name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Double {
    silence: u8,
    /// In how many seconds it was heard.
    heard_in: u8,
}

/// The answer to a ping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PingAnswer {
    /// It is there.
    There,
    /// Nobody listens where it should: its process has ended, or lost its connection. Certain at once.
    Nobody,
    /// Nothing came in time.
    Silence,
}

/// Whether a silent worker was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
enum Ping {
    #[default]
    None,
    Asked,
    /// Nobody listens where it should.
    Nobody,
    /// Five beats are missing, and no answer came.
    Unanswered,
}

/// All that a worker hears. Silence is counted up to the last limit, and no further.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Pulse {
    own: u8,
    double: Option<Double>,
    others: BTreeMap<WorkerName, Heard>,
}

impl Pulse {
    pub(crate) fn elapse(&mut self, seconds: u8) {
        self.own = self.own.saturating_add(seconds).min(COMMANDS_END_AFTER);
        if let Some(double) = &mut self.double {
            double.silence = double.silence.saturating_add(seconds);
        }
        self.double = self.double.filter(|double| double.silence < MISSED_MAX);
        // Silence of others counts while the own beats are heard: otherwise it is this worker's network.
        let is_alone = self.own >= ALONE_AFTER;
        for heard in self.others.values_mut() {
            if is_alone {
                (heard.silence, heard.ping) = (0, Ping::None);
            } else {
                heard.silence = heard.silence.saturating_add(seconds).min(MISSED_MAX);
            }
        }
    }

    pub(crate) fn hear_own(&mut self) {
        self.own = 0;
    }

    pub(crate) fn hear_double(&mut self) {
        let heard_in = match self.double {
            Some(Double {
                silence: 0,
                heard_in,
            }) => heard_in,
            Some(Double { heard_in, .. }) => heard_in.saturating_add(1).min(DOUBLE_HEARD_IN),
            None => 1,
        };
        self.double = Some(Double {
            silence: 0,
            heard_in,
        });
    }

    pub(crate) fn hear(&mut self, beat: &Beat) {
        let heard = Heard {
            is_draining: beat.is_draining,
            ..Heard::default()
        };
        self.others.insert(beat.worker.clone(), heard);
    }

    /// A worker that was not known: it counts as heard, once.
    pub(crate) fn expect(&mut self, worker: &WorkerName) {
        if !self.others.contains_key(worker) {
            self.others.insert(worker.clone(), Heard::default());
        }
    }

    pub(crate) fn forget(&mut self, worker: &WorkerName) {
        self.others.remove(worker);
    }

    /// For how long the own beat is missing.
    pub(crate) fn own_silence(&self) -> u8 {
        self.own
    }

    pub(crate) fn has_double(&self) -> bool {
        self.double
            .is_some_and(|double| double.heard_in >= DOUBLE_HEARD_IN)
    }

    pub(crate) fn is_silent(&self, worker: &WorkerName) -> bool {
        let heard = self.others.get(worker);
        heard.is_some_and(|heard| heard.silence >= MISSED_MAX || heard.ping == Ping::Nobody)
    }

    pub(crate) fn is_draining(&self, worker: &WorkerName) -> bool {
        let heard = self.others.get(worker);
        heard.is_some_and(|heard| heard.is_draining)
    }

    /// Silent and asked, and nobody is there, or no answer came.
    pub(crate) fn is_lost(&self, worker: &WorkerName) -> bool {
        let heard = self.others.get(worker);
        heard.is_some_and(|heard| match heard.ping {
            Ping::Nobody | Ping::Unanswered => true,
            Ping::None | Ping::Asked => false,
        })
    }

    /// The silent workers that have not been asked; from now on they have.
    pub(crate) fn ask_silent(&mut self) -> Vec<WorkerName> {
        let silent = self
            .others
            .iter_mut()
            .filter(|(_, heard)| heard.silence >= ASKED_AFTER && heard.ping == Ping::None);
        silent
            .map(|(name, heard)| {
                heard.ping = Ping::Asked;
                name.clone()
            })
            .collect()
    }

    /// Takes the answer to a ping. What was heard meanwhile counts more. Who does not answer is asked again until five beats
    /// are missing.
    pub(crate) fn answer(&mut self, worker: &WorkerName, answer: PingAnswer) {
        let Some(heard) = self.others.get_mut(worker) else {
            return;
        };
        if heard.ping != Ping::Asked {
            return;
        }
        match answer {
            PingAnswer::There => (heard.silence, heard.ping) = (0, Ping::None),
            PingAnswer::Nobody => heard.ping = Ping::Nobody,
            PingAnswer::Silence if heard.silence >= MISSED_MAX => heard.ping = Ping::Unanswered,
            PingAnswer::Silence => heard.ping = Ping::None,
        }
    }
}
