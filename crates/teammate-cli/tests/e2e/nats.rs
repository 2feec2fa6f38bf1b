//! `teammate keys` and `teammate doctor --nats`, with a real server. Where there is no server, each says that it is skipped.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use teammate_testkit::nats::{NatsCluster, NatsServer, Sync, program};

use crate::world::World;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// A circle with `ann` and the worker `w1`; what the servers include.
fn circle(world: &World, dir: &Path) -> String {
    let dir = dir.to_str().unwrap();
    let keys = |args: &[&str]| {
        let args = [&["keys", "--circle", dir], args].concat();
        world.teammate(&args).ends(0);
    };
    keys(&["init"]);
    keys(&["person", "ann"]);
    keys(&["worker", "w1", "--for", "app"]);
    fs::read_to_string(Path::new(dir).join("accounts.conf")).unwrap()
}

// fast: the verb keys
#[test]
fn keys_are_secrets_of_their_own_and_the_servers_learn_none() {
    let (world, dir) = (World::with_model("openai:m"), tempfile::tempdir().unwrap());
    let dir = dir.path().join("circle");
    let accounts = circle(&world, &dir);
    for secret in ["circle.json", "ann.creds", "w1.creds"] {
        assert_eq!(mode(&dir.join(secret)), 0o600, "{secret}");
        let text = fs::read_to_string(dir.join(secret)).unwrap();
        for line in text.lines().filter(|line| line.contains("\"SU")) {
            let seed = line.split('"').nth(3).unwrap();
            assert!(!accounts.contains(seed), "{secret}");
        }
    }
    assert!(accounts.contains("tm.*.app.j"), "{accounts}");
    let circle = dir.to_str().unwrap();
    world
        .teammate(&["keys", "--circle", circle, "init"])
        .ends(1)
        .complains("has a circle already");
    world
        .teammate(&["keys", "--circle", circle, "worker", "w1"])
        .ends(1)
        .complains("'w1' is in the circle already");
    world
        .teammate(&["keys", "--circle", circle, "worker", "no name"])
        .ends(2)
        .complains("is not a worker's name");
    world
        .teammate(&["keys", "--circle", circle, "remove", "w1"])
        .ends(0)
        .says("reload the servers");
    let accounts = fs::read_to_string(dir.join("accounts.conf")).unwrap();
    assert!(!accounts.contains("# w1"), "{accounts}");
    world
        .teammate(&["keys", "--circle", circle, "worker", "w1"])
        .ends(1)
        .complains("choose another name");
}

#[test]
fn doctor_says_of_servers_what_is_well_and_what_to_change() {
    let Some(server) = program() else { return };
    let (world, dir) = (World::with_model("openai:m"), tempfile::tempdir().unwrap());
    let accounts = circle(&world, &dir.path().join("circle"));
    let creds = |name: &str| dir.path().join(format!("circle/{name}.creds"));
    let (ann, w1) = (creds("ann"), creds("w1"));
    let (ann, w1) = (ann.to_str().unwrap(), w1.to_str().unwrap());
    let one = NatsServer::start_with(&server, dir.path(), Sync::Always, &accounts).unwrap();
    let url = one.url();
    let doctor = |args: &[&str]| world.teammate(&[&["doctor", "--nats", &url], args].concat());
    // The system account proves it, and so does the monitor.
    doctor(&["--replicas", "1", "--creds", ann])
        .ends(0)
        .says("synced before they acknowledge")
        .says("200 appends of 4 KiB")
        .says("the clocks agree")
        .says("no streams of teams yet");
    doctor(&[
        "--replicas",
        "1",
        "--creds",
        ann,
        "--monitor",
        &one.monitor(),
    ])
    .ends(0);
    doctor(&["--creds", ann])
        .ends(1)
        .says("no stream can be on 3 servers")
        .says("to try it out");
    doctor(&["--creds", w1])
        .ends(0)
        .says("open no call on streams");
    // Nobody comes in without keys, and nobody speaks in clear text to another machine.
    doctor(&[])
        .ends(1)
        .says("the NATS servers refuse these keys")
        .says("give --creds");
    let missing = world.teammate(&["team", "--nats", &url, "--creds", "nobody.creds"]);
    let missing = missing.ends(1);
    assert_eq!(
        missing.err.matches("No such file").count(),
        1,
        "{}",
        missing.err
    );
    world
        .teammate(&["doctor", "--nats", "nats://192.0.2.1:4222"])
        .ends(1)
        .says("write tls://");
    fs::set_permissions(ann, fs::Permissions::from_mode(0o644)).unwrap();
    doctor(&["--creds", ann])
        .ends(1)
        .says("can be read by others");
}

#[test]
fn doctor_refuses_a_server_that_loses_what_it_acknowledged() {
    let Some(server) = program() else { return };
    let (world, dir) = (World::with_model("openai:m"), tempfile::tempdir().unwrap());
    let late = NatsServer::start(&server, dir.path(), Sync::ByDefault).unwrap();
    let doctor = |args: &[&str]| {
        let given = ["doctor", "--nats", &late.url(), "--replicas", "1"].map(str::to_owned);
        let args: Vec<&str> = given
            .iter()
            .map(String::as_str)
            .chain(args.iter().copied())
            .collect();
        world.teammate(&args)
    };
    doctor(&["--monitor", &late.monitor()])
        .ends(1)
        .says("set jetstream { sync_interval: always }");
    // What nobody proves counts as missing.
    doctor(&[])
        .ends(1)
        .says("nothing proves that server a syncs");
}

#[test]
fn doctor_looks_at_three_servers() {
    let Some(server) = program() else { return };
    let (world, dir) = (World::with_model("openai:m"), tempfile::tempdir().unwrap());
    let three = NatsCluster::start(&server, dir.path()).unwrap();
    let monitors: Vec<String> = three.servers.iter().map(NatsServer::monitor).collect();
    let (urls, monitors) = (three.urls().join(","), monitors.join(","));
    // A cluster that was just started elects its leader first, and a slow disk lets a server lag behind.
    let looked = || world.teammate(&["doctor", "--nats", &urls, "--monitor", &monitors]);
    let mut seen = looked();
    let is_early =
        |out: &str| out.contains("no stream can be on 3 servers") || out.contains("is not current");
    while is_early(&seen.out) {
        seen = looked();
    }
    seen.ends(0)
        .says("a stream is on 3 servers, all of them current")
        .says("a, b, c: new enough");
}
