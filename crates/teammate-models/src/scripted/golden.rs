//! Every word that plays know stands in a golden play, and every word of the golden play is read.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use teammate_testkit::known_names;

use super::play::{Call, Fail, FailRemedy, Play, SceneStop, When, WrittenScene};

const PLAY: &str = include_str!("../../tests/golden/play.json");

/// The words that a part of a play may have, as its refusal of another one says.
fn known<T: DeserializeOwned>(wrong: Value) -> BTreeSet<String> {
    let refusal = serde_json::from_value::<T>(wrong)
        .err()
        .expect("an unknown word is refused");
    known_names(&refusal.to_string()).into_iter().collect()
}

/// The words in the golden play, by the part of a play that has them.
#[derive(Default)]
struct Words(BTreeMap<&'static str, BTreeSet<String>>);

impl Words {
    fn table(&mut self, part: &'static str, table: &Value) {
        let words = table.as_object().into_iter().flat_map(|table| table.keys());
        self.0.entry(part).or_default().extend(words.cloned());
    }

    fn word(&mut self, part: &'static str, word: &Value) {
        let word = word.as_str().map(str::to_owned);
        self.0.entry(part).or_default().extend(word);
    }

    fn of(&self, part: &str) -> BTreeSet<String> {
        self.0.get(part).cloned().unwrap_or_default()
    }
}

fn words() -> Words {
    let play: Value = serde_json::from_str(PLAY).unwrap();
    let mut words = Words::default();
    words.table("play", &play);
    let members = play["members"].as_object().unwrap();
    for scene in members
        .values()
        .flat_map(|scenes| scenes.as_array().unwrap())
    {
        words.table("scene", scene);
        words.table("when", &scene["when"]);
        words.table("fail", &scene["fail"]);
        words.word("remedy", &scene["fail"]["remedy"]);
        words.word("stop", &scene["stop"]);
        let calls = scene["calls"].as_array().into_iter().flatten();
        calls.for_each(|call| words.table("call", call));
    }
    words
}

#[test]
fn the_golden_play_has_every_word_that_plays_know() {
    let words = words();
    let table = || json!({ "none such": 1 });
    let word = || json!("none such");
    assert_eq!(words.of("play"), known::<Play>(table()));
    assert_eq!(words.of("scene"), known::<WrittenScene>(table()));
    assert_eq!(words.of("when"), known::<When>(table()));
    assert_eq!(words.of("fail"), known::<Fail>(table()));
    assert_eq!(words.of("call"), known::<Call>(table()));
    assert_eq!(words.of("remedy"), known::<FailRemedy>(word()));
    assert_eq!(words.of("stop"), known::<SceneStop>(word()));
}

#[test]
fn the_golden_play_is_read() {
    Play::read("play.json", PLAY).unwrap();
}

#[test]
fn the_golden_play_has_every_placeholder() {
    let refusal = super::template::check("{{none such}}").unwrap_err();
    let (_, listed) = refusal.split_once("expected ").unwrap();
    for name in listed
        .split([',', ' '])
        .filter(|word| !matches!(*word, "" | "or"))
    {
        let hole = format!("{{{{{}", name.trim_end_matches("TEXT"));
        assert!(PLAY.contains(&hole), "{hole}");
    }
}
