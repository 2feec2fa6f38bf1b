//! What must hold when a team on several workers rests: all that holds of a team in one process, and one history.

use std::{collections::BTreeSet, fmt::Write as _, sync::Arc};

use teammate_core::{
    MemberName,
    port::{Journal as _, Mailbox as _, Record},
    team::{MoveWhy, PlaceEvent, TeamEvent, TeamState},
    transcript::{Entry, check_terms},
};

use super::{crew::Crew, history, mishaps::Mishaps, story};
use crate::simulation::{check, site::Site};

/// How much there was to judge.
pub(crate) struct Played {
    /// How often a member was moved because its worker was lost.
    pub(crate) moved: usize,
    /// How many messages were heard.
    pub(crate) heard: usize,
    /// How many calls changed something.
    pub(crate) done: usize,
    /// What went wrong meanwhile.
    pub(crate) mishaps: Mishaps,
    /// All that was done, and when.
    pub(crate) trace: u64,
}

/// Judges.
pub(crate) async fn all(crew: &mut Crew, said: &[(MemberName, String)]) -> Played {
    let records = crew.engine.journal.read(0).await.unwrap().records;
    let team = TeamState::of(&records);
    for host in crew.hosts() {
        assert_eq!(*host.team(), team, "one history");
    }
    // What was spent is counted by then at the latest.
    crew.close().await;
    let records = crew.engine.journal.read(0).await.unwrap().records;
    let team = TeamState::of(&records);
    story::tell(crew, &records);
    for member in team.members() {
        one_writer_a_term(crew, &member.name);
    }
    nobody_stopped_is_placed(&records);
    history::holds(&records, &crew.engine.writers());
    assert_eq!(crew.mad.wrong(), None);
    let done = crew.done.rightly();
    let site = Site::of(
        crew.engine.journal.clone(),
        crew.engine.mailbox.clone(),
        Arc::new(crew.engine.clone()),
    );
    let paused = team.as_of_pause();
    check::all(&site, &paused, said).await;
    let events = records.iter().flat_map(|record| &record.events);
    let moved = events.filter(|event| {
        let why = MoveWhy::Lost;
        matches!(event, TeamEvent::Place(PlaceEvent::Moved { why: moved, .. }) if *moved == why)
    });
    let entries = team
        .members()
        .flat_map(|member| entries(crew, &member.name));
    let mut heard = 0;
    for entry in entries {
        crew.engine.trace.note(&entry);
        heard += check::heard(&[entry]).count();
    }
    crew.engine.trace.note(&records);
    Played {
        moved: moved.count(),
        heard,
        done,
        mishaps: crew.engine.mishaps.clone(),
        trace: crew.engine.trace.number(),
    }
}

fn entries(crew: &Crew, member: &MemberName) -> Vec<Entry> {
    let lines = crew.engine.lines(member).into_iter();
    lines.map(|line| line.entry).collect()
}

/// From a take-over to the next, one process has written.
fn one_writer_a_term(crew: &Crew, member: &MemberName) {
    let lines = crew.engine.lines(member);
    assert_eq!(check_terms(&entries(crew, member)), Ok(()), "{member}");
    let mut writer = None;
    for line in &lines {
        match (&line.entry, writer) {
            (Entry::Taken { .. }, _) => writer = Some(line.life),
            (entry, Some(life)) => {
                assert_eq!(line.life, life, "who wrote {entry:?} of {member}");
            }
            (entry, None) => panic!("{member} was not taken before {entry:?}"),
        }
    }
}

/// Who is stopped needs no worker, and would not begin on one when it is spawned again.
fn nobody_stopped_is_placed(records: &[Record]) {
    let mut stopped = BTreeSet::new();
    for event in records.iter().flat_map(|record| &record.events) {
        match event {
            TeamEvent::Stopped { member, .. } => drop(stopped.insert(member)),
            TeamEvent::Spawned { member, .. } => drop(stopped.remove(member)),
            TeamEvent::Place(PlaceEvent::Placed { member, .. }) => {
                assert!(!stopped.contains(member), "{member} is placed and stopped");
            }
            _ => {}
        }
    }
}

/// What a team has left to do.
pub(crate) async fn standing(crew: &Crew) -> String {
    let records = crew.engine.journal.read(0).await.unwrap().records;
    story::tell(crew, &records);
    let mut text = String::new();
    for worker in &crew.workers {
        let Some(process) = &worker.process else {
            writeln!(text, "{} is down", worker.name).unwrap();
            continue;
        };
        let team = process.host.team();
        let (life, rests) = (process.life.number, process.says_it_rests());
        writeln!(text, "{} (life {life}), rests: {rests:?}:", worker.name).unwrap();
        for (member, placement) in team.places().placements() {
            writeln!(text, "  {member}: {placement:?}").unwrap();
        }
        for line in process.host.roster() {
            let waiting = crew.engine.mailbox.peek(&line.name).await;
            let waiting = waiting.unwrap();
            let waiting: Vec<_> = waiting.iter().map(|mail| &mail.content).collect();
            writeln!(text, "  {line:?}\n    mail: {waiting:?}").unwrap();
        }
        let pending = team.requests().pending().collect::<Vec<_>>();
        let untold = team.requests().not_notified().collect::<Vec<_>>();
        let jobs = team.jobs().running().collect::<Vec<_>>();
        writeln!(text, "  pending: {pending:?}\n  untold: {untold:?}").unwrap();
        writeln!(text, "  jobs: {jobs:?}").unwrap();
        writeln!(text, "  to wake: {:?}", team.members_to_wake()).unwrap();
        writeln!(text, "  notice due: {}", team.is_board_notice_due()).unwrap();
    }
    text
}
