use super::*;

/// Types a text: `<` and `>` go left and right, `⌫` deletes.
fn typed(keys: &str) -> Editor {
    let mut editor = Editor::default();
    for key in keys.chars() {
        match key {
            '<' => editor.go(Move::Left),
            '>' => editor.go(Move::Right),
            '⌫' => editor.delete(Move::Left),
            c => editor.insert(c),
        }
    }
    editor
}

#[test]
fn people_edit_characters_not_bytes() {
    assert_eq!(typed("abc<<X").text(), "aXbc");
    assert_eq!(
        typed("e\u{301}⌫x").text(),
        "x",
        "an accent belongs to its letter"
    );
    assert_eq!(
        typed("👩\u{200d}👩\u{200d}👧<x").text(),
        "x👩\u{200d}👩\u{200d}👧"
    );
    assert_eq!(typed("中文⌫").text(), "中");
}

#[test]
fn words_and_lines_are_deleted_and_put_back() {
    let mut editor = Editor::of("one two, three");
    editor.delete(Move::WordLeft);
    assert_eq!(editor.text(), "one two, ");
    editor.delete(Move::WordLeft);
    assert_eq!(editor.text(), "one ");
    editor.yank();
    assert_eq!(editor.text(), "one two, ");
    editor.delete(Move::Home);
    assert_eq!(editor.text(), "");
    assert!(editor.undo());
    assert_eq!(editor.text(), "one two, ");
    assert!(editor.redo() && editor.is_empty());
}

#[test]
fn letters_of_a_word_are_taken_back_together() {
    let mut editor = typed("ab cd");
    assert!(editor.undo());
    assert_eq!(editor.text(), "ab ");
    assert!(editor.undo() && editor.undo() && !editor.undo());
    assert!(editor.is_empty());
}

#[test]
fn a_backslash_before_enter_continues_the_line() {
    let mut editor = Editor::of("one\\");
    assert!(editor.continue_line());
    editor.insert('x');
    assert_eq!(editor.text(), "one\nx");
    assert!(!editor.continue_line());
}

#[test]
fn a_long_paste_is_a_chip_and_is_sent_whole() {
    let mut editor = Editor::of("see ");
    let pasted = "line\n".repeat(30);
    editor.paste(&pasted);
    editor.insert('!');
    assert_eq!(editor.view(80, 5).rows, ["see [pasted 30 lines]!"]);
    assert_eq!(editor.text(), format!("see {pasted}!"));
    editor.go(Move::Left);
    editor.delete(Move::Left);
    assert_eq!(editor.text(), "see !", "it goes as one");
}

#[test]
fn the_cursor_moves_between_lines_and_stays_in_sight() {
    let mut editor = Editor::of("first\nsec\nthird");
    assert!(editor.go_line(false));
    assert_eq!(editor.before(), "first\nsec");
    assert!(editor.go_line(false) && !editor.go_line(false));
    assert_eq!(editor.before(), "fir");
    let view = editor.view(80, 2);
    assert_eq!(
        (view.rows.len(), view.row, view.column, view.above),
        (2, 0, 3, 0)
    );
    editor.go(Move::Finish);
    let view = editor.view(80, 2);
    assert_eq!(
        (view.rows, view.row, view.above),
        (vec!["sec".into(), "third".into()], 1, 1)
    );
}

#[test]
fn rows_are_never_wider_than_asked() {
    let view = Editor::of("中文中文中 x").view(5, 9);
    assert_eq!(view.rows, ["中文", "中文", "中 x"]);
    assert_eq!((view.row, view.column), (2, 4));
}
