//! What each screen looks like in three sizes, held to files: where the parts of the frame and of the screen stand, and the colours and
//! sizes of their texts.
//!
//! Not pictures: those differ with each machine's fonts and each release of the browser, and nobody looks at a test that cries at
//! every one. Boxes and computed styles do not: the frame is a grid of our own sizes. What depends on how wide letters are is left
//! out (heights and places of texts below others), and the rest may be off by a line of text or a scroll bar. So this fails where a
//! part is gone, stands elsewhere, has another width or another colour.

use std::{fs, path::PathBuf};

use super::{
    chromium::{Chromium, Theme},
    served::{SCREENS, Served},
};

/// A line of text, or a scroll bar.
const OFF_MAX: f64 = 20.0;

/// The parts of the frame, with all four numbers; then those of screens, the first of each kind, with left and width.
const LOOK: &str = "const line = (name, numbers) => name + ' ' + numbers.map(Math.round).join(' ');
     const seen = name => [...document.querySelectorAll(name)].find(e => e.checkVisibility());
     const found = [];
     for (const name of ['header', 'nav', 'aside', '#middle', 'footer', '#text']) {
        const box = seen(name)?.getBoundingClientRect();
        if (box) found.push(line(name, [box.left, box.top, box.width, box.height]));
     }
     for (const name of ['#asks li', '.need-card', '.answers', '#wishes', '.column', '.column:last-child', '.card', '.entry', 'article.mail', 'table', '#main svg', '.file', '#main > .row']) {
        const box = seen(name)?.getBoundingClientRect();
        if (box) found.push(line(name, [box.left, box.width]));
     }
     return found";

/// Colours and sizes, by what they are for.
const STYLES: &str = "const of = (name, ...what) => name + ': ' + what.map(one => getComputedStyle(document.querySelector(name))[one]).join(', ');
     return [of('body', 'color', 'backgroundColor', 'fontSize'), of('aside', 'backgroundColor', 'borderRightColor'), of('nav a[aria-current]', 'color', 'borderBottomColor'),
        of('.need-card', 'backgroundColor', 'borderTopColor'), of('.need-card h3', 'fontSize', 'fontWeight'), of('[data-answer=once]', 'color', 'backgroundColor'), of('[data-answer=no]', 'color'),
        of('#asks a', 'backgroundColor'), of('h2', 'fontSize'), of('time', 'color')]";

/// The lines of a script.
fn lines(browser: &Chromium, script: &str) -> Vec<String> {
    let found = browser.run(script);
    let found = found.as_array().unwrap().iter();
    found
        .map(|line| line.as_str().unwrap().to_owned())
        .collect()
}

/// Whether a line says the same: the same words, with numbers that are near.
fn is_same(one: &str, other: &str) -> bool {
    let (one, other): (Vec<_>, Vec<_>) = (one.split(' ').collect(), other.split(' ').collect());
    one.len() == other.len()
        && one.iter().zip(&other).all(|(a, b)| {
            let (a_number, b_number) = (a.parse::<f64>(), b.parse::<f64>());
            match (a_number, b_number) {
                (Ok(a), Ok(b)) => (a - b).abs() <= OFF_MAX,
                _ => a == b,
            }
        })
}

/// Holds lines to a file; `UPDATE_GOLDEN=1` writes it.
fn hold(file: &str, written: &[String]) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/page")
        .join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        return fs::write(path, written.join("\n") + "\n").unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    let golden: Vec<&str> = golden.lines().collect();
    let differs: Vec<String> = (0..golden.len().max(written.len()))
        .map(|at| {
            (
                golden.get(at).copied().unwrap_or("nothing"),
                written.get(at).map_or("nothing", String::as_str),
            )
        })
        .filter(|(held, now)| !is_same(held, now))
        .map(|(held, now)| format!("{held}\n  is now: {now}"))
        .collect();
    assert!(
        differs.is_empty(),
        "{}:\n{}\nlook at the page; UPDATE_GOLDEN=1 writes the file",
        path.display(),
        differs.join("\n")
    );
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn each_screen_stands_as_it_did_in_three_sizes() {
    let served = Served::asking();
    let browser = Chromium::start();
    let mut written = Vec::new();
    for (width, height) in [(390, 844), (820, 1_180), (1_440, 900)] {
        browser.resize(width, height);
        for screen in SCREENS {
            served.open(&browser, screen);
            browser.until("document.querySelectorAll('#asks a').length === 1");
            written.push(format!("@ {width} {screen}"));
            written.extend(lines(&browser, LOOK));
        }
    }
    hold("boxes.txt", &written);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn each_theme_has_its_colours_and_sizes() {
    let served = Served::asking();
    let browser = Chromium::start();
    browser.resize(1_440, 900);
    let mut written = Vec::new();
    for theme in [Theme::Light, Theme::Dark] {
        browser.choose(theme);
        served.open(&browser, "/needs");
        browser.until("document.querySelector('.need-card.current')");
        written.push(format!("@ {theme:?}"));
        written.extend(lines(&browser, STYLES));
    }
    hold("styles.txt", &written);
}

#[test]
fn what_is_near_is_the_same_and_what_is_elsewhere_is_not() {
    assert!(is_same("nav 0 800 390 48", "nav 0 792 390 50"));
    assert!(!is_same("nav 0 800 390 48", "nav 0 40 390 48"));
    assert!(!is_same("nav 0 800 390 48", "aside 0 800 390 48"));
    assert!(!is_same("body: rgb(1, 2, 3)", "body: rgb(1, 2, 4)"));
}
