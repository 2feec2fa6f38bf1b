//! What was seen, in the tables of `docs/project/doors.md`: between two marks for each kind, in the order of the list. Rows that were
//! not tried now stay as they are.

use std::fs;

use xtask::root;

use super::Tried;
use crate::{
    doors::Came,
    listed::{Kind, List},
};

/// How long a cell may be: what went wrong can be long.
const CELL_CHARS: usize = 400;

/// Writes the rows that were tried.
pub(super) fn write(list: &List, tried: &[Tried]) -> Result<(), String> {
    let path = root().join("docs/project/doors.md");
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut page = fs::read_to_string(&path).map_err(failed)?;
    for kind in Kind::ALL {
        let tried: Vec<&Tried> = tried
            .iter()
            .filter(|row| row.kind == kind && !matches!(row.came, Came::Skipped(_)))
            .collect();
        page = with_rows(&page, kind, list, &tried)?;
    }
    fs::write(&path, page).map_err(failed)
}

/// The page with these rows between the marks of their kind.
fn with_rows(page: &str, kind: Kind, list: &List, tried: &[&Tried]) -> Result<String, String> {
    let mark = format!("<!-- wild {} -->\n", kind.name());
    let parts = page.split_once(&mark).and_then(|(before, rest)| {
        let (table, after) = rest.split_once("<!-- end -->")?;
        Some((before, table, after))
    });
    let (before, table, after) = parts.ok_or_else(|| format!("there is no {mark}"))?;
    // A table's head has two lines.
    let (head, old): (Vec<&str>, Vec<&str>) = {
        let lines: Vec<&str> = table.trim().lines().collect();
        let (head, rows) = lines.split_at(lines.len().min(2));
        (head.to_vec(), rows.to_vec())
    };
    let mut lines: Vec<String> = head.into_iter().map(str::to_owned).collect();
    for name in list.names_of(kind) {
        let begins = format!("| {name} |");
        let new = tried.iter().find(|row| row.name == name);
        let kept = old.iter().find(|line| line.starts_with(&begins));
        lines.extend(match (new, kept) {
            (Some(row), _) => Some(line(&row.name, &row.cells)),
            (None, kept) => kept.map(|line| (*line).to_owned()),
        });
    }
    Ok(format!(
        "{before}{mark}\n{}\n\n<!-- end -->{after}",
        lines.join("\n")
    ))
}

fn line(name: &str, cells: &[String]) -> String {
    let cells: Vec<String> = cells
        .iter()
        .map(|cell| cell.replace('|', "\\|").chars().take(CELL_CHARS).collect())
        .collect();
    format!("| {name} | {} |", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_was_not_tried_stays_and_the_order_is_the_lists() {
        let list = List::read().unwrap();
        let names: Vec<&str> = list.names_of(Kind::Agents).take(2).collect();
        let page = format!(
            "Before\n\n<!-- wild agents -->\n\n| agent | result |\n|---|---|\n| {} | as it was |\n| gone | x |\n\n<!-- end -->\n\nAfter\n",
            names[1]
        );
        let tried = Tried {
            kind: Kind::Agents,
            name: names[0].to_owned(),
            cells: vec!["a|b".to_owned()],
            came: Came::Through(String::new()),
        };
        let page = with_rows(&page, Kind::Agents, &list, &[&tried]).unwrap();
        assert_eq!(
            page,
            format!(
                "Before\n\n<!-- wild agents -->\n\n| agent | result |\n|---|---|\n| {} | a\\|b |\n| {} | as it was |\n\n<!-- end -->\n\nAfter\n",
                names[0], names[1]
            )
        );
        assert!(with_rows("no marks", Kind::Agents, &list, &[]).is_err());
    }
}
