//! Power cuts of servers: their stores are on an ext4 of their own that is shut down without its journal being written, under the
//! processes of a team; then it is mounted again and all servers begin anew. It is one disk, so three servers lose power together.
//!
//! Needs root and what `power` needs.

use std::{
    fmt, io, thread,
    time::{Duration, Instant},
};

use teammate_testkit::nats::{Sync, program};

use super::{
    crew::Crew,
    print_now,
    servers::{Kind, Servers},
    site::Site,
    stock::{self, Found},
};
use crate::torture::{Plan, power::Volume, rng::Chance, worker::run};

/// How large the file system of servers is.
const IMAGE_BYTES: u64 = 2 << 30;

/// A file system lives through this many cuts.
const VOLUME_CUTS: u64 = 6;

/// How long a team works before a cut, in milliseconds.
const WORK_MS: [u64; 2] = [300, 2_500];

/// How many cuts may pass until servers that do not sync have lost something.
const UNSYNCED_CUTS_MAX: u64 = 5;

/// Whether nothing was lost where servers sync, and something where they do not. Says so if it cannot be tried.
pub(in super::super) fn torture(plan: &Plan) -> io::Result<bool> {
    let Some(program) = program() else {
        return Ok(true);
    };
    if !rustix::process::geteuid().is_root() {
        eprintln!("SKIPPED: file systems are mounted by root only");
        return Ok(true);
    }
    let (mut chance, mut is_well) = (Chance(plan.seed), true);
    for kind in [Kind::One, Kind::Three] {
        let synced = Cuts {
            most: plan.crashes / 2,
            until: Instant::now() + plan.time / 2,
            sync: Sync::Always,
        };
        let all = synced.all(&program, kind, &mut chance)?;
        print_now(&format!("{kind}, synced: {all}"))?;
        is_well &= all.found.is_clean() && all.count > 0;
        let unsynced = Cuts {
            most: UNSYNCED_CUTS_MAX,
            sync: Sync::ByDefault,
            ..synced
        };
        let all = unsynced.all(&program, kind, &mut chance)?;
        print_now(&format!("{kind}, synced every two minutes: {all}"))?;
        is_well &= all.found.has_lost();
    }
    let word = match is_well {
        true => "ok: nothing lost where servers sync; and the rig bites".to_owned(),
        false => format!("FAILED: replay with --seed {}", plan.seed),
    };
    print_now(&format!("{word}\n"))?;
    Ok(is_well)
}

/// How many cuts there are to be, of servers that sync like this.
struct Cuts {
    most: u64,
    until: Instant,
    sync: Sync,
}

/// What came of them.
#[derive(Default)]
struct All {
    count: u64,
    found: Found,
}

impl Cuts {
    fn all(&self, program: &std::path::Path, kind: Kind, chance: &mut Chance) -> io::Result<All> {
        let mut all = All::default();
        while !self.is_over(&all) {
            let mode = ["data=ordered", "data=writeback"][usize::from(chance.below(2) == 1)];
            let volume = Volume::make(mode, IMAGE_BYTES)?;
            let mut servers = Servers::start_in(program, kind, self.sync, volume.path())?;
            // Their configuration outlives a cut; what they store is theirs to sync.
            volume.sync()?;
            for _ in 0..VOLUME_CUTS {
                all.found.add(self.cut(&mut servers, &volume, chance)?);
                all.count += 1;
                if self.is_over(&all) {
                    break;
                }
            }
            servers.end_all();
        }
        Ok(all)
    }

    fn is_over(&self, all: &All) -> bool {
        let is_late = match self.sync {
            Sync::Always => Instant::now() >= self.until,
            // It takes a few cuts, whatever the time.
            Sync::ByDefault => false,
        };
        all.count >= self.most || is_late || !all.found.is_clean()
    }

    /// One team, from its first line to a power cut, and what is there after it.
    fn cut(
        &self,
        servers: &mut Servers,
        volume: &Volume,
        chance: &mut Chance,
    ) -> io::Result<Found> {
        let site = Site {
            urls: servers.urls(),
            team: format!("t{:x}", chance.below(u64::MAX)),
        };
        let make = || run(site.make(servers.kind.replicas())).and_then(|made| made);
        make().map_err(io::Error::other)?;
        let switch = volume.switch()?;
        let crew = Crew::start(&site)?;
        let [least, most] = WORK_MS;
        thread::sleep(Duration::from_millis(least + chance.below(most - least)));
        // What is acknowledged from here on may be an answer of a file system that is gone already.
        let account = crew.so_far();
        switch.cut()?;
        drop(crew);
        servers.end_all();
        volume.mount_again()?;
        servers.begin_all()?;
        if self.sync == Sync::ByDefault {
            // Streams may be gone with all that was in them.
            run(site.make(servers.kind.replicas()))
                .and_then(|made| made)
                .map_err(io::Error::other)?;
        }
        stock::take(&site, &account).map_err(io::Error::other)
    }
}

impl fmt::Display for All {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} power cuts\n  {}", self.count, self.found)?;
        f.write_str(&self.found.details())
    }
}
