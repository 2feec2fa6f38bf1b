//! Somebody who is new: the welcome, notes that hide nothing, lists while typing, `?`, the palette, and Ctrl-C that asks.

use super::*;
use crate::app::Focus;

fn types(app: &mut App, text: &str) {
    for letter in text.chars() {
        press(app, KeyCode::Char(letter));
    }
}

fn ctrl(app: &mut App, letter: char) -> KeyStep {
    let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
    input::handle(app, key)
}

/// A team that was opened, and that nobody has talked with.
fn new_app() -> App {
    let mut app = app();
    app.begin(TeamView::of(&facts()[..4]));
    app
}

#[test]
fn who_begins_reads_what_to_say_which_model_answers_and_the_keys_until_somebody_works() {
    let mut app = new_app();
    for (columns, rows) in [(80, 24), (100, 30), (140, 40)] {
        let shown = screen(&app, columns, rows);
        for text in [
            "── Team: 1, 0 work",
            "lead",
            "You talk with the lead.",
            "\"What is this, how is it built, and where would you begin to read?\"",
            "Model anthropic:claude-sonnet-4-5",
            "Mode ask: looking is free",
            "Enter sends   Ctrl-P finds every command   Ctrl-N what needs you   ? all keys",
        ] {
            assert!(shown.contains(text), "{text}\n{shown}");
        }
        assert_eq!(shown.matches("You talk with").count(), 1, "{shown}");
    }
    app.show(ScreenKind::Member);
    assert!(screen(&app, 80, 24).contains("You talk with the lead."));
    app.show(ScreenKind::Team);
    facts()[4..].iter().for_each(|fact| app.take(fact));
    for size in [(80, 24), (140, 40)] {
        let shown = screen(&app, size.0, size.1);
        assert!(!shown.contains("You talk with"), "{shown}");
    }
}

#[test]
fn tasks_that_are_on_the_board_already_leave_room_for_the_keys() {
    let mut app = new_app();
    for task in 1..=12 {
        let created = format!(
            r#"[{{"event":"task","task":{task},"change":"created","by":"lead","call":"lead/1/1/c{task}","subject":"Mend {task}","description":""}}]"#
        );
        let events: Vec<TeamEvent> = serde_json::from_str(&created).unwrap();
        let record = Record::of(app.present().records(), Timestamp(1), events);
        app.take(&Fact::Record(Arc::new(record)));
    }
    let shown = screen(&app, 80, 24);
    for text in [
        "Board: 0 of 12 done",
        "\"Have two teammates do the tasks on the board.\"",
        "? all keys",
    ] {
        assert!(shown.contains(text), "{text}\n{shown}");
    }
}

#[test]
fn a_short_note_hides_nothing_of_the_team_and_a_long_one_is_read_first() {
    let noted = |notes: Vec<String>| {
        let mut setup = app().setup;
        setup.opened = Some("Attached to the team that process 7 runs".to_owned());
        setup.notes = notes;
        let mut app = App::new(setup);
        facts().iter().for_each(|fact| app.take(fact));
        app
    };
    let mut app = noted(vec!["the sandbox is weak here".to_owned()]);
    let shown = screen(&app, 80, 24);
    for text in ["── Team: 3", " note the sandbox is weak here"] {
        assert!(shown.contains(text), "{text}\n{shown}");
    }
    press(&mut app, KeyCode::Esc);
    assert!(!screen(&app, 80, 24).contains("sandbox"));
    let app = noted(Vec::new());
    let shown = screen(&app, 80, 24);
    assert!(shown.contains("── Team: 3"), "{shown}");
    let app = noted(vec!["word ".repeat(100)]);
    assert!(screen(&app, 80, 24).contains("── Notes ──"));
}

#[test]
fn a_question_mark_alone_opens_the_keys_and_closes_them_and_in_a_sentence_it_is_typed() {
    let mut app = new_app();
    press(&mut app, KeyCode::Char('?'));
    let shown = screen(&app, 80, 24);
    assert!(shown.contains("── Keys and commands ──"), "{shown}");
    // What this program has of its own comes first.
    let rows: Vec<&str> = shown.lines().skip(2).take(2).collect();
    assert_eq!(rows[0], " Everywhere");
    assert!(rows[1].contains("shows the team"), "{shown}");
    press(&mut app, KeyCode::Char('?'));
    assert!(app.overlay.is_none() && app.prompt.editor.is_empty());
    types(&mut app, "why?");
    assert_eq!(app.prompt.editor.text(), "why?");
    assert!(app.overlay.is_none());
}

#[test]
fn commands_and_members_are_listed_while_they_are_typed() {
    let mut app = app();
    types(&mut app, "/t");
    let shown = screen(&app, 80, 24);
    for row in ["   /tasks ", "   /team ", " to lead > /t"] {
        assert!(shown.contains(row), "{row}\n{shown}");
    }
    types(&mut app, "ea");
    assert!(!screen(&app, 80, 24).contains("/tasks"));
    press(&mut app, KeyCode::Backspace);
    press(&mut app, KeyCode::Backspace);
    assert!(screen(&app, 80, 24).contains("/tasks"));
    // The arrows choose, and Enter does it.
    press(&mut app, KeyCode::Down);
    assert_eq!(app.prompt.editor.text(), "/tasks");
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.kind, ScreenKind::Board);
    types(&mut app, "@");
    let shown = screen(&app, 80, 24);
    assert!(
        shown.contains("   @alice") && shown.contains("   @bob"),
        "{shown}"
    );
    // A name is taken, and the sentence goes on.
    types(&mut app, "a");
    press(&mut app, KeyCode::Down);
    assert!(matches!(press(&mut app, KeyCode::Enter), KeyStep::Stay));
    types(&mut app, "hello");
    let KeyStep::Ask(Verb::Say { to, text }) = press(&mut app, KeyCode::Enter) else {
        panic!("it was not said");
    };
    assert_eq!((to.as_str(), text.as_str()), ("alice", "hello"));
}

#[test]
fn a_list_is_closed_and_what_is_typed_stays() {
    let mut app = app();
    types(&mut app, "/t");
    press(&mut app, KeyCode::Esc);
    assert!(!screen(&app, 80, 24).contains("/tasks"));
    assert_eq!(app.prompt.editor.text(), "/t");
    // Enter sends what stands there: nothing was chosen.
    types(&mut app, "e");
    let KeyStep::Ask(Verb::Typed(line)) = press(&mut app, KeyCode::Enter) else {
        panic!("it was not sent");
    };
    assert_eq!(line, "/te");
}

#[test]
fn the_palette_finds_by_words_does_keys_and_hands_commands_to_the_prompt() {
    let mut app = app();
    types(&mut app, "a draft");
    ctrl(&mut app, 'p');
    types(&mut app, "shows the task");
    let shown = screen(&app, 80, 24);
    for text in [
        "── Commands and keys ──",
        " > /board",
        " do > shows the task",
    ] {
        assert!(shown.contains(text), "{text}\n{shown}");
    }
    press(&mut app, KeyCode::Enter);
    assert!(app.overlay.is_none() && app.kind == ScreenKind::Board);
    assert_eq!(app.prompt.editor.text(), "a draft");
    ctrl(&mut app, 'p');
    types(&mut app, "moment");
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.prompt.editor.text(), "/at ");
    // Given up, the draft is there again.
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.prompt.editor.text(), "a draft");
    ctrl(&mut app, 'p');
    types(&mut app, "no such thing");
    assert!(screen(&app, 80, 24).contains("Nothing has all these words"));
    press(&mut app, KeyCode::Enter);
    ctrl(&mut app, 'p');
    assert!(app.overlay.is_none());
    assert_eq!(app.prompt.editor.text(), "a draft");
}

#[test]
fn ctrl_c_asks_before_it_interrupts_members_that_work() {
    let mut app = app();
    assert!(app.present().has_work_under_way());
    assert!(matches!(ctrl(&mut app, 'c'), KeyStep::Stay));
    let shown = screen(&app, 80, 24);
    assert!(
        shown.contains("   Ctrl-C once more interrupts all turns"),
        "{shown}"
    );
    let step = ctrl(&mut app, 'c');
    assert!(
        matches!(step, KeyStep::Ask(Verb::Interrupt(None))),
        "{step:?}"
    );
    assert!(matches!(ctrl(&mut app, 'c'), KeyStep::Leave(_)));
    // Any other key takes the question back.
    let mut app = self::app();
    ctrl(&mut app, 'c');
    types(&mut app, "a");
    assert!(!screen(&app, 80, 24).contains("once more interrupts"));
    press(&mut app, KeyCode::Backspace);
    assert!(matches!(ctrl(&mut app, 'c'), KeyStep::Stay));
    // Where nobody works nobody is asked.
    let mut app = new_app();
    assert!(!app.present().has_work_under_way());
    ctrl(&mut app, 'c');
    assert!(matches!(ctrl(&mut app, 'c'), KeyStep::Leave(_)));
    assert_eq!(app.focus, Focus::Prompt);
}
