//! A keeper of commands and nothing else: for tests, and for programs that cannot be their own.

fn main() {
    teammate_tools::keep_if_asked();
}
