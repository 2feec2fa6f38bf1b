//! The wire between workers: what arrives, and what an asker may conclude. All of it may be lost; here nothing is.

use std::time::Duration;

use teammate_core::{
    name::WorkerName,
    port::{BoxFuture, Fleet, FleetAnswer, FleetAsked, FleetQuestion, FleetReply},
    team::Beat,
};

/// Far longer than anything takes.
const LONG: Duration = Duration::from_secs(60);

/// The workers of one team.
pub trait FleetWorld: Send + Sync {
    /// The wire as this worker has it, in a process of its own.
    fn wire<'a>(&'a self, worker: &'a WorkerName) -> BoxFuture<'a, Box<dyn Fleet>>;
}

fn worker(text: &str) -> WorkerName {
    WorkerName::parse(text).unwrap()
}

fn beat(of: &str, is_draining: bool) -> Beat {
    serde_json::from_value(serde_json::json!({
        "worker": of,
        "session": "00000000-0000-0000-0000-000000000007",
        "is_draining": is_draining,
    }))
    .unwrap()
}

/// A beat reaches every worker that listens, its own among them; what it says anew is not held back.
pub async fn beats_reach_everybody_and_what_is_new_comes_at_once(world: &dyn FleetWorld) {
    let (one, two) = (worker("one"), worker("two"));
    let (one, two) = (world.wire(&one).await, world.wire(&two).await);
    let (mut at_one, mut at_two) = (one.beats().await.unwrap(), two.beats().await.unwrap());
    for is_draining in [false, true] {
        let beat = beat("two", is_draining);
        two.beat(&beat).await;
        assert_eq!(at_one.next().await, Some(beat.clone()));
        assert_eq!(at_two.next().await, Some(beat));
    }
}

/// An answer comes to who asked, and who is asked knows by whom.
pub async fn a_question_names_who_asks_and_is_answered(world: &dyn FleetWorld) {
    let (one, two) = (worker("one"), worker("two"));
    let (at_one, at_two) = (world.wire(&one).await, world.wire(&two).await);
    let mut asked = at_one.asked().await.unwrap();
    let answering = async {
        let FleetAsked {
            by,
            question,
            answer,
            ..
        } = asked.next().await.unwrap();
        assert_eq!((by, question), (two, FleetQuestion::Ping));
        answer(FleetAnswer::Pong);
    };
    let (reply, ()) = tokio::join!(at_two.ask(&one, &FleetQuestion::Ping, LONG), answering);
    assert_eq!(reply, FleetReply::Answered(FleetAnswer::Pong));
}

/// Who hears that nobody listens may be certain of it; who hears nothing may not.
pub async fn nobody_is_certain_and_silence_is_not(world: &dyn FleetWorld) {
    let (one, two) = (worker("one"), worker("two"));
    let (at_one, at_two) = (world.wire(&one).await, world.wire(&two).await);
    let nobody = at_two.ask(&one, &FleetQuestion::Ping, LONG).await;
    assert_eq!(nobody, FleetReply::Nobody);
    let mut asked = at_one.asked().await.unwrap();
    let waits = Duration::from_millis(50);
    let silent = at_two.ask(&one, &FleetQuestion::Ping, waits).await;
    assert_eq!(silent, FleetReply::Silent);
    // It has heard, and answers nobody any more.
    drop(asked.next().await.unwrap());
}
