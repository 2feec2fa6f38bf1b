//! Every word that stands on disk, as literal files beside this one: a value of each variant is written and compared byte for
//! byte, and every line is read back. A renamed variant or field fails here before it makes old directories unreadable.
//!
//! A new variant does not compile until it has a row in its table (`every!`), and fails until its line is added to the golden
//! file. Lines are only ever added.

mod audit;
mod board;
mod causes;
mod events;
mod journal;
mod mail;
mod places;
mod requests;
mod transcript;
mod views;

use std::{fmt::Debug, fs, path::Path};

use serde::{Serialize, de::DeserializeOwned};

/// Values of every variant of an enum: `pattern => values of it`, one row for each. The rows are also the arms of a `match`, so
/// a variant without a row does not compile.
macro_rules! every {
    ($type:ty: $($pattern:pat => $values:expr),+ $(,)?) => {{
        let _ = |value: &$type| match value { $($pattern => {})+ };
        let mut all: Vec<$type> = Vec::new();
        $(
            let values: Vec<$type> = $values.into();
            assert!(!values.is_empty(), "no value of {}", stringify!($pattern));
            for value in &values {
                assert!(matches!(value, $pattern), "{value:?} is no {}", stringify!($pattern));
            }
            all.extend(values);
        )+
        all
    }};
}
pub(crate) use every;

/// What was written is what stands in the golden file.
fn same_bytes(golden: &str, written: &[u8]) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(golden);
    let known = fs::read(file).unwrap_or_default();
    if known == written {
        return;
    }
    let today = Path::new(env!("CARGO_TARGET_TMPDIR")).join(golden);
    fs::write(&today, written).unwrap();
    let (known, written) = (
        String::from_utf8_lossy(&known),
        String::from_utf8_lossy(written),
    );
    for (at, line) in written.lines().enumerate() {
        let golden_line = known.lines().nth(at).unwrap_or("(nothing)");
        assert_eq!(
            line,
            golden_line,
            "{golden}, line {}: what this program writes (left) is not what stands in the golden file (right). \
             Words on disk are never renamed; for a new variant, add its line. All of it is in {}",
            at + 1,
            today.display()
        );
    }
    panic!(
        "{golden} has lines that this program does not write any more: {}",
        today.display()
    );
}

/// One JSON value a line, written as in the golden file and read back from it.
fn same_lines<T: Serialize + DeserializeOwned + Debug + PartialEq>(golden: &str, values: &[T]) {
    let mut written = String::new();
    for value in values {
        let line = serde_json::to_string(value).unwrap();
        let read: T = serde_json::from_str(&line).unwrap();
        assert_eq!(read, *value, "{line}");
        written += &line;
        written += "\n";
    }
    same_bytes(golden, written.as_bytes());
}
