//! Keys of the terminal as the key table names them.

use crossterm::event::{KeyCode as Code, KeyEvent, KeyModifiers};
use teammate_view::keys::{KeyCode, KeyPress};

/// The key, if the table can have it.
pub(super) fn press(key: KeyEvent) -> Option<KeyPress> {
    let has = |modifier| key.modifiers.contains(modifier);
    let (code, is_back_tab) = match key.code {
        Code::BackTab => (KeyCode::Tab, true),
        Code::Char(c) => (KeyCode::Char(c), false),
        Code::F(number) => (KeyCode::F(number), false),
        Code::Enter => (KeyCode::Enter, false),
        Code::Tab => (KeyCode::Tab, false),
        Code::Esc => (KeyCode::Esc, false),
        Code::Backspace => (KeyCode::Backspace, false),
        Code::Delete => (KeyCode::Delete, false),
        Code::Up => (KeyCode::Up, false),
        Code::Down => (KeyCode::Down, false),
        Code::Left => (KeyCode::Left, false),
        Code::Right => (KeyCode::Right, false),
        Code::Home => (KeyCode::Home, false),
        Code::End => (KeyCode::End, false),
        Code::PageUp => (KeyCode::PgUp, false),
        Code::PageDown => (KeyCode::PgDn, false),
        Code::Insert
        | Code::Null
        | Code::CapsLock
        | Code::ScrollLock
        | Code::NumLock
        | Code::PrintScreen
        | Code::Pause
        | Code::Menu
        | Code::KeypadBegin
        | Code::Media(_)
        | Code::Modifier(_) => return None,
    };
    Some(KeyPress::new(
        code,
        has(KeyModifiers::CONTROL),
        has(KeyModifiers::ALT),
        has(KeyModifiers::SHIFT) || is_back_tab,
    ))
}
