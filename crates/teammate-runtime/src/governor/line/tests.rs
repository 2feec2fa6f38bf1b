//! The line in front of one server, step by step.

use super::*;

const LATER: Duration = Duration::from_secs(1);

fn limits() -> RetryLimits {
    RetryLimits {
        unanswered: Duration::from_secs(120),
        ..RetryLimits::default()
    }
}

/// A line, a clock that moves when it is told to, and callers by number.
struct Desk {
    line: Line,
    now: Instant,
}

impl Desk {
    fn new() -> Self {
        Self {
            line: Line::new(limits()),
            now: Instant::now(),
        }
    }

    fn lead(&mut self) -> Ticket {
        self.line.enter(Rank::Lead, self.now)
    }

    fn teammate(&mut self) -> Ticket {
        self.line.enter(Rank::Teammate, self.now)
    }

    fn look(&mut self, who: Ticket) -> Turn {
        self.line.look(who, self.now)
    }

    /// Somebody asks, who may.
    fn asks(&mut self, who: Ticket) -> Stamp {
        match self.look(who) {
            Turn::Ask(began) => began,
            turn => panic!("{who:?} may not ask: {turn:?}"),
        }
    }

    /// A server that took one request, and refused the second.
    fn with_room_for_one(&mut self) -> Stamp {
        let (first, second) = (self.teammate(), self.teammate());
        let (one, two) = (self.asks(first), self.asks(second));
        self.line.accepted(self.now);
        self.refused(second, two, None).unwrap();
        self.line.leave(second);
        self.now += LATER;
        one
    }

    fn failed(&mut self, who: Ticket, began: Stamp) -> Result<Pause, GaveUp> {
        self.fails(who, began, None)
    }

    fn fails(
        &mut self,
        who: Ticket,
        began: Stamp,
        after: Option<Duration>,
    ) -> Result<Pause, GaveUp> {
        self.line.failed(who, began, &failure(after), self.now)
    }

    fn refused(
        &mut self,
        who: Ticket,
        began: Stamp,
        after: Option<Duration>,
    ) -> Result<Pause, GaveUp> {
        self.line.refused(who, began, &failure(after), self.now)
    }
}

fn failure(after: Option<Duration>) -> Failure<'static> {
    Failure::new("no answer", after, 1.0)
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn an_outage_is_one_event_however_many_requests_it_breaks() {
    let mut desk = Desk::new();
    let callers: Vec<_> = (0..20).map(|_| desk.teammate()).collect();
    let began: Vec<_> = callers.iter().map(|who| desk.asks(*who)).collect();
    for (who, began) in callers.iter().zip(began) {
        assert_eq!(desk.failed(*who, began), Ok(Pause::InLine(ms(500))));
    }
    // One probes, after half a second.
    assert_eq!(desk.look(callers[0]), Turn::Wait(Some(desk.now + ms(500))));
    assert_eq!(desk.look(callers[1]), Turn::Wait(None));
    desk.now += ms(500);
    let probe = desk.asks(callers[0]);
    assert_eq!(desk.look(callers[1]), Turn::Wait(None));
    // It fails, and the next one probes, after a second.
    assert_eq!(desk.failed(callers[0], probe), Ok(Pause::InLine(ms(1_000))));
    assert_eq!(desk.look(callers[0]), Turn::Wait(None));
    desk.now += ms(1_000);
    desk.asks(callers[1]);
    // It is accepted, and four more may ask.
    desk.line.accepted(desk.now);
    for who in &callers[2..6] {
        desk.asks(*who);
    }
    assert_eq!(desk.look(callers[6]), Turn::Wait(None));
    // Each that is accepted lets four more ask.
    desk.line.accepted(desk.now);
    for who in &callers[6..10] {
        desk.asks(*who);
    }
    assert_eq!(desk.look(callers[10]), Turn::Wait(None));
}

#[test]
fn what_the_server_asks_for_is_believed() {
    let mut desk = Desk::new();
    let who = desk.teammate();
    for wanted in [5_000, 5_000, 40_000, 200] {
        let began = desk.asks(who);
        let pause = desk.fails(who, began, Some(ms(wanted)));
        assert_eq!(pause, Ok(Pause::InLine(ms(wanted))));
        desk.now += ms(wanted);
    }
    let began = desk.asks(who);
    desk.line.accepted(desk.now);
    desk.line.ended(began);
    for wanted in [5_000, 40_000] {
        let began = desk.asks(who);
        let pause = desk.refused(who, began, Some(ms(wanted)));
        assert_eq!(pause, Ok(Pause::InLine(ms(wanted))));
        desk.now += ms(wanted);
    }
}

#[test]
fn what_nobody_can_wait_for_is_cut() {
    let mut desk = Desk::new();
    let who = desk.teammate();
    let began = desk.asks(who);
    desk.line.accepted(desk.now);
    desk.line.ended(began);
    let began = desk.asks(who);
    let pause = desk.fails(who, began, Some(Duration::MAX));
    assert_eq!(pause, Ok(Pause::InLine(Duration::from_secs(600))));
}

#[test]
fn pauses_without_a_wish_are_bounded() {
    let mut desk = Desk::new();
    let who = desk.teammate();
    let mut pauses = Vec::new();
    for _ in 0..7 {
        let began = desk.asks(who);
        let pause = desk.failed(who, began).unwrap().time();
        desk.now += pause;
        pauses.push(pause.as_millis());
    }
    assert_eq!(pauses, [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
}

#[test]
fn a_cancelled_probe_lets_the_next_one_go() {
    let mut desk = Desk::new();
    let (one, two) = (desk.teammate(), desk.teammate());
    let began = desk.asks(one);
    desk.failed(one, began).unwrap();
    desk.now += LATER;
    let probe = desk.asks(one);
    assert_eq!(desk.look(two), Turn::Wait(None));
    desk.line.ended(probe);
    desk.line.leave(one);
    desk.asks(two);
}

#[test]
fn a_failure_while_others_are_accepted_holds_back_nobody_else() {
    let mut desk = Desk::new();
    let (broken, other) = (desk.teammate(), desk.teammate());
    let began = desk.asks(broken);
    desk.asks(other);
    desk.line.accepted(desk.now);
    assert_eq!(desk.failed(broken, began), Ok(Pause::Alone(ms(500))));
    desk.asks(other);
    desk.line.accepted(desk.now);
    // Also when nobody is accepted during its next try: it failed where others did not.
    let began = desk.asks(broken);
    assert_eq!(desk.failed(broken, began), Ok(Pause::Alone(ms(1_000))));
    desk.asks(other);
}

#[test]
fn the_lead_goes_first_but_not_always() {
    let mut desk = Desk::new();
    let mut running = desk.with_room_for_one();
    let teammates: Vec<_> = (0..20).map(|_| desk.teammate()).collect();
    for who in &teammates {
        assert_eq!(desk.look(*who), Turn::Wait(None));
    }
    let mut order = Vec::new();
    for round in 0..4 {
        // The lead comes again each time.
        let lead = desk.lead();
        assert_eq!(desk.look(lead), Turn::Wait(None), "{round}");
        for _ in 0..2 {
            desk.line.ended(running);
            desk.now += LATER;
            let first = desk.line.first().unwrap();
            order.push(teammates.iter().position(|who| *who == first));
            running = desk.asks(first);
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
fn a_server_that_never_answered_is_given_up_by_all_who_waited_for_it() {
    let mut desk = Desk::new();
    let (asks, waits) = (desk.teammate(), desk.teammate());
    let begun = desk.now;
    let end = loop {
        let began = desk.asks(asks);
        match desk.failed(asks, began) {
            Ok(pause) => desk.now += pause.time(),
            Err(end) => break end,
        }
    };
    assert!(!end.has_answered);
    assert!(desk.now - begun > Duration::from_secs(110));
    desk.line.leave(asks);
    assert!(matches!(desk.look(waits), Turn::GiveUp(end) if end.why == "no answer"));
    // Whoever comes now tries it anew.
    let late = desk.teammate();
    assert!(matches!(desk.look(late), Turn::Wait(Some(_))));
}

#[test]
fn a_server_that_has_answered_is_tried_for_longer() {
    let mut desk = Desk::new();
    let who = desk.teammate();
    let began = desk.asks(who);
    desk.line.accepted(desk.now);
    desk.line.ended(began);
    let who = desk.teammate();
    let begun = desk.now;
    let end = loop {
        let began = desk.asks(who);
        match desk.failed(who, began) {
            Ok(pause) => desk.now += pause.time(),
            Err(end) => break end,
        }
    };
    assert!(end.has_answered);
    assert!(desk.now - begun > Duration::from_secs(29 * 60));
}
