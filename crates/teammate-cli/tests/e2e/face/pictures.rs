//! The pictures of the full screen in docs/screen.md: what a terminal shows, as SVG. `cargo xtask pictures` makes them anew.

use std::{env, fmt::Write as _, fs, path::PathBuf};

use super::{configured::configure, shop::shop, *};

/// Rows and columns of the terminal.
const PICTURE: (u16, u16) = (30, 110);

/// A cell in pixels, and where its text stands.
const CELL: (usize, usize) = (8, 17);
const BASELINE: usize = 13;

/// A larger one makes a page of the documentation slow.
const BYTES_MAX: usize = 96 << 10;

/// The colours of a terminal: its sixteen, what is behind them, and text without a colour.
const PALETTE: [&str; 16] = [
    "#15191d", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4",
    "#5c6370", "#f08a92", "#b3d99a", "#f0d399", "#82c0f5", "#d69aea", "#7fcdd7", "#ffffff",
];
const BEHIND: &str = PALETTE[0];
const TEXT: &str = PALETTE[7];

/// Where they go.
fn place() -> PathBuf {
    let named = env::var_os("TEAMMATE_PICTURES");
    named.map_or_else(|| env::temp_dir().join("teammate-pictures"), PathBuf::from)
}

fn colour(colour: vt100::Color) -> Option<String> {
    match colour {
        vt100::Color::Default => None,
        vt100::Color::Idx(index) => PALETTE.get(usize::from(index)).map(|&c| c.to_owned()),
        vt100::Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
    }
}

/// A picture of the screen, its text as text.
fn svg(screen: &vt100::Screen, title: &str, home: &str) -> String {
    let (rows, columns) = screen.size();
    let (width, height) = (usize::from(columns) * CELL.0, usize::from(rows) * CELL.1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" font-size=\"13\"><title>{title}</title><rect width=\"100%\" height=\"100%\" fill=\"{BEHIND}\"/>\n"
    );
    for row in 0..rows {
        let mut column = 0;
        while column < columns {
            let begin = column;
            let (style, mut text) = (style(screen, row, column), String::new());
            while column < columns && self::style(screen, row, column) == style {
                let cell = screen.cell(row, column).unwrap();
                if !cell.is_wide_continuation() {
                    let shown = cell.contents();
                    text.push_str(if shown.is_empty() { " " } else { shown });
                }
                column += 1;
            }
            if text.trim().is_empty() && style.1.is_none() {
                continue;
            }
            let text = text.replace(home, "/home/ann");
            let (x, y) = (usize::from(begin) * CELL.0, usize::from(row) * CELL.1);
            let length = usize::from(column - begin) * CELL.0;
            if let Some(behind) = &style.1 {
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{length}\" height=\"{}\" fill=\"{behind}\"/>",
                    CELL.1
                );
            }
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{}\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" fill=\"{}\"{}>{}</text>",
                y + BASELINE,
                style.0,
                style.2,
                escaped(&text)
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The colours of a cell's text and of what is behind it, and the rest of its style.
fn style(screen: &vt100::Screen, row: u16, column: u16) -> (String, Option<String>, &'static str) {
    let cell = screen.cell(row, column).unwrap();
    let text = colour(cell.fgcolor()).unwrap_or_else(|| TEXT.to_owned());
    let behind = colour(cell.bgcolor());
    let (text, behind) = match cell.inverse() {
        true => (behind.unwrap_or_else(|| BEHIND.to_owned()), Some(text)),
        false => (text, behind),
    };
    let style = match (cell.bold(), cell.dim()) {
        (true, _) => " font-weight=\"bold\"",
        (false, true) => " opacity=\"0.6\"",
        (false, false) => "",
    };
    (text, behind, style)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Waits until only times change.
fn settles(terminal: &Terminal) {
    let shown = || terminal.shows().replace(|c: char| c.is_ascii_digit(), "");
    let mut before = (shown(), Instant::now());
    until(
        || {
            let now = shown();
            if now != before.0 {
                before = (now, Instant::now());
            }
            before.1.elapsed() > 2 * AGAIN
        },
        || terminal.shows(),
    );
}

#[test]
fn the_screens_as_they_stand_in_the_documentation() {
    let world = shop();
    // Nothing turns while one looks.
    configure(&world, "[ui]\nmotion = \"reduced\"\n");
    let terminal = Terminal::sized(&world, PICTURE, &["--team", "shop"]);
    terminal.says("build the shop");
    terminal.until("3 NEED YOU");
    let root = world.work().canonicalize().unwrap();
    let root = root.parent().unwrap().display().to_string();
    let keep = |name: &str| {
        settles(&terminal);
        let svg = terminal.with_screen(|screen| svg(screen, name, &root));
        assert!(svg.len() <= BYTES_MAX, "{name}: {} bytes", svg.len());
        assert!(!svg.contains('\u{1b}'), "{name}");
        fs::create_dir_all(place()).unwrap();
        fs::write(place().join(format!("screen-{name}.svg")), svg).unwrap();
    };
    keep("team");
    terminal.keys("@alice\r");
    terminal.until_prompt("alice", "");
    for (key, shown, name) in [
        (F2, "[2 alice]", "member"),
        ("\u{1b}OR", "[3 Board]", "board"),
        ("\u{1b}OS", "[4 Mail]", "mail"),
        ("\u{1b}[15~", "[5 Needs]", "needs"),
        ("\u{1b}[17~", "[6 Cost]", "cost"),
    ] {
        terminal.keys(key);
        terminal.until(shown);
        keep(name);
    }
    terminal.keys("@lead\r");
    terminal.leaves_well();
}
