//! Workers of other versions than the team: refused in a sentence, or they work.

use teammate::nats::layout::TeamId;

use super::{
    camp::{Camp, Servers},
    load,
};
use crate::world::{World, now};

#[test]
fn a_worker_that_is_too_old_for_a_team_is_refused_in_a_sentence() {
    let Some(camp) = Camp::new(World::playing(&load::team()), Servers::One) else {
        return;
    };
    camp.make_team();
    // As a newer program would have made it.
    now(async {
        let (client, team) = (camp.client().await, TeamId::parse("lamps").unwrap());
        let card = format!("{{\"id\":\"{team}\",\"partition\":0,\"format\":2}}");
        let stored = client.request(format!("$KV.TM_TEAMS.{team}"), card.into());
        let stored = stored.await.unwrap();
        assert!(String::from_utf8_lossy(&stored.payload).contains("\"seq\""));
    });
    let refusal =
        "team 'lamps' is of a newer program; install the version that the other workers run";
    camp.worker_alone("w1", &["--for", "lamps"])
        .end()
        .ends(1)
        .complains(refusal);
    camp.ann(&["team"]).ends(1).complains(refusal);
    // One that serves all teams says so, and serves the others.
    let worker = camp.worker_alone("w2", &[]);
    worker.until(refusal);
    worker.signal(rustix::process::Signal::TERM);
    worker.end().ends(0);
}
