//! A queue among those of other workers.

use super::*;

/// A queue of a worker among others.
fn among_others() -> Team {
    Team {
        queue: Queue::new(limits(), Probing::Open),
        now: Instant::now(),
    }
}

fn away(pause: u64) -> ServerNews {
    ServerNews::away(ms(pause))
}

#[test]
fn an_outage_and_its_end_are_news_for_other_workers() {
    let mut team = among_others();
    let who = team.teammate();
    let began = team.asks(who);
    team.failed(who, began).unwrap();
    assert_eq!(team.queue.take_news(), Some(away(500)));
    assert_eq!(team.queue.take_news(), None);
    team.now += ms(500);
    let probe = team.asks(who);
    team.failed(who, probe).unwrap();
    assert_eq!(team.queue.take_news(), Some(away(1_000)));
    // From now on one worker probes.
    team.now += ms(1_000);
    assert_eq!(team.look(who), QueueStep::Claim);
    assert_eq!(team.look(who), QueueStep::Wait(None));
    team.queue.probe_claimed(true, team.now);
    team.asks(who);
    team.queue.accepted(team.now);
    assert_eq!(team.queue.take_news(), Some(ServerNews::Back));
}

#[test]
fn a_process_that_is_alone_has_no_news_and_asks_for_no_claim() {
    let mut team = Team::new();
    let who = team.teammate();
    for pause in [500, 1_000, 2_000, 4_000] {
        let began = team.asks(who);
        assert_eq!(team.failed(who, began), Ok(Pause::ForServer(ms(pause))));
        assert_eq!(team.queue.take_news(), None);
        team.now += ms(pause);
    }
}

#[test]
fn what_others_tell_of_an_outage_pauses_all_until_one_is_accepted_anywhere() {
    let mut team = among_others();
    let (one, two) = (team.teammate(), team.teammate());
    team.queue.hear(away(4_000), team.now);
    assert_eq!(team.look(one), QueueStep::Wait(Some(team.now + ms(4_000))));
    team.queue.hear(away(8_000), team.now);
    assert_eq!(team.look(one), QueueStep::Wait(Some(team.now + ms(8_000))));
    assert_eq!(
        team.queue.take_news(),
        None,
        "what was heard is not told again"
    );
    team.queue.hear(ServerNews::Back, team.now);
    team.asks(one);
    team.asks(two);
}

#[test]
fn a_worker_sees_for_itself_what_it_heard() {
    let mut team = among_others();
    let who = team.teammate();
    team.queue.hear(away(4_000), team.now);
    team.now += ms(4_000);
    // Its own first two failures ask nobody.
    for _ in 0..2 {
        let began = team.asks(who);
        team.failed(who, began).unwrap();
        team.now += LATER;
    }
    assert_eq!(team.look(who), QueueStep::Claim);
    team.queue.probe_claimed(false, team.now);
    let QueueStep::Wait(Some(again)) = team.look(who) else {
        panic!("another one probes");
    };
    assert!(again > team.now + LATER);
    team.queue.hear(ServerNews::Back, team.now);
    team.asks(who);
}

#[test]
fn who_was_answered_a_moment_ago_believes_its_own_eyes() {
    let mut team = among_others();
    let who = team.teammate();
    team.asks(who);
    team.queue.accepted(team.now);
    let next = team.teammate();
    team.now += ms(9_000);
    team.queue.hear(away(8_000), team.now);
    team.asks(next);
    // A rate limit is the key's: it is believed in any case.
    team.queue.hear(ServerNews::refused(ms(3_000)), team.now);
    let third = team.teammate();
    assert_eq!(
        team.look(third),
        QueueStep::Wait(Some(team.now + ms(3_000)))
    );
}

#[test]
fn a_pause_that_the_server_asks_for_is_news_and_has_a_bound() {
    let mut team = among_others();
    let who = team.teammate();
    let began = team.asks(who);
    team.refused(who, began, Some(ms(40_000))).unwrap();
    let told = team.queue.take_news();
    assert_eq!(told, Some(ServerNews::refused(ms(40_000))));
    let mut other = among_others();
    let waits = other.teammate();
    other
        .queue
        .hear(ServerNews::Refused { for_ms: u64::MAX }, other.now);
    let until = other.now + Duration::from_secs(600);
    assert_eq!(other.look(waits), QueueStep::Wait(Some(until)));
}
