//! Changed files are looked over: by file, in colours, side by side, and with words about a line to the member.

use super::served::Served;
use crate::world::until;

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_change_is_looked_over_and_a_comment_on_a_line_is_mail_to_its_member() {
    let (served, browser) = Served::asking_on("/changes");
    browser.until_shown("notes.txt");
    browser.run("document.querySelector('.change').open = true");
    browser.until("document.querySelectorAll('.change .diff.lit>.add').length === 2");
    let press = |place: &str, label: &str| {
        browser.run(&format!(
            "[...document.querySelectorAll('{place} button')].find(button => button.textContent === '{label}').click()"
        ));
    };
    press(".change", "Side by side");
    browser.until("document.querySelectorAll('.change .sides>.add').length === 2");
    press(".change", "Side by side");
    browser.until("!document.querySelector('.change .sides')");
    press(".change", "Comment");
    browser.run(
        "document.getElementById('field-line').selectedIndex = 1;
         document.getElementById('field-text').value = 'Why two?';
         document.querySelector('#ask form').requestSubmit()",
    );
    browser.until("!document.getElementById('ask').open");
    let mail = || served.world.teammate(&["inbox", "alice"]).out;
    until(
        || {
            let mail = mail();
            mail.contains("notes.txt, line 2 +two") && mail.contains("Why two?")
        },
        mail,
    );
    press(".change", "Send back");
    browser.run(
        "document.getElementById('field-why').value = 'One is enough';
         document.querySelector('#ask form').requestSubmit()",
    );
    browser.until("!document.getElementById('ask').open");
    until(|| mail().contains("back: One is enough"), mail);
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn cost_over_time_is_drawn_when_somebody_asks() {
    let (_served, browser) = Served::asking_on("/cost");
    browser.until("document.querySelector('#wishes button')");
    browser.run("document.querySelector('#wishes button').click()");
    browser.until("document.getElementById('chart').textContent.includes('tokens a minute')");
    browser.until("document.querySelector('#chart svg path.spent')");
    assert_eq!(browser.complaints(), [""; 0]);
}
