//! Kills by chance: starts the workers, kills them, starts them again, and takes stock at the end of each round.

use std::{collections::BTreeMap, io, path::Path, thread, time::Duration};

use teammate_store::{disk::RealDisk, files::TeamDir};

use super::{
    Plan,
    crew::Crew,
    rng::Chance,
    verdict::Verdict,
    worker::{Design, take_stock},
};

/// A round has this many kills: transcripts are read at every start of the reader and should stay short.
const ROUND_KILLS: u64 = 100;

/// Kills as planned, round by round.
pub(crate) fn torture(design: Design, plan: &Plan) -> io::Result<Verdict> {
    plan.rounds(ROUND_KILLS, |kills, chance, verdict| {
        let dir = tempfile::tempdir()?;
        let root = dir.path().join(".team");
        TeamDir::create(&RealDisk, &root)?;
        let acknowledged = round(design, &root, kills, chance)?;
        let heard = take_stock(design, &root).map_err(io::Error::other)?;
        verdict.add(&acknowledged, &heard);
        Ok(())
    })
}

/// One round; what was acknowledged to each sender in the end.
fn round(
    design: Design,
    root: &Path,
    kills: u64,
    chance: &mut Chance,
) -> io::Result<BTreeMap<String, u64>> {
    let mut crew = Crew::start(design, root, &BTreeMap::new())?;
    for _ in 0..kills {
        thread::sleep(Duration::from_micros(chance.below(30_000)));
        // The reader as often as all the senders.
        let victim = usize::try_from(chance.below(8)).unwrap_or_default();
        crew.replace(victim)?;
    }
    crew.end()
}
