//! The usual verbs by buttons, by keys and by dragging: tasks and members.

use super::{
    chromium::{ENTER, ESCAPE},
    served::{ASKED, Served},
};
use crate::world::{World, until};

/// Waits until the board says this.
fn until_board_says(world: &World, text: &str) {
    let board = || world.teammate(&["tasks"]).out;
    until(|| board().contains(text), board);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_task_is_added_assigned_reopened_and_edited_by_buttons() {
    let (served, browser) = Served::asking_on("/board");
    browser.until_shown(ASKED);
    let press = |label: &str| {
        browser.run(&format!(
            "[...document.querySelectorAll(document.getElementById('ask').open ? '#ask button' : '#wishes button, #task-2 button')]
                .find(button => button.textContent === '{label}').click()"
        ));
    };
    let fill = |field: &str, text: &str| {
        browser.run(&format!(
            "document.getElementById('field-{field}').value = \"{text}\""
        ));
    };
    let done = || browser.until("!document.getElementById('ask').open");
    press("New task");
    fill("subject", "Don't break it");
    fill("check", "test -e made");
    press("New task");
    done();
    browser.until("document.getElementById('task-2')?.innerText.includes('break it')");
    until_board_says(&served.world, "Don't break it");
    let open = || {
        browser.run("document.getElementById('task-2').open = true");
        browser.until("document.querySelector('#task-2 .acts')");
    };
    open();
    press("Assign");
    fill("who", "lead");
    press("Assign");
    done();
    // It is in progress when its owner begins with it.
    browser.until("document.querySelector('#task-2 summary').innerText.includes('lead')");
    open();
    press("Edit");
    fill("subject", "Keep it whole");
    press("Edit");
    done();
    until_board_says(&served.world, "Keep it whole");
    // What the team refuses is said where it was asked.
    press("New task");
    fill("subject", "It waits");
    fill("after", "99");
    press("New task");
    browser.until("document.querySelector('#ask [role=alert]').textContent.includes('99')");
    browser.press(&[ESCAPE]);
    done();
    assert_eq!(browser.faults(), [""; 0]);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_task_is_moved_by_keys_and_by_dragging() {
    let (served, browser) = Served::asking_on("/board");
    served
        .world
        .teammate(&["tasks", "add", "Move me", "about"])
        .ends(0);
    browser.until("document.querySelector('#board\\\\.ready #task-2 summary')");
    browser.run("document.querySelector('#task-2 summary').focus()");
    browser.press(&["m"]);
    browser.until("document.getElementById('ask').open");
    browser.run("document.getElementById('field-who').value = 'lead'; document.getElementById('field-who').focus()");
    browser.run("document.querySelector('#ask form').requestSubmit()");
    // It is in progress when its owner begins with it.
    browser.until("document.querySelector('#task-2 summary').innerText.includes('lead')");
    // As a browser drags.
    let drag = |to: &str| {
        browser.run(&format!(
            "const data = new DataTransfer(), event = kind => new DragEvent(kind, {{bubbles: true, cancelable: true, dataTransfer: data}});
             document.getElementById('task-2').dispatchEvent(event('dragstart'));
             const to = document.getElementById('{to}');
             to.dispatchEvent(event('dragover')); to.dispatchEvent(event('drop'))"
        ));
        browser.until("document.getElementById('ask').open");
    };
    drag("board.done");
    browser.run("document.getElementById('field-result').value = 'Moved'; document.querySelector('#ask form').requestSubmit()");
    browser.until("document.querySelector('#board\\\\.done #task-2')");
    drag("board.ready");
    browser.press(&[ENTER]);
    browser.until("document.querySelector('#board\\\\.ready #task-2')");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_member_is_asked_for_interrupted_and_stopped_by_buttons() {
    let (served, browser) = Served::asking_on("/");
    browser.until_shown(ASKED);
    let press = |place: &str, label: &str| {
        browser.run(&format!(
            "[...document.querySelectorAll('{place} button')].find(button => button.textContent === '{label}').click()"
        ));
    };
    press("#wishes", "New member");
    browser.run(
        "for (const [field, text] of [['name', 'bob'], ['role', 'tester'], ['work', 'Look around']]) document.getElementById('field-' + field).value = text;
         document.querySelector('#ask form').requestSubmit()",
    );
    browser.until("!document.getElementById('ask').open");
    let log = || served.world.teammate(&["log"]).out;
    until(|| log().contains("Spawn a teammate bob"), log);
    browser.run("go('/m/alice')");
    browser.until("[...document.querySelectorAll('#wishes button')].some(button => button.textContent === 'Stop')");
    press("#wishes", "Stop");
    press("#ask", "Stop");
    browser.until("!document.getElementById('ask').open");
    let state = || served.world.teammate(&["team"]).out;
    until(
        || log().contains("shut"),
        || format!("{}\n{}", log(), state()),
    );
    assert_eq!(browser.complaints(), [""; 0]);
}
