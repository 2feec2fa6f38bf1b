//! The page says what is so where the reader looks: that the team's program has died, where the past begins, and who waits for whom.

use super::served::{ASKED, Served};

const BAR: &str = "document.getElementById('down')";

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn when_the_host_dies_it_is_said_at_the_top_and_no_button_answers() {
    let (served, browser) = Served::asking_on("/needs");
    browser.until("document.querySelector('.answers button')");
    browser.until_shown(ASKED);
    browser.until("document.getElementById('teams').selectedOptions[0].text.includes('(running')");
    for (width, height) in [(1440, 900), (390, 844)] {
        browser.resize(width, height);
        assert_eq!(browser.run(&format!("return {BAR}.hidden")), true);
    }
    served.kill_host();
    browser.until(&format!("!{BAR}.hidden"));
    for (width, height) in [(1440, 900), (390, 844)] {
        browser.resize(width, height);
        let is_seen = format!(
            "const box = {BAR}.getBoundingClientRect();
             return box.top >= 0 && box.height > 20 && box.bottom <= innerHeight && {BAR}.innerText.includes('ended without a word')"
        );
        assert_eq!(browser.run(&is_seen), true, "{width}x{height}");
    }
    browser.until(
        "[...document.querySelectorAll('.answers button')].every(button => button.disabled)",
    );
    // The list at the top does not contradict.
    browser.until("!document.getElementById('teams').selectedOptions[0].text.includes('(running')");
    // What a key does is as dead as the button.
    browser.run("answer(document.querySelector('.answers button'))");
    browser.until("document.getElementById('word').textContent.includes('ended without a word')");
    let requests = served.world.teammate(&["requests"]).out;
    assert!(requests.contains("req_000001"), "{requests}");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn the_first_touch_of_the_slider_goes_where_it_was_touched() {
    let (_served, browser) = Served::asking_on("/board");
    browser.until_shown(ASKED);
    browser.run(
        "const at = document.getElementById('at');
         at.value = .5 * at.max; at.dispatchEvent(new Event('change'))",
    );
    browser.until("document.getElementById('moment').textContent.startsWith('PAST')");
    let told = browser.run(
        "const [, at, of] = /, (\\d+) of (\\d+)$/.exec(document.getElementById('moment').textContent);
         return Math.abs(at / of - .5) < .1 && of > 20 && !document.getElementById('moment').textContent.includes('1970')",
    );
    let moment = browser.run("return document.getElementById('moment').textContent");
    assert_eq!(told, true, "{moment}");
    // Before the first fact there is no day.
    browser.run(
        "const at = document.getElementById('at'); at.value = 0; at.dispatchEvent(new Event('change'))",
    );
    browser.until(
        "document.getElementById('moment').textContent.startsWith('PAST the beginning, 0 of')",
    );
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn the_graph_draws_waiting_for_the_reader_in_a_colour_of_its_own() {
    let (_served, browser) = Served::asking_on("/graph");
    browser.until("document.querySelector('#graph\\\\.time rect.waits')");
    let colours = browser.run(
        "const fill = name => getComputedStyle(document.querySelector('#graph\\\\.time rect.' + name)).fill;
         return fill('waits') !== fill('tool') && fill('waits') !== fill('turn')",
    );
    assert_eq!(colours, true);
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn the_list_tells_that_another_team_waits_while_this_one_is_looked_at() {
    let (served, browser) = Served::asking_on("/board");
    let listed = |text: &str| {
        format!(
            "[...document.getElementById('teams').options].some(team => team.text.includes('{text}'))"
        )
    };
    browser.until(&listed("default:"));
    browser.until(&listed("(running, 1 needs you)"));
    served.world.teammate(&["approve", "1"]).ends(0);
    browser.until(&format!("!({})", listed("1 needs you")));
    served.kill_host();
    browser.until(&format!("!({})", listed("(running")));
}
