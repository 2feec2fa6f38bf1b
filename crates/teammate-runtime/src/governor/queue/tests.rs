//! The queue of one server, step by step.

mod heard;

use super::*;

const LATER: Duration = Duration::from_secs(1);

fn limits() -> RetryLimits {
    RetryLimits {
        unanswered: Duration::from_secs(120),
        ..RetryLimits::default()
    }
}

/// A queue, and a clock that the test moves.
struct Team {
    queue: Queue,
    now: Instant,
}

impl Team {
    fn new() -> Self {
        Self {
            queue: Queue::new(limits(), Probing::Alone),
            now: Instant::now(),
        }
    }

    fn lead(&mut self) -> Ticket {
        self.queue.enter(Rank::Lead, None, self.now)
    }

    fn teammate(&mut self) -> Ticket {
        self.queue.enter(Rank::Teammate, None, self.now)
    }

    fn look(&mut self, who: Ticket) -> QueueStep {
        self.queue.look(who, self.now)
    }

    /// A request begins, which it may.
    fn asks(&mut self, who: Ticket) -> BeginStamp {
        match self.look(who) {
            QueueStep::Ask(began) => began,
            turn => panic!("{who:?} may not ask: {turn:?}"),
        }
    }

    /// A server that took one request, and refused the second.
    fn with_room_for_one(&mut self) -> BeginStamp {
        let (first, second) = (self.teammate(), self.teammate());
        let (one, two) = (self.asks(first), self.asks(second));
        self.queue.accepted(self.now);
        self.refused(second, two, None).unwrap();
        self.queue.leave(second);
        self.now += LATER;
        one
    }

    fn failed(&mut self, who: Ticket, began: BeginStamp) -> Result<Pause, GaveUp> {
        self.fails(who, began, None)
    }

    fn fails(
        &mut self,
        who: Ticket,
        began: BeginStamp,
        after: Option<Duration>,
    ) -> Result<Pause, GaveUp> {
        self.queue.failed(&self.tried(who, began, &failure(after)))
    }

    fn refused(
        &mut self,
        who: Ticket,
        began: BeginStamp,
        after: Option<Duration>,
    ) -> Result<Pause, GaveUp> {
        self.queue.refused(&self.tried(who, began, &failure(after)))
    }

    fn tried<'a>(
        &self,
        ticket: Ticket,
        began: BeginStamp,
        failure: &'a UnansweredRequest<'a>,
    ) -> Tried<'a> {
        Tried {
            ticket,
            began,
            failure,
            now: self.now,
        }
    }
}

fn failure(after: Option<Duration>) -> UnansweredRequest<'static> {
    UnansweredRequest::new("no answer", after, 1.0)
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn an_outage_is_one_event_however_many_requests_it_breaks() {
    let mut team = Team::new();
    let callers: Vec<_> = (0..20).map(|_| team.teammate()).collect();
    let began: Vec<_> = callers.iter().map(|who| team.asks(*who)).collect();
    for (who, began) in callers.iter().zip(began) {
        assert_eq!(team.failed(*who, began), Ok(Pause::ForServer(ms(500))));
    }
    // One probes, after half a second.
    assert_eq!(
        team.look(callers[0]),
        QueueStep::Wait(Some(team.now + ms(500)))
    );
    assert_eq!(team.look(callers[1]), QueueStep::Wait(None));
    team.now += ms(500);
    let probe = team.asks(callers[0]);
    assert_eq!(team.look(callers[1]), QueueStep::Wait(None));
    // It fails, and the next one probes, after a second.
    assert_eq!(
        team.failed(callers[0], probe),
        Ok(Pause::ForServer(ms(1_000)))
    );
    assert_eq!(team.look(callers[0]), QueueStep::Wait(None));
    team.now += ms(1_000);
    team.asks(callers[1]);
    // It is accepted, and four more may ask.
    team.queue.accepted(team.now);
    for who in &callers[2..6] {
        team.asks(*who);
    }
    assert_eq!(team.look(callers[6]), QueueStep::Wait(None));
    // Each that is accepted lets four more ask.
    team.queue.accepted(team.now);
    for who in &callers[6..10] {
        team.asks(*who);
    }
    assert_eq!(team.look(callers[10]), QueueStep::Wait(None));
}

#[test]
fn what_the_server_asks_for_is_believed() {
    let mut team = Team::new();
    let who = team.teammate();
    for wanted in [5_000, 5_000, 40_000, 200] {
        let began = team.asks(who);
        let pause = team.fails(who, began, Some(ms(wanted)));
        assert_eq!(pause, Ok(Pause::ForServer(ms(wanted))));
        team.now += ms(wanted);
    }
    let began = team.asks(who);
    team.queue.accepted(team.now);
    team.queue.ended(began);
    for wanted in [5_000, 40_000] {
        let began = team.asks(who);
        let pause = team.refused(who, began, Some(ms(wanted)));
        assert_eq!(pause, Ok(Pause::ForServer(ms(wanted))));
        team.now += ms(wanted);
    }
}

#[test]
fn what_nobody_can_wait_for_is_cut() {
    let mut team = Team::new();
    let who = team.teammate();
    let began = team.asks(who);
    team.queue.accepted(team.now);
    team.queue.ended(began);
    let began = team.asks(who);
    let pause = team.fails(who, began, Some(Duration::MAX));
    assert_eq!(pause, Ok(Pause::ForServer(Duration::from_secs(600))));
}

#[test]
fn pauses_without_a_wish_are_bounded() {
    let mut team = Team::new();
    let who = team.teammate();
    let mut pauses = Vec::new();
    for _ in 0..7 {
        let began = team.asks(who);
        let pause = team.failed(who, began).unwrap().time();
        team.now += pause;
        pauses.push(pause.as_millis());
    }
    assert_eq!(pauses, [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
}

#[test]
fn a_cancelled_probe_lets_the_next_one_go() {
    let mut team = Team::new();
    let (one, two) = (team.teammate(), team.teammate());
    let began = team.asks(one);
    team.failed(one, began).unwrap();
    team.now += LATER;
    let probe = team.asks(one);
    assert_eq!(team.look(two), QueueStep::Wait(None));
    team.queue.ended(probe);
    team.queue.leave(one);
    team.asks(two);
}

#[test]
fn a_failure_while_others_are_accepted_holds_back_nobody_else() {
    let mut team = Team::new();
    let (broken, other) = (team.teammate(), team.teammate());
    let began = team.asks(broken);
    team.asks(other);
    team.queue.accepted(team.now);
    assert_eq!(team.failed(broken, began), Ok(Pause::ForItself(ms(500))));
    team.asks(other);
    team.queue.accepted(team.now);
    // Also when nobody is accepted during its next try: it failed where others did not.
    let began = team.asks(broken);
    assert_eq!(team.failed(broken, began), Ok(Pause::ForItself(ms(1_000))));
    team.asks(other);
}

#[test]
fn a_rate_limit_that_accepts_nothing_is_tried_ever_more_rarely() {
    let mut team = Team::new();
    let who = team.teammate();
    let mut pauses = Vec::new();
    for _ in 0..6 {
        let began = team.asks(who);
        let pause = team.refused(who, began, None).unwrap().time();
        team.now += pause;
        pauses.push(pause.as_millis());
    }
    assert_eq!(pauses, [500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    // When it accepts again, requests follow each other soon.
    team.asks(who);
    team.queue.accepted(team.now);
    team.now += ms(50);
    team.asks(who);
}

#[test]
fn the_lead_goes_first_but_not_always() {
    let mut team = Team::new();
    let mut running = team.with_room_for_one();
    let teammates: Vec<_> = (0..20).map(|_| team.teammate()).collect();
    for who in &teammates {
        assert_eq!(team.look(*who), QueueStep::Wait(None));
    }
    let mut order = Vec::new();
    for round in 0..4 {
        // The lead comes again each time.
        let lead = team.lead();
        assert_eq!(team.look(lead), QueueStep::Wait(None), "{round}");
        for _ in 0..2 {
            team.queue.ended(running);
            team.now += LATER;
            let first = team.queue.first().unwrap();
            order.push(teammates.iter().position(|who| *who == first));
            running = team.asks(first);
        }
    }
    let (lead, teammate) = (None, Some);
    let expected = [
        lead,
        teammate(0),
        lead,
        teammate(1),
        lead,
        teammate(2),
        lead,
        teammate(3),
    ];
    assert_eq!(order, expected);
}

#[test]
fn all_requests_to_a_server_that_never_answered_are_given_up() {
    let mut team = Team::new();
    let (asks, waits) = (team.teammate(), team.teammate());
    let begun = team.now;
    let end = loop {
        let began = team.asks(asks);
        match team.failed(asks, began) {
            Ok(pause) => team.now += pause.time(),
            Err(end) => break end,
        }
    };
    assert!(!end.has_answered);
    assert!(team.now - begun > Duration::from_secs(110));
    team.queue.leave(asks);
    assert!(matches!(team.look(waits), QueueStep::GiveUp(end) if end.why == "no answer"));
    // A request that comes now is tried anew.
    let late = team.teammate();
    assert!(matches!(team.look(late), QueueStep::Wait(Some(_))));
}

#[test]
fn a_server_that_has_answered_is_tried_for_longer() {
    let mut team = Team::new();
    let who = team.teammate();
    let began = team.asks(who);
    team.queue.accepted(team.now);
    team.queue.ended(began);
    let who = team.teammate();
    let begun = team.now;
    let end = loop {
        let began = team.asks(who);
        match team.failed(who, began) {
            Ok(pause) => team.now += pause.time(),
            Err(end) => break end,
        }
    };
    assert!(end.has_answered);
    assert!(team.now - begun > Duration::from_secs(29 * 60));
}
