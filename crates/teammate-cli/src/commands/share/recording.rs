//! A run as the page replays it: what changes of each scene at its moments, and every entry with its own. Bounded: what is left out
//! of a large run is said.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Value, json};
use teammate::{Prices, TeamClient};
use teammate_view::{
    TeamView,
    screens::graph::{GraphScreen, Lane},
};

use super::{
    node::{Node, NodeMaker},
    scene,
    story::{self, SharedEntry},
};
use crate::commands::facts::fold_each;

/// The most moments at which the page can stand.
const MOMENTS_MAX: usize = 1_000;

/// The most entries of all conversations together; of each member the newest ones.
const ENTRIES_MAX: usize = 20_000;

/// The data of the page.
pub(super) struct Recording {
    title: Node,
    /// What came of it.
    summary: Vec<Node>,
    rows: Rows,
    moments: Vec<Moment>,
    stories: Vec<(Node, Vec<SharedEntry>)>,
    mail: Vec<SharedEntry>,
    lanes: Vec<SharedLane>,
    left_out: Vec<String>,
}

/// The time of a member in pieces: from, to, and what it was.
#[derive(Serialize)]
struct SharedLane(Node, Vec<(u64, u64, &'static str)>);

/// A moment, and which rows stand where since then, as far as that changed.
struct Moment {
    at: u64,
    changes: Vec<(&'static str, Vec<usize>)>,
}

/// Each row once, however often it stands there.
#[derive(Default)]
struct Rows {
    all: Vec<Node>,
    places: HashMap<String, usize>,
}

impl Rows {
    fn place(&mut self, row: Node) -> usize {
        let json = json!(row).to_string();
        *self.places.entry(json).or_insert_with(|| {
            self.all.push(row);
            self.all.len() - 1
        })
    }
}

impl Recording {
    /// Reads the run twice: once to count its facts, once to keep the scenes between them.
    pub(super) async fn of(
        client: &TeamClient,
        prices: Prices,
        mut words: NodeMaker<'_>,
    ) -> anyhow::Result<Self> {
        let mut facts = 0_usize;
        fold_each(&mut client.history(), |_| facts += 1).await?;
        let every = facts.div_ceil(MOMENTS_MAX).max(1);
        let mut rows = Rows::default();
        let mut moments = Moments::default();
        let mut number = 0_usize;
        let view = fold_each(&mut client.history(), |view| {
            number += 1;
            if number.is_multiple_of(every) || number == facts {
                moments.take(view, &prices, &mut rows, &mut words);
            }
        })
        .await?;
        words.enter("the name of the team");
        let title = words.text(view.team().name());
        let summary = scene::summary(&view, &prices, &mut words);
        let lanes = lanes(&view, &mut words);
        let mut left_out = Vec::new();
        if every > 1 {
            left_out.push(format!(
                "the board and the members are shown at every {every}th of {facts} moments"
            ));
        }
        let stories = stories(&view, &mut words, &mut left_out);
        let mail = view.mail().iter();
        let mail = mail.map(|mail| story::mail(mail, &mut words)).collect();
        if view.mail().dropped() > 0 {
            left_out.push(format!(
                "{} older messages are left out",
                view.mail().dropped()
            ));
        }
        if words.cut > 0 {
            left_out.push(format!("{} long texts are cut", words.cut));
        }
        Ok(Self {
            title,
            summary,
            lanes,
            rows,
            moments: moments.all,
            stories,
            mail,
            left_out,
        })
    }

    /// Remarks for a reader about what is left out.
    pub(super) fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// The JSON that the page's script reads.
    pub(super) fn json(&self) -> Value {
        let moments = self.moments.iter().map(|moment| {
            let changes = moment.changes.iter();
            let changes: serde_json::Map<_, _> = changes
                .map(|(place, rows)| ((*place).to_owned(), json!(rows)))
                .collect();
            json!([moment.at, changes])
        });
        json!({
            "title": self.title, "summary": self.summary, "lanes": self.lanes, "left_out": self.left_out, "rows": self.rows.all,
            "moments": moments.collect::<Vec<_>>(), "stories": self.stories, "mail": self.mail,
        })
    }

    /// Each text as a reader sees it, with the place where it stands.
    pub(super) fn texts(&self) -> Vec<(String, String)> {
        let read = |nodes: &[&Node]| {
            let mut text = String::new();
            nodes.iter().for_each(|node| node.read_into(&mut text));
            text
        };
        let mut texts = vec![("the title".to_owned(), read(&[&self.title]))];
        let lanes = self.lanes.iter();
        texts.extend(
            lanes.map(|SharedLane(name, _)| ("the names of members".to_owned(), read(&[name]))),
        );
        let rows = self.rows.all.iter();
        texts.extend(rows.map(|row| ("the team's screen".to_owned(), read(&[row]))));
        for (name, entries) in &self.stories {
            let place = format!("the conversation of {}", read(&[name]));
            texts.extend(
                entries
                    .iter()
                    .map(|one| (place.clone(), read(&one.nodes()))),
            );
        }
        let mail = self.mail.iter();
        texts.extend(mail.map(|one| ("mail".to_owned(), read(&one.nodes()))));
        let summary = self.summary.iter();
        texts.extend(summary.map(|line| ("what came of the run".to_owned(), read(&[line]))));
        texts
    }
}

/// The moments so far, and what stands on the page after them.
#[derive(Default)]
struct Moments {
    all: Vec<Moment>,
    shown: HashMap<&'static str, Vec<usize>>,
}

impl Moments {
    fn take(
        &mut self,
        view: &TeamView,
        prices: &Prices,
        rows: &mut Rows,
        words: &mut NodeMaker<'_>,
    ) {
        let scene = scene::of(view, prices, words).into_iter();
        let mut changes = Vec::new();
        for (place, nodes) in scene {
            let nodes: Vec<usize> = nodes.into_iter().map(|node| rows.place(node)).collect();
            if self.shown.get(place) != Some(&nodes) {
                self.shown.insert(place, nodes.clone());
                changes.push((place, nodes));
            }
        }
        let at = view.now().0;
        self.all.push(Moment { at, changes });
    }
}

/// The newest pieces of time of each member that the graph draws.
fn lanes(view: &TeamView, words: &mut NodeMaker<'_>) -> Vec<SharedLane> {
    words.enter("the names of members");
    let lanes = GraphScreen::of(view).lanes.into_iter();
    let lane = |lane: Lane| {
        let spans = lane.spans.iter();
        let spans = spans.map(|span| (span.from, span.to, span.kind)).collect();
        SharedLane(words.text(&lane.member), spans)
    };
    lanes.map(lane).collect()
}

fn stories(
    view: &TeamView,
    words: &mut NodeMaker<'_>,
    left_out: &mut Vec<String>,
) -> Vec<(Node, Vec<SharedEntry>)> {
    let most = ENTRIES_MAX / view.stories().count().max(1);
    let mut all = Vec::new();
    for (name, story) in view.stories() {
        let kept = story.items().len();
        let dropped = story.dropped() + kept.saturating_sub(most) as u64;
        let shown = story.numbered().skip(kept.saturating_sub(most));
        let entries = shown.filter_map(|(number, item)| story::entry(name, number, item, words));
        let entries: Vec<SharedEntry> = entries.collect();
        words.enter("the names of members");
        let name = words.text(name.as_str());
        if dropped > 0 {
            let mut shown = String::new();
            name.read_into(&mut shown);
            left_out.push(format!("{dropped} older entries of {shown} are left out"));
        }
        all.push((name, entries));
    }
    all
}
