//! Golden files: text that other programs rely on, held against what the program writes now.

use std::{fs, path::Path};

/// Set, golden files are written instead of compared.
const UPDATE: &str = "UPDATE_GOLDEN";

/// Panics at the first line of `written` that is not in `file`, and if `file` has more lines.
#[track_caller]
pub fn assert_golden(file: &Path, written: &str) {
    if std::env::var_os(UPDATE).is_some() {
        fs::write(file, written).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        return;
    }
    let golden = fs::read_to_string(file).unwrap_or_default();
    if golden == written {
        return;
    }
    let name = file.display();
    for (at, line) in written.lines().enumerate() {
        let known = golden.lines().nth(at).unwrap_or("(nothing)");
        assert_eq!(
            line,
            known,
            "{name}, line {}: the program writes left, the golden file has right. Other programs rely on what is there; for \
             something new, run the test with {UPDATE}=1 and read the difference",
            at + 1
        );
    }
    panic!("{name} has lines that the program does not write any more");
}

/// The names that serde lists in its refusal of an unknown one, sorted.
pub fn known_names(refusal: &str) -> Vec<String> {
    let (_, listed) = refusal.split_once(", expected ").unwrap_or_default();
    let mut names: Vec<String> = listed
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect();
    names.sort();
    names
}
