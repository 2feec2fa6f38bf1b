//! What is typed with a `/` in front, for a screen: the same commands as at the plain prompt, with lines as their answer.

use std::sync::{Arc, Mutex, PoisonError};

use teammate::Team;

use crate::commands::repl::{self, Printer};

/// Does what a typed line says; gives the lines that answer it.
pub(super) async fn run(team: &Team, line: &str) -> Vec<String> {
    let lines = Arc::new(Mutex::new(String::new()));
    let put = lines.clone();
    let (printer, printing) = Printer::collecting(move |text| {
        put.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push_str(text);
    });
    repl::run_typed(team, line, &printer).await;
    drop(printer);
    printing.finish().await;
    let text = lines.lock().unwrap_or_else(PoisonError::into_inner);
    without_colours(&text).lines().map(str::to_owned).collect()
}

/// Leaves out our own colours: the screen has its own.
fn without_colours(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        out.push_str(&rest[..at]);
        let sequence = &rest[at + 2..];
        let end = sequence.find(|c: char| c.is_ascii_alphabetic());
        rest = end.map_or("", |end| &sequence[end + 1..]);
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::without_colours;

    #[test]
    fn colours_are_left_out() {
        assert_eq!(without_colours("a \u{1b}[1mb\u{1b}[0m c"), "a b c");
        assert_eq!(without_colours("a\u{1b}["), "a");
    }
}
