//! Where things stand: the question in the middle and the list of all beside it, on a phone one at a time, and every tab shows its
//! screen.

use serde_json::json;

use super::{
    chromium::Chromium,
    served::{SCREENS, Served},
};
use crate::{
    play::{Scene as _, bash, play, say, spawn},
    world::{World, until},
};

/// Three members that ask at once.
fn asking() -> Served {
    let names = ["alice", "bob", "carol"];
    let lead = vec![
        spawn(names.map(|name| (name, "coder", "Begin"))).after("Begin"),
        say("I wait.").otherwise(),
    ];
    let members = names.map(|name| {
        let asks = bash(&format!("touch made-by-{name}"));
        (name, vec![asks.after("Begin"), say("Done.").otherwise()])
    });
    let [alice, bob, carol] = members;
    let flags = ["--permission-mode", "ask"];
    let served = Served::hosted(
        World::playing(&play([("lead", lead), alice, bob, carol])),
        &flags,
    );
    let world = &served.world;
    world.teammate(&["send", "lead", "Begin"]).ends(0);
    until(
        || world.teammate(&["requests"]).out.contains("req_000003"),
        || world.teammate(&["log"]).out,
    );
    served
}

/// The one question that is seen.
const SEEN: &str =
    "[...document.querySelectorAll('.need-card')].filter(card => card.checkVisibility())";

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn the_question_is_in_the_middle_and_the_list_of_all_is_beside_every_screen() {
    let served = asking();
    let browser = Chromium::start();
    browser.resize(1_440, 900);
    for screen in SCREENS {
        served.open(&browser, screen);
        browser.until("document.querySelectorAll('#asks a').length === 3");
        for name in ["alice", "bob", "carol"] {
            browser.until_shown(&format!("touch made-by-{name}"));
        }
    }
    served.open(&browser, "/needs");
    browser.until(&format!("{SEEN}.length === 1"));
    let seen = browser.run(&format!(
        "const card = {SEEN}[0].getBoundingClientRect(), list = document.getElementById('asks').getBoundingClientRect();
         return card.left >= list.right && card.width > innerWidth / 2 && card.top < 250"
    ));
    assert_eq!(seen, true);
    // Each of the list comes into the middle, and has an address of its own.
    browser.run("[...document.querySelectorAll('#asks a')].find(a => a.innerText.includes('made-by-bob')).click()");
    browser.until(&format!(
        "{SEEN}.length === 1 && {SEEN}[0].innerText.includes('made-by-bob')"
    ));
    browser.until("location.hash.startsWith('#need-')");
    // It stays when another one is answered, and what takes its place is the next one.
    let stays = |name: &str| format!("{SEEN}[0]?.innerText.includes('made-by-{name}')");
    let of = |name: &str| {
        browser.run(&format!(
            "return [...document.querySelectorAll('.need-card')].find(card => card.textContent.includes('made-by-{name}'))
                .querySelector('button').dataset.request"
        ))
    };
    let answer = |name: &str| {
        let id = of(name);
        served.world.teammate(&["approve", id.as_str().unwrap()]);
    };
    answer("alice");
    browser.until("document.querySelectorAll('#asks a').length === 2");
    assert_eq!(browser.run(&format!("return {}", stays("bob"))), true);
    answer("bob");
    browser.until(&stays("carol"));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn on_a_phone_every_tab_shows_its_screen_and_questions_come_one_at_a_time() {
    let served = asking();
    let browser = Chromium::start();
    browser.resize(390, 844);
    for screen in SCREENS {
        served.open(&browser, screen);
        browser.until("document.querySelectorAll('.need-card').length === 3");
        let shown = "[...document.querySelectorAll('#questions, #main > *, #wishes')].find(e => e.checkVisibility() && e.innerText)";
        browser.until(shown);
        let first = browser.run(&format!("return {shown}.getBoundingClientRect().top"));
        assert!(
            first.as_f64().unwrap() < 200.0,
            "{screen} begins {first} px down"
        );
    }
    served.open(&browser, "/board");
    // One row says how many there are, and leads to them.
    browser.until_shown("1 of 3");
    browser.run("[...document.querySelectorAll('#asks a')].find(a => a.checkVisibility()).click()");
    browser.until("location.pathname === '/needs'");
    let first = browser.run(&format!("return {SEEN}.map(card => card.id)"));
    assert_eq!(first.as_array().map(Vec::len), Some(1));
    browser.until_shown("1 of 3");
    browser.run("document.getElementById('after').click()");
    browser.until_shown("2 of 3");
    let next = browser.run(&format!("return {SEEN}.map(card => card.id)"));
    assert_ne!(first, next);
    // Its answers are in sight.
    let answers = browser.run(&format!(
        "const box = {SEEN}[0].querySelector('.answers button').getBoundingClientRect();
         return box.bottom < document.querySelector('footer').getBoundingClientRect().top"
    ));
    assert_eq!(answers, true);
    assert_eq!(browser.complaints(), [""; 0]);
}

/// What of the frame stands over another part of it, or beyond the edge.
const OVERLAPS: &str = "const all = [...document.querySelectorAll('header select, header input, header button, nav a, #say label, #say textarea, #say button')]
        .filter(e => e.checkVisibility()).map(e => [e.id || e.textContent, e.getBoundingClientRect()]);
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    return all.flatMap(([name, a], i) => [
        ...all.slice(i + 1).filter(([, b]) => over(a, b)).map(([other]) => name + ' over ' + other),
        ...(a.left < -1 || a.right > innerWidth + 1 ? [name + ' is cut off'] : [])])";

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn in_no_size_does_a_part_of_the_frame_stand_over_another() {
    let served = asking();
    let browser = Chromium::start();
    for (width, height) in [
        (1_440, 900),
        (1_181, 800),
        (1_001, 800),
        (820, 1_180),
        (801, 600),
        (390, 844),
        (360, 740),
    ] {
        browser.resize(width, height);
        served.open(&browser, "/board");
        browser.until("document.querySelectorAll('#asks a').length === 3");
        assert_eq!(browser.run(OVERLAPS), json!([]), "{width}");
        let wide = browser.run("return document.scrollingElement.scrollWidth");
        assert!(wide.as_u64() <= Some(u64::from(width)), "{wide}");
    }
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn theme_and_rows_are_chosen_and_kept() {
    let served = Served::asking();
    let browser = Chromium::start();
    served.open(&browser, "/mail");
    let ground = "return getComputedStyle(document.body).backgroundColor";
    let choose = |name: &str, value: &str| {
        browser.run(&format!(
            "document.getElementById('settings').click();
             const s = document.getElementById('set-{name}'); s.value = '{value}'; s.dispatchEvent(new Event('change'));
             document.getElementById('ask').close()"
        ));
    };
    choose("theme", "dark");
    let dark = browser.run(ground);
    choose("rows", "compact");
    served.open(&browser, "/mail");
    assert_eq!(browser.run(ground), dark);
    let kept = browser.run(
        "return [document.documentElement.dataset.theme, document.documentElement.dataset.rows]",
    );
    assert_eq!(kept, json!(["dark", "compact"]));
    choose("theme", "light");
    assert_ne!(browser.run(ground), dark);
    // What is read touches no frame.
    let room = browser
        .run("return parseFloat(getComputedStyle(document.querySelector('main')).paddingLeft)");
    assert!(room.as_f64() >= Some(12.0), "{room}");
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn what_is_written_from_right_to_left_moves_nothing_around_it() {
    let lead = vec![
        spawn([("דנה", "כותבת", "להתחיל")]).after("Begin"),
        say("I wait.").otherwise(),
    ];
    let dana = vec![bash("touch 1").after("להתחיל"), say("סיימתי!").otherwise()];
    let world = World::playing(&play([("lead", lead), ("דנה", dana)]));
    let served = Served::hosted(world, &["--permission-mode", "ask"]);
    served.world.teammate(&["send", "lead", "Begin"]).ends(0);
    let browser = Chromium::start();
    browser.resize(1_440, 900);
    served.open(&browser, "/needs");
    browser.until("document.querySelector('.need-card h3 time')");
    // Who, what and how long, in the order of the page.
    let order = browser.run(
        "const h = document.querySelector('.need-card h3'), left = e => e.getBoundingClientRect().left;
         return left(h.querySelector('a')) < left(h.querySelector('bdi')) && left(h.querySelector('bdi')) < left(h.querySelector('time'))",
    );
    assert_eq!(order, true);
    served.world.teammate(&["approve", "1"]).ends(0);
    served.open(&browser, "/m/דנה");
    browser.until_shown("סיימתי!");
    // A text of its own begins at the right, with its mark at the left.
    let begins = browser.run(
        "const p = [...document.querySelectorAll('.entry.said p')].find(p => p.textContent.includes('סיימתי')), text = p.firstChild, range = document.createRange();
         const at = n => { range.setStart(text, n); range.setEnd(text, n + 1); return range.getBoundingClientRect().left; };
         return at(0) > at(text.length - 1)",
    );
    assert_eq!(begins, true);
}
