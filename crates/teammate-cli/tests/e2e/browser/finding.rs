//! Filters over what is shown, what the prompt offers while one types, and the help.

use super::{
    chromium::{ENTER, ESCAPE},
    served::{ASKED, Served},
};

/// The parts of a screen that are seen.
const ROWS: &str = "[...document.querySelectorAll('#main>.entry,#main>.mail,#main .card')].filter(row => row.checkVisibility())";

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_screen_is_filtered_by_words_and_whole_again() {
    let (served, browser) = Served::asking_on("/mail");
    browser.until_shown("I have the *task*");
    let all = browser.run(&format!("return {ROWS}.length"));
    assert!(all.as_u64() > Some(1), "{all}");
    browser.press(&["f"]);
    browser.until("document.activeElement.id === 'find'");
    browser.type_text("alice have");
    browser.until(&format!("{ROWS}.length === 1"));
    assert_eq!(
        browser.run(&format!(
            "return {ROWS}[0].innerText.includes('I have the')"
        )),
        true
    );
    // What comes meanwhile is filtered, too.
    served
        .world
        .teammate(&["send", "lead", "Something else"])
        .ends(0);
    browser.until("document.getElementById('main').textContent.includes('Something else')");
    assert_eq!(browser.run(&format!("return {ROWS}.length")), 1);
    browser.press(&[ESCAPE]);
    browser.until_shown("Something else");
    // Another screen begins whole.
    browser.press(&["f"]);
    browser.type_text("nowhere");
    browser.run("go('/board')");
    browser.until(&format!("{ROWS}.length === 1"));
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn commands_members_and_files_are_offered_while_one_types() {
    let (_served, browser) = Served::asking_on("/");
    browser.until_shown(ASKED);
    // For all that is typed: a list for the letters before has it, too, and does not take Enter.
    let offered = |typed: &str, text: &str| {
        format!(
            "document.getElementById('offered').dataset.of === '{typed}' && \
             [...document.querySelectorAll('#offered li')].some(li => li.innerText.includes('{text}'))"
        )
    };
    let value = "document.getElementById('text').value";
    browser.press(&["/"]);
    browser.type_text("/ta");
    browser.until(&offered("/ta", "/tasks"));
    browser.press(&["\u{e004}"]);
    browser.until(&format!("{value} === '/tasks '"));
    browser.press(&[ENTER]);
    browser.until("document.getElementById('word').textContent.includes('Make it')");
    browser.until(&format!("{value} === ''"));
    browser.type_text("@al");
    browser.until(&offered("@al", "@alice"));
    browser.press(&[ENTER]);
    browser.until(&format!("{value} === '@alice '"));
    browser.type_text("see @no");
    browser.until(&offered("@alice see @no", "@notes.txt"));
    // Escape leaves the list, and then the prompt.
    browser.press(&[ESCAPE]);
    browser.until("document.getElementById('offered').hidden");
    assert_eq!(browser.run("return document.activeElement.id"), "text");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn the_help_lists_keys_and_commands() {
    let (_served, browser) = Served::asking_on("/");
    browser.until_shown(ASKED);
    browser.press(&["?"]);
    browser.until("document.getElementById('ask').open");
    browser.until_shown("Commands at the prompt");
    for text in ["/tasks", "filter the screen", "Alt-1"] {
        browser.until_shown(text);
    }
    browser.press(&[ESCAPE]);
    browser.until("!document.getElementById('ask').open");
    // What a command prints in columns keeps them.
    browser.run("document.getElementById('text').value = '/help'; send()");
    browser.until("document.getElementById('word').className === 'table'");
}
