//! Real teams of real workers: three NATS servers and three `teammate worker` processes, each on a machine of its own, are killed,
//! stopped for a while and cut off from each other, while a person writes to the members and they work.
//!
//! A machine is a network namespace; the whole rig is in namespaces of its own, so it needs root, and nothing of it is left when it
//! ends. The model is a play; everything else is what people use.

mod blow;
mod cables;
mod certificates;
mod fleet;
mod judge;
mod load;
mod names;
mod play;
mod round;
mod servers;
mod site;
mod stock;
mod worker;

use std::{
    env, io,
    path::Path,
    process::{Command, ExitCode, ExitStatus},
    sync::Arc,
    time::{Duration, Instant},
};

use teammate_testkit::nats::program;

use self::{
    blow::Blows, certificates::Certificates, fleet::Fleet, judge::Found, round::Size, site::Site,
};
use super::{Plan, rng::Chance, say};

/// A round has this many blows: mail that was settled stays, and a member has room for a thousand.
const ROUND_BLOWS: u64 = 16;

/// In so much time there is at least one blow, or the rig does nothing.
const BLOW_WITHIN: Duration = Duration::from_secs(15);

/// Whether all teams held. Without root or a server it says that nothing was tested.
pub(super) fn torture(plan: &Plan) -> io::Result<bool> {
    if program().is_none() {
        return Ok(true);
    }
    if !rustix::process::geteuid().is_root() {
        eprintln!("SKIPPED: network namespaces need root");
        return Ok(true);
    }
    let dir = tempfile::tempdir()?;
    let addresses: Vec<String> = names::SERVERS.map(cables::address).to_vec();
    let certificates = Certificates::make(&dir.path().join("tls"), &addresses)?;
    let ended = inside(plan, dir.path(), &certificates)?;
    if !ended.success() {
        let kept = dir.keep();
        print_now(&format!("kept in {}\n", kept.display()))?;
    }
    Ok(ended.success())
}

/// The rig once more, in namespaces of its own: nothing in them outlives it.
fn inside(plan: &Plan, dir: &Path, certificates: &Certificates) -> io::Result<ExitStatus> {
    Command::new("unshare")
        .args(["--net", "--pid", "--fork", "--kill-child", "--mount-proc"])
        .arg(env::current_exe()?)
        .args(["torture", "workers-inside"])
        .arg(dir)
        .args([plan.crashes, plan.time.as_secs(), plan.seed].map(|number| number.to_string()))
        .env("SSL_CERT_FILE", certificates.authority())
        .status()
}

/// What runs in there.
pub(crate) fn run_inside(dir: &str, numbers: &[&str]) -> Result<ExitCode, String> {
    let numbers: Result<Vec<u64>, _> = numbers.iter().map(|number| number.parse()).collect();
    let numbers = numbers.map_err(|error| error.to_string())?;
    let [crashes, seconds, seed] = numbers[..] else {
        return Err("blows, seconds and a seed".to_owned());
    };
    let plan = Plan {
        crashes,
        seed,
        time: Duration::from_secs(seconds),
    };
    let is_well = rounds(&plan, Path::new(dir)).map_err(|error| error.to_string())?;
    Ok(super::exit_code(is_well))
}

fn rounds(plan: &Plan, dir: &Path) -> io::Result<bool> {
    let program = program().ok_or(io::ErrorKind::NotFound)?;
    let mut chance = Chance(plan.seed);
    let mark = format!("{:07}", chance.below(10_000_000));
    cables::set_switches_up()?;
    let certificates = Certificates::at(&dir.join("tls"));
    let site = Arc::new(Site::make(dir, certificates, &mark)?);
    let mut fleet = Fleet::boot(site, &program)?;
    let (begun, mut number) = (Instant::now(), 0);
    let (mut blows, mut found) = (Blows::default(), Found::default());
    while blows.count() < plan.crashes && begun.elapsed() < plan.time && found.wrong.is_empty() {
        number += 1;
        let size = Size {
            blows: (plan.crashes - blows.count()).min(ROUND_BLOWS),
            time: plan.time.saturating_sub(begun.elapsed()),
        };
        found.add(round::round(
            &mut fleet,
            &mark,
            number,
            &size,
            (&mut blows, &mut chance),
        )?);
        print_now(&format!(
            "round {number}, {} s: {found}\n",
            begun.elapsed().as_secs()
        ))?;
    }
    let took = begun.elapsed();
    print_now(&format!(
        "{} blows ({blows})\n{}",
        blows.count(),
        found.details()
    ))?;
    let least = plan
        .crashes
        .min(plan.time.min(took).as_secs() / BLOW_WITHIN.as_secs());
    let is_enough = blows.count() >= least.max(1);
    let is_well = found.wrong.is_empty() && is_enough;
    let word = match (is_well, is_enough) {
        (true, _) => "ok: heard once, done once, one history, nothing left running".to_owned(),
        (false, false) => format!("FAILED: there should have been {least} blows"),
        (false, true) => format!("FAILED: replay with --seed {}", plan.seed),
    };
    print_now(&format!("{word} ({} s)\n", took.as_secs()))?;
    Ok(is_well)
}

fn print_now(text: &str) -> io::Result<()> {
    say(text).map_err(io::Error::other)
}
