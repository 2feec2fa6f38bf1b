//! A team in files has nothing of the fleet: the program speaks with nobody.

use std::{fs, process::Command};

use crate::{
    play::{play, say},
    world::World,
};

// fast: a team in files opens no connection
#[test]
fn a_run_on_files_opens_no_connection() {
    if Command::new("strace").arg("--version").output().is_err() {
        eprintln!("SKIPPED: strace is not installed");
        return;
    }
    // The sandbox has a proxy of its own on this machine, so it is off.
    let world = World::playing(&play([("lead", vec![say("It is lit.")])]));
    let trace = world.path("../trace");
    let run = world.command(&["run", "--sandbox", "off", "light it"]);
    let mut traced = Command::new("strace");
    traced
        .args(["-f", "-qq", "-e", "trace=socket,connect,execve", "-o"])
        .arg(&trace)
        .arg(run.get_program())
        .args(run.get_args())
        .env_clear()
        .envs(world.variables())
        .current_dir(world.work());
    world.launch(traced).end().ends(0).says("It is lit.");
    let trace = fs::read_to_string(trace).unwrap();
    assert!(trace.contains("execve("), "something was traced");
    let opened: Vec<_> = trace
        .lines()
        .filter(|line| line.contains("AF_INET"))
        .collect();
    assert_eq!(opened, [""; 0]);
}
