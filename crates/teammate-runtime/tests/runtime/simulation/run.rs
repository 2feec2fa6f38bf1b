//! One seeded run: what happens to the team, and what must hold afterwards.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use teammate_core::{
    MemberName, MessageId,
    agent::ContextWindow,
    event::EventKind,
    port::{Hooks, Tool},
    request::{Answer, RequestKind},
};
use teammate_runtime::{EventFeed, Host, Ports, Setup};
use teammate_store::clock::{SystemClock, UuidV7Ids};

use crate::simulation::{
    chance::Chance,
    check,
    hooks::MadHooks,
    mad::{CONTEXT_TOKENS, Mad, Mads},
    scribble::{Done, Scribble},
    site::Site,
    work::Work,
};

/// Nothing takes this long in the simulation's time unless it hangs.
const FOR_EVER: Duration = Duration::from_secs(7 * 24 * 3600);

/// Plays one seed; returns how many summaries took the place of a conversation.
pub(crate) fn play(seed: u64, site: Site) -> usize {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .unwrap()
        .block_on(async {
            let ended = tokio::time::timeout(FOR_EVER, run(Chance::new(seed), site));
            ended.await.expect("the team hangs")
        })
}

async fn run(chance: Chance, mut site: Site) -> usize {
    let mad = Mad::new(chance.clone());
    let mut said = Vec::new();
    let done = Done::default();
    let mut host = open(&site, &chance, &mad, &done).await;
    let mut told = Told::to(&host);
    for at in 0..chance.between(2, 30) {
        // Often close upon each other: a crash right after an interrupt, say.
        let bound = if chance.below(2) == 0 { 8 } else { 120 };
        tokio::time::sleep(Duration::from_millis(chance.below(bound))).await;
        match chance.below(14) {
            11 => {
                let name = chance.pick(&["a", "b", "c", "d", "nobody"]);
                let within = Duration::from_millis(chance.below(3) * 40);
                // A missing or stopped member cannot.
                let _ = host.shut_down(name, within).await;
            }
            12 | 13 => {
                for request in host.requests() {
                    let answer = match chance.below(3) {
                        0 => Answer::no("the person says no"),
                        _ => Answer::yes(),
                    };
                    // Not all are the user's to answer, and some are settled by now.
                    let _ = host.answer(request.id, answer).await;
                }
            }
            10 => {
                // A member that does not run cannot.
                let _ = host.compact(chance.pick(&["lead", "a", "b"]), None).await;
            }
            0..=3 => {
                let to = chance.pick(&["lead", "lead", "a", "b", "c", "d"]);
                let text = format!("the person's word {at}");
                if let Ok(to) = host.send_as_user(to, text.clone()).await {
                    said.push((to, text));
                }
            }
            4 | 5 => {
                let name = chance.pick(&["lead", "a", "b", "c", "d"]);
                host.interrupt(&MemberName::parse(name).unwrap()).await;
            }
            6 => {
                host.close().await;
                if chance.below(2) == 0 {
                    // Another process opens it.
                    site.crash();
                }
                host = open(&site, &chance, &mad, &done).await;
                told.and_to(&host);
            }
            _ => {
                site.crash();
                drop(host);
                host = open(&site, &chance, &mad, &done).await;
                told.and_to(&host);
            }
        }
    }
    if tokio::time::timeout(FOR_EVER / 2, host.wait_idle())
        .await
        .is_err()
    {
        panic!("the team is never idle:\n{}", standing(&site, &host).await);
    }
    for line in host.roster() {
        if line.status == "stopped" {
            continue;
        }
        let mut waiting = site.mailbox().peek(&line.name).await.unwrap();
        // A letter that was sent again after a crash is dropped by its id when it is taken.
        let entries = site.transcripts().peek(&line.name).await.unwrap();
        waiting.retain(|mail| check::heard(&entries).all(|heard| heard.id != mail.id));
        if !waiting.is_empty() {
            let stands = standing(&site, &host).await;
            panic!("{} has not heard {waiting:?}\n{stands}", line.name);
        }
        assert!(!line.status.starts_with("working"), "{line:?}");
    }
    let team = host.team();
    assert_eq!(team.jobs().running().count(), 0, "{:?}", team.jobs());
    for member in team.members() {
        assert!(!member.phase.is_busy(), "{member:?}");
    }
    let shutdowns = team.requests().pending();
    let shutdowns = shutdowns.filter(|open| open.request_kind() == RequestKind::Shutdown);
    assert_eq!(shutdowns.count(), 0, "{:?}", team.requests());
    assert_eq!(
        team.requests().not_notified().count(),
        0,
        "{:?}",
        team.requests()
    );
    host.close().await;
    assert_eq!(mad.wrong(), None);
    done.rightly();
    check::is_in_transcripts(&site, told.heard()).await;
    check::all(&site, &team, &said).await
}

/// What a team has left to do.
async fn standing(site: &Site, host: &Host) -> String {
    let team = host.team();
    let mut text = String::new();
    for line in host.roster() {
        let waiting = site.mailbox().peek(&line.name).await;
        writeln!(text, "{line:?}\n  mail: {waiting:?}").unwrap();
    }
    let pending = team.requests().pending().collect::<Vec<_>>();
    let untold = team.requests().not_notified().collect::<Vec<_>>();
    let jobs = team.jobs().running().collect::<Vec<_>>();
    writeln!(
        text,
        "pending: {pending:?}\nuntold: {untold:?}\njobs: {jobs:?}"
    )
    .unwrap();
    writeln!(text, "to wake: {:?}", team.members_to_wake_among(|_| true)).unwrap();
    writeln!(text, "board notice due: {}", team.is_board_notice_due()).unwrap();
    text
}

/// What events said that members heard, over all runs.
struct Told {
    feed: EventFeed,
    heard: Vec<(MemberName, MessageId)>,
}

impl Told {
    fn to(host: &Host) -> Self {
        let (feed, heard) = (host.events(), Vec::new());
        Self { feed, heard }
    }

    /// The run before has ended: what it had told by then counts.
    fn and_to(&mut self, host: &Host) {
        self.read();
        self.feed = host.events();
    }

    fn heard(mut self) -> Vec<(MemberName, MessageId)> {
        self.read();
        self.heard
    }

    fn read(&mut self) {
        while let Some(event) = self.feed.try_next() {
            if let EventKind::MailHeard { id, .. } = &event.what {
                self.heard.push((event.member.clone(), id.clone()));
            }
        }
    }
}

/// Opens the team. The tasks of a dead host end in a moment.
async fn open(site: &Site, chance: &Chance, mad: &Mad, done: &Done) -> Host {
    for _ in 0..1_000 {
        let host = Host::open(world(site, chance, mad), setup(site, chance, done)).await;
        if let Ok(host) = host
            && host.start().await.is_ok()
        {
            return host;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("the team does not open");
}

fn world(site: &Site, chance: &Chance, mad: &Mad) -> Ports {
    Ports {
        journal: site.slow_journal(chance),
        mailbox: site.slow_mailbox(chance),
        archive: Arc::new(teammate_testkit::memory::MemoryArchive),
        transcripts: site.slow_transcripts(chance),
        models: Arc::new(Mads(mad.clone())),
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
        hooks: hooks(chance),
    }
}

/// In some lives there are hooks.
fn hooks(chance: &Chance) -> Option<Arc<dyn Hooks>> {
    let hooks = || Arc::new(MadHooks(chance.clone())) as Arc<dyn Hooks>;
    (chance.below(4) == 0).then(hooks)
}

fn setup(site: &Site, chance: &Chance, done: &Done) -> Setup {
    let asks = chance.below(3) == 0;
    let more = || -> Vec<Arc<dyn Tool>> {
        vec![
            Arc::new(Work::new(chance.clone())),
            Arc::new(Scribble::new(done.clone(), vec![site.journal_of_record()])),
        ]
    };
    let mut setup = crate::simulation::setup::setup(more, asks.then_some(Duration::from_secs(2)));
    setup.config.limits.context = ContextWindow::new(CONTEXT_TOKENS, 0.8);
    setup
}
