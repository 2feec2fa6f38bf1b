//! docs/first-hour.md: what it says to do is done here in its order, and its pictures are what the terminal shows.

use super::{capture::same_each_time, *};
use crate::docs::{page::Block, page_named, session};

/// Where the pictures say that they are.
const PLACE: &str = "/tmp/first-hour · scripted:play.json · mode ask";

/// The heading of rows that stand in the order of their time.
const LATELY: &str = "── Just now ";

#[test]
fn the_first_hour_goes_as_its_page_says() {
    let page = page_named("docs/first-hour.md");
    let mut pictures = page.of("text");
    let mut sessions = page.of("console");
    let world = session::workspace().env("TEAMMATE_SCREEN", "full");
    let terminal = open(&world);

    terminal.until_prompt("lead", "");
    // Longer than a row of the prompt.
    terminal.keys(session::JOB);
    terminal.until("bo\n           b test it.");
    terminal.keys(ENTER);
    terminal.until("1 NEEDS YOU");
    terminal.until("-> lead: I wait for alice's mail.");
    is_shown(&terminal, pictures.next());
    session::play_blocks(&page, sessions.by_ref().take(1), &world);

    terminal.keys(CTRL_N);
    terminal.until("alice asks: edit slug.sh +1 -1");
    is_shown(&terminal, pictures.next());
    terminal.presses("y", |terminal| {
        terminal.shows().contains("bob asks: run sh test_slug.sh")
    });

    terminal.keys(TAB);
    terminal.keys("@alice\r");
    terminal.until_prompt("alice", "");
    terminal.keys(F2);
    terminal.until("-> lead: slug.sh prints one dash now; bob knows.");
    is_shown(&terminal, pictures.next());

    terminal.keys(CTRL_N);
    terminal.until("bob asks: run sh test_slug.sh");
    terminal.presses("a", |terminal| {
        terminal.shows().contains("git commit -am 'One dash'")
    });
    terminal.keys(TAB);
    terminal.keys("@lead\r");
    terminal.leaves_well();
    session::play_blocks(&page, sessions, &world);
    assert!(pictures.next().is_none(), "a picture that nothing shows");
}

/// The terminal comes to show this picture of the page.
fn is_shown(terminal: &Terminal, picture: Option<&Block>) {
    let picture = picture.map_or("", |block| block.text.trim_end());
    let shown = || same_each_time(&terminal.shows(), PLACE);
    until(
        || side_by_side(&shown()) == side_by_side(picture),
        || format!("\n{}\n--- the page\n{picture}", shown()),
    );
}

/// Members work side by side: of the last events, each member's own are in order, and who comes first differs.
fn side_by_side(shown: &str) -> Vec<String> {
    let mut rows: Vec<String> = shown.lines().map(without_figures).collect();
    if let Some(head) = rows.iter().position(|row| row.starts_with(LATELY)) {
        let events = &mut rows[head + 1..];
        let end = events.iter().position(|row| row.starts_with('─'));
        let end = end.unwrap_or(events.len());
        events[..end].sort_by_key(|row| row.split_whitespace().nth(1).map(str::to_owned));
    }
    rows
}

/// How long a call took and waited differs; what the digest is of has the place in it.
fn without_figures(row: &str) -> String {
    if row.starts_with(" digest ") {
        return " digest".to_owned();
    }
    let is_time = |word: &str| word.contains('.') && word.parse::<f64>().is_ok();
    if !row.split_whitespace().any(is_time) {
        return row.to_owned();
    }
    let words = row.split_whitespace();
    let words = words.map(|word| if is_time(word) { "N" } else { word });
    words.collect::<Vec<_>>().join(" ")
}
