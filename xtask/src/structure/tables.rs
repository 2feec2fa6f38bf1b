//! Tables of figures: as Markdown, with what they were before in the row, and as plain lines, which `before.txt` keeps.

use std::{collections::BTreeMap, fmt::Write as _};

/// Figures with a head.
pub(super) struct Table {
    title: &'static str,
    /// The head of the first column, and those of the figures.
    heads: Vec<&'static str>,
    pub(super) rows: Vec<(String, Vec<String>)>,
}

impl Table {
    pub(super) fn new(title: &'static str, heads: &[&'static str]) -> Self {
        Self {
            title,
            heads: heads.to_vec(),
            rows: Vec::new(),
        }
    }

    pub(super) fn row(
        &mut self,
        name: impl Into<String>,
        figures: impl IntoIterator<Item = String>,
    ) {
        self.rows.push((name.into(), figures.into_iter().collect()));
    }
}

/// A number as people read it: `175,177`.
pub(super) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut written = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    written
}

/// One line for each row: the table, the row and its figures, with tabs between them.
pub(super) fn plain(tables: &[Table]) -> String {
    let mut text = String::new();
    for table in tables {
        for (name, figures) in &table.rows {
            let _ = writeln!(text, "{}\t{name}\t{}", table.title, figures.join("\t"));
        }
    }
    text
}

/// Markdown, each figure with the one of the plain lines of before. A row that only one side has stands there too.
pub(super) fn render(tables: &[Table], before: &str) -> String {
    let mut text = String::new();
    for table in tables {
        let was: BTreeMap<&str, Vec<&str>> = before
            .lines()
            .filter_map(|line| line.strip_prefix(table.title)?.strip_prefix('\t'))
            .filter_map(|line| line.split_once('\t'))
            .map(|(name, figures)| (name, figures.split('\t').collect()))
            .collect();
        let now: BTreeMap<&str, &Vec<String>> = table
            .rows
            .iter()
            .map(|(name, figures)| (name.as_str(), figures))
            .collect();
        let gone = was.keys().filter(|name| !now.contains_key(*name));
        let names = table
            .rows
            .iter()
            .map(|(name, _)| name.as_str())
            .chain(gone.copied());
        let _ = writeln!(text, "### {}\n", table.title);
        let heads = table.heads[1..]
            .iter()
            .map(|head| format!("{head} before | now |").trim_start().to_owned());
        let _ = writeln!(
            text,
            "| {} | {}",
            table.heads[0],
            heads.collect::<Vec<_>>().join(" ")
        );
        let _ = writeln!(text, "|---|{}", "--:|".repeat(2 * (table.heads.len() - 1)));
        for name in names {
            let _ = write!(text, "| {name} |");
            for at in 0..table.heads.len() - 1 {
                let old = was
                    .get(name)
                    .and_then(|figures| figures.get(at))
                    .unwrap_or(&"");
                let new = now
                    .get(name)
                    .and_then(|figures| figures.get(at))
                    .map_or("", String::as_str);
                let _ = write!(text, " {old} | {new} |");
            }
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

#[test]
fn figures_stand_beside_those_of_before() {
    let mut table = Table::new("Crates", &["crate", "lines", "files"]);
    table.row("core", [thousands(34_012), thousands(7)]);
    assert_eq!(plain(&[table]), "Crates\tcore\t34,012\t7\n");
    let mut table = Table::new("Crates", &["crate", "lines"]);
    table.row("core", [thousands(1_000_000)]);
    table.row("git", [thousands(5)]);
    let page = "### Crates\n\n| crate | lines before | now |\n|---|--:|--:|\n\
                | core | 9 | 1,000,000 |\n| git |  | 5 |\n| program | 3 |  |\n\n";
    assert_eq!(
        render(&[table], "Crates\tprogram\t3\nCrates\tcore\t9\n"),
        page
    );
}
