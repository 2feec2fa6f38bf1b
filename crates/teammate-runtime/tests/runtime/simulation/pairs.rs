//! All pairs of what can be asked of a team (the end of one of the lead's teams, a stop of the whole team, a member's shutdown by
//! the user and by the lead, a plan, a question), played at once, with a kill at every record of the journal. Opened again, the team is always up within a
//! second of its own time, it can always be paused and closed, and nothing is stuck.
//!
//! `TEAMMATE_PAIRS=all` does after each kill all that can be done then; otherwise it is one of them, in turn. Nothing is random; a failure
//! prints the `TEAMMATE_PAIR` that plays it alone.

mod actor;
mod mortal;

use std::{sync::Arc, time::Duration};

use teammate_core::{
    MemberName,
    port::{Clock as _, Journal, Mailbox, TranscriptStore},
    request::{Answer, Principal, RequestCommand, RequestKind},
    team::{Command, MemberPhase, TeamState},
};
use teammate_runtime::{Host, Ports};
use teammate_store::clock::{SystemClock, UuidV7Ids};
use teammate_testkit::memory::{MemoryArchive, MemoryJournal, MemoryMailbox, MemoryTranscripts};
use tokio::time::{Instant, sleep, timeout};

use self::{
    actor::Actors,
    mortal::{Life, Mortal},
};

/// How long an opening may take.
const OPENING: Duration = Duration::from_secs(1);

/// How long an end may take: loops that do not end are dropped after seconds.
const ENDING: Duration = Duration::from_secs(10);

/// How long members may go on once it is asked for.
const STEPS: Duration = Duration::from_secs(2);

/// Nothing here takes so long unless it is stuck: two shutdowns, one after the other, and their deadlines.
const STUCK: Duration = Duration::from_secs(600);

/// What is asked of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    TeamEnd,
    TeamStop,
    /// The user stops the member of the other script.
    MemberStop,
    Shutdown,
    Plan,
    Question,
}

const SCRIPTS: [Script; 6] = [
    Script::TeamEnd,
    Script::TeamStop,
    Script::MemberStop,
    Script::Shutdown,
    Script::Plan,
    Script::Question,
];

/// Two at once: ann plays the first, bea the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pair(Script, Script);

/// What is done with a team that was opened after a kill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    /// It goes on until it is idle.
    Rest,
    /// It is paused from another terminal, and goes on another time.
    Stop,
    /// It is closed, and goes on another time.
    Close,
}

const AFTERS: [After; 3] = [After::Rest, After::Stop, After::Close];

// slow: a kill at every record
#[test]
fn killed_at_any_record_a_team_opens_ends_and_comes_to_rest() {
    let only = std::env::var("TEAMMATE_PAIR").ok();
    let is_whole =
        only.is_some() || std::env::var("TEAMMATE_PAIRS").is_ok_and(|value| value == "all");
    let mut kills = 0;
    for (at, pair) in pairs(is_whole).enumerate() {
        let records = play(pair, None, After::Rest);
        for kill in 1..=records {
            for (which, after) in AFTERS.into_iter().enumerate() {
                let name = format!("{pair:?} {kill} {after:?}");
                let is_turn = (at as u64 + kill) % 3 == which as u64;
                if only
                    .as_ref()
                    .map_or(is_whole || is_turn, |only| *only == name)
                {
                    // Only the last line is of interest, and only if it fails.
                    println!("TEAMMATE_PAIR='{name}'");
                    play(pair, Some(kill), after);
                    kills += 1;
                }
            }
        }
    }
    println!("{kills} kills");
    assert!(kills > 300 || only.is_some(), "this tests little: {kills}");
}

/// Each script with each, itself too; the whole has both orders.
fn pairs(is_whole: bool) -> impl Iterator<Item = Pair> {
    let second = move |(at, first)| {
        let skipped = if is_whole { 0 } else { at };
        SCRIPTS
            .into_iter()
            .skip(skipped)
            .map(move |second| Pair(first, second))
    };
    SCRIPTS.into_iter().enumerate().flat_map(second)
}

/// Plays a pair; returns how many records the journal has then.
fn play(pair: Pair, kill: Option<u64>, after: After) -> u64 {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap()
        .block_on(run(pair, kill, after))
}

async fn run(pair: Pair, kill: Option<u64>, after: After) -> u64 {
    let site = Site::new(pair);
    let life = Life::until(kill);
    let mut host = site.open(&life).await;
    let played = async {
        host.send_as_user("lead", "Go").await.unwrap();
        site.until_over(&mut host, &life).await;
    };
    // It may be dead as soon as it is open: its members begin at once.
    let is_killed = tokio::select! {
        () = life.over() => true,
        () = played => false,
    };
    if is_killed {
        drop(host);
        let life = Life::until(None);
        host = site.open(&life).await;
        match after {
            After::Rest => {}
            After::Stop => {
                let begun = Instant::now();
                site.ask_to_stop("lead", STEPS, &life).await;
                within(STEPS + OPENING, "the pause", host.close_requested()).await;
                assert!(begun.elapsed() <= STEPS + OPENING);
                within(ENDING, "the end", host.close()).await;
                host = site.open(&life).await;
            }
            After::Close => {
                within(ENDING, "the end", host.close()).await;
                host = site.open(&life).await;
            }
        }
        site.until_rest(&mut host, &life).await;
    }
    let team = within(ENDING, "the end", host.close()).await;
    is_well(pair, &team);
    site.length().await
}

async fn within<T>(most: Duration, what: &str, work: impl Future<Output = T>) -> T {
    let done = timeout(most, work).await;
    done.unwrap_or_else(|_| panic!("{what} takes more than {most:?}"))
}

/// What must be true in the end.
fn is_well(pair: Pair, team: &TeamState) {
    let requests = team.requests();
    assert_eq!(requests.pending().count(), 0, "{requests:?}");
    assert_eq!(requests.not_notified().count(), 0, "{requests:?}");
    assert_eq!(team.groups().iter().count(), 0, "{:?}", team.groups());
    for member in team.members() {
        assert!(!member.phase.is_busy(), "{member:?}");
        let stops = |own, other| own == Script::Shutdown || other == Script::MemberStop;
        let is_to_stop = match member.name.as_str() {
            "ann" => stops(pair.0, pair.1),
            "bea" => stops(pair.1, pair.0),
            _ => false,
        };
        assert!(
            is_to_stop || member.phase != MemberPhase::Stopped,
            "{member:?}"
        );
    }
}

/// Where the team lives, and the user and other processes.
struct Site {
    pair: Pair,
    journal: Arc<dyn Journal>,
    mailbox: Arc<dyn Mailbox>,
    transcripts: Arc<dyn TranscriptStore>,
}

impl Site {
    fn new(pair: Pair) -> Self {
        Self {
            pair,
            journal: Arc::new(MemoryJournal::default()),
            mailbox: Arc::new(MemoryMailbox::default()),
            transcripts: Arc::new(MemoryTranscripts::default()),
        }
    }

    /// Opens the team within its second. The tasks of a process that died let go in a moment.
    async fn open(&self, life: &Arc<Life>) -> Host {
        let open = async {
            loop {
                let asks = Some(Duration::from_secs(20));
                let setup = crate::simulation::setup::setup(actor::tools, asks);
                if let Ok(host) = Host::open(self.world(life), setup).await
                    && host.start().await.is_ok()
                {
                    return host;
                }
                sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::select! {
            biased;
            host = within(OPENING, "the opening", open) => host,
            // Killed while it opened: its next life is another process.
            () = life.over() => Box::pin(self.open(&Life::until(None))).await,
        }
    }

    fn world(&self, life: &Arc<Life>) -> Ports {
        Ports {
            journal: Arc::new(Mortal(self.journal.clone(), life.clone())),
            mailbox: Arc::new(Mortal(self.mailbox.clone(), life.clone())),
            transcripts: Arc::new(Mortal(self.transcripts.clone(), life.clone())),
            archive: Arc::new(MemoryArchive),
            models: Arc::new(Actors(self.pair)),
            clock: Arc::new(SystemClock),
            ids: Arc::new(UuidV7Ids),
            processes: None,
            questions: None,
            calendar: None,
            agents: None,
            worktrees: None,
            transfer: None,
            rule_book: None,
            audit: None,
            mode_limit: None,
            hooks: None,
        }
    }

    /// The whole of both scripts, with the user's part: stops from another terminal, after each of which the team is opened
    /// again.
    async fn until_over(&self, host: &mut Host, life: &Arc<Life>) {
        // While members have been asked to go and have not answered yet.
        let stops = [
            (self.pair.0, "bea", 1_900, STEPS),
            (self.pair.1, "ann", 2_100, Duration::ZERO),
        ];
        let begun = Instant::now();
        for (script, member, at, within) in stops {
            let (member, within) = match script {
                Script::TeamStop => ("lead", within),
                Script::MemberStop => (member, Duration::from_secs(20)),
                Script::TeamEnd | Script::Shutdown | Script::Plan | Script::Question => continue,
            };
            self.person(host, begun + Duration::from_millis(at)).await;
            self.ask_to_stop(member, within, life).await;
        }
        self.until_rest(host, life).await;
    }

    /// Until nothing goes on any more. Where the team is paused, it is opened again.
    async fn until_rest(&self, host: &mut Host, life: &Arc<Life>) {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < STUCK, "stuck: {:?}", host.team());
            let next = Instant::now() + Duration::from_millis(700);
            let is_paused = tokio::select! {
                biased;
                () = host.close_requested() => true,
                () = host.wait_idle() => {
                    if host.requests().is_empty() {
                        return;
                    }
                    false
                }
                () = tokio::time::sleep_until(next) => false,
            };
            if is_paused {
                let again = self.open_after(host, life);
                again.await;
            } else {
                self.person(host, next).await;
            }
        }
    }

    /// Closes the team and opens it again.
    async fn open_after(&self, host: &mut Host, life: &Arc<Life>) {
        let closed = std::mem::replace(host, self.nobody().await);
        within(ENDING, "the end", closed.close()).await;
        *host = self.open(life).await;
    }

    /// A host of another team, for the moment in which this one has none.
    async fn nobody(&self) -> Host {
        let elsewhere = Self::new(self.pair);
        let setup = crate::simulation::setup::setup(actor::tools, None);
        Host::open(elsewhere.world(&Life::until(None)), setup)
            .await
            .unwrap()
    }

    /// The user says yes to every question until then.
    async fn person(&self, host: &Host, until: Instant) {
        while Instant::now() < until {
            sleep(Duration::from_millis(300)).await;
            for question in host.questions() {
                if question.request_kind() == RequestKind::Permission {
                    // Somebody may have been quicker.
                    let _ = host.answer(question.id, Answer::yes()).await;
                }
            }
        }
    }

    /// Another process asks to stop a member, or with `lead` to pause the team.
    async fn ask_to_stop(&self, member: &str, within: Duration, life: &Life) {
        loop {
            let (team, length) = self.fold().await;
            let ask = RequestCommand::Shutdown {
                member: MemberName::parse(member).unwrap(),
                from: Principal::User,
                call: format!("user/stop/{length}").into(),
                reason: String::new(),
                within,
                at: SystemClock.now(),
            };
            // One that is not there, or stopped, cannot be asked.
            let Ok(decided) = team.decide(&Command::Request(ask)) else {
                return;
            };
            let (at, durability) = (SystemClock.now(), decided.durability);
            let append = self.journal.append(length, at, decided.events, durability);
            if append.await.is_ok() {
                life.has_grown(length + 1);
                // A moment in which the host hears of it, if there is one.
                return sleep(Duration::from_millis(1)).await;
            }
        }
    }

    async fn fold(&self) -> (TeamState, u64) {
        let read = self.journal.read(0).await.unwrap();
        let team = TeamState::of(&read.records);
        (
            team,
            read.records.last().map_or(0, |record| record.number + 1),
        )
    }

    async fn length(&self) -> u64 {
        self.fold().await.1
    }
}
