//! One seeded run: what happens to the workers, to the engine between them and to the team.

use std::time::Duration;

use teammate_core::{MemberName, request::Answer};
use teammate_runtime::Host;
use teammate_testkit::memory::WireFault;

use super::{
    crew::{Crew, Parted},
    engine::Engine,
    judge::{self, Played},
    mishaps::Mishap,
    planted::Planted,
};
use crate::simulation::chance::Chance;

/// Nothing takes this long in the simulation's time unless it hangs.
const FOR_EVER: Duration = Duration::from_secs(2 * 3_600);

/// Whether the environment wants lost and late messages.
pub(crate) fn wants_losses() -> bool {
    std::env::var_os("TEAMMATE_LOSSES").is_some()
}

/// Plays one seed, with lost and late messages if the environment wants them.
pub(crate) fn play(seed: u64) -> Played {
    play_on(seed, wants_losses(), None)
}

/// The same with lost and late messages in any case.
pub(crate) fn play_lossy(seed: u64) -> Played {
    play_on(seed, true, None)
}

/// The same with something that is wrong.
pub(crate) fn play_planted(seed: u64, planted: Planted) -> Played {
    play_on(seed, true, Some(planted))
}

fn play_on(seed: u64, is_lossy: bool, planted: Option<Planted>) -> Played {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    // In which order tokio wakes those who wait for one thing is the seed's, too, where it can be set.
    #[cfg(tokio_unstable)]
    runtime.rng_seed(tokio::runtime::RngSeed::from_bytes(&seed.to_le_bytes()));
    let runtime = runtime.enable_time().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let ended = tokio::time::timeout(2 * FOR_EVER, run(Chance::new(seed), is_lossy, planted));
        ended.await.expect("the team hangs")
    })
}

async fn run(chance: Chance, is_lossy: bool, planted: Option<Planted>) -> Played {
    let engine = Engine::new(&chance, planted, is_lossy);
    let size = chance.between(2, 3);
    let mut crew = Crew::new(engine, &chance, size);
    start_all(&mut crew).await;
    let mut said = Vec::new();
    begin(&crew, &mut said).await;
    for at in 0..chance.between(2, 25) {
        let bound = if chance.below(2) == 0 { 100 } else { 9_000 };
        tokio::time::sleep(Duration::from_millis(chance.below(bound))).await;
        crew.bury().await;
        crew.pass_deadlines().await;
        let worker = usize::try_from(chance.below(size)).unwrap();
        match chance.below(17) {
            0..=7 => ask_of_team(&crew, worker, &chance, at, &mut said).await,
            8 | 9 => crew.kill(worker),
            10 => crew.part(worker, Parted::FromAll),
            11 => {
                let late = WireFault::Late(Duration::from_millis(chance.below(2_000)));
                let faults = [WireFault::CutOff, WireFault::Deaf, WireFault::Mute];
                let faults = [&faults[..], &[WireFault::AnswersLost, late]].concat();
                let fault = faults[usize::try_from(chance.below(5)).unwrap()];
                crew.part(worker, Parted::FromOthers(fault));
            }
            12 => crew.stop(worker, true),
            13 => {
                crew.engine.mishaps.count(Mishap::Election);
                let lasts = Duration::from_millis(chance.below(7_000));
                crew.engine.elect(lasts).await;
            }
            14 => {
                let off = i64::try_from(chance.below(1_200_000)).unwrap() - 600_000;
                crew.set_clock(worker, off);
            }
            15 => {
                crew.engine.mishaps.count(Mishap::PowerCut);
                let lasts = Duration::from_millis(chance.below(7_000));
                crew.engine.cut_power(lasts).await;
            }
            _ => {
                heal(&crew);
                start_all(&mut crew).await;
            }
        }
    }
    rest(&mut crew).await;
    judge::all(&mut crew, &said).await
}

/// Without a word of the user nobody works.
async fn begin(crew: &Crew, said: &mut Vec<(MemberName, String)>) {
    let text = "the person's first word".to_owned();
    if let Some(host) = crew.hosts().next()
        && let Ok(to) = host.send_as_user("lead", text.clone()).await
    {
        said.push((to, text));
    }
}

/// What the user wants of a worker, if it can be reached.
async fn ask_of_team(
    crew: &Crew,
    worker: usize,
    chance: &Chance,
    at: u64,
    said: &mut Vec<(MemberName, String)>,
) {
    let Some(process) = &crew.workers[worker].process else {
        return;
    };
    let wish = wish(&process.host, chance, at, said);
    // A worker that is cut off or stopped may take for ever.
    let _ = tokio::time::timeout(Duration::from_secs(30), wish).await;
}

async fn wish(host: &Host, chance: &Chance, at: u64, said: &mut Vec<(MemberName, String)>) {
    match chance.below(8) {
        0..=3 => {
            let to = chance.pick(&["lead", "lead", "a", "b", "c", "d"]);
            let text = format!("the person's word {at}");
            if let Ok(to) = host.send_as_user(to, text.clone()).await {
                said.push((to, text));
            }
        }
        4 => {
            let name = chance.pick(&["lead", "a", "b", "c", "d"]);
            host.interrupt(&MemberName::parse(name).unwrap()).await;
        }
        5 => {
            let name = chance.pick(&["a", "b", "c", "d"]);
            let within = Duration::from_millis(chance.below(3) * 2_000);
            // A missing or stopped member cannot.
            let _ = host.request_shutdown(name, within).await;
        }
        _ => {
            for request in host.requests() {
                let answer = match chance.below(3) {
                    0 => Answer::no("the person says no"),
                    _ => Answer::yes(),
                };
                // Not all are the user's to answer, and some are settled by now.
                let _ = host.answer(request.id, answer).await;
            }
        }
    }
}

fn heal(crew: &Crew) {
    for at in 0..crew.workers.len() {
        crew.stop(at, false);
        crew.part(at, Parted::Not);
    }
}

async fn start_all(crew: &mut Crew) {
    for at in 0..crew.workers.len() {
        crew.start(at).await;
    }
}

/// All is well from now on: the team comes to rest on every worker.
async fn rest(crew: &mut Crew) {
    crew.engine.calm();
    let ended = tokio::time::timeout(FOR_EVER, async {
        loop {
            heal(crew);
            crew.bury().await;
            start_all(crew).await;
            // Long enough for every worker to have joined or to have learnt that it was replaced.
            tokio::time::sleep(Duration::from_secs(90)).await;
            crew.bury().await;
            if crew.hosts().count() < crew.workers.len() {
                continue;
            }
            let mut hosts: Vec<&Host> = crew.hosts().collect();
            let first = usize::try_from(crew.engine.chance.below(hosts.len() as u64)).unwrap();
            hosts.rotate_left(first);
            hosts[0].wait_idle().await;
            let written = crew.engine.written();
            for host in &hosts[1..] {
                host.wait_idle().await;
            }
            // All hosts read up; work that goes on after all shows.
            tokio::time::sleep(Duration::from_secs(5)).await;
            assert_eq!(
                crew.engine.written(),
                written,
                "somebody worked in a team at rest"
            );
            return;
        }
    });
    if ended.await.is_err() {
        panic!("the team never rests:\n{}", judge::standing(crew).await);
    }
}
