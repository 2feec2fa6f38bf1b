//! Markdown as it is seen: what is written, and the lines that are there then.

use super::*;
use crate::{
    chance::Chance,
    text::{TextLine, TextRole},
    width::WidthPolicy,
};

fn lines(text: &str, width: usize) -> Vec<TextLine> {
    layout(&parse(text), width, WidthPolicy::Narrow)
}

fn shown(text: &str, width: usize) -> String {
    let lines = lines(text, width);
    lines.iter().map(|line| line.plain() + "\n").collect()
}

/// The spans that are not plain.
fn roles(text: &str) -> Vec<(String, TextRole)> {
    let lines = lines(text, 80);
    let spans = lines.into_iter().flat_map(|line| line.spans);
    let marked = spans.filter(|span| span.role != TextRole::Plain);
    marked.map(|span| (span.text, span.role)).collect()
}

#[test]
fn what_somebody_wrote_keeps_its_lines_and_their_indentation() {
    let text = "error log:\n  at a.rs:1\n\tat b.rs:2\n\n- one\n- **two**\n  goes on";
    let lines = layout(&parse_message(text), 40, WidthPolicy::Narrow);
    let lines: Vec<String> = lines.iter().map(TextLine::plain).collect();
    assert_eq!(
        lines,
        [
            "error log:",
            "\u{a0}\u{a0}at a.rs:1",
            "\u{a0}\u{a0}at b.rs:2",
            " • one",
            " • two",
            "   \u{a0}\u{a0}goes on"
        ]
    );
}

#[test]
fn an_answer_is_shown_as_it_is_meant() {
    let text = "\
# The parser

Yes. Three places **copy** the text, which makes it slow:
- `Token::text` is a String
- the lexer clones it
  1. for peek
  2. for next

> A borrow lives as long as
> its source.

```rust
fn peek(&self) -> Option<&Token> {
\tNone
}
```
- [x] read
- [ ] write

***
End.";
    assert_eq!(
        shown(text, 30),
        "\
# The parser

Yes. Three places copy the
text, which makes it slow:
 • Token::text is a String
 • the lexer clones it
    1. for peek
    2. for next

> A borrow lives as long as
> its source.

  fn peek(&self) -> Option<&To
  ken> {
      None
  }

 • [x] read
 • [ ] write

---

End.
"
    );
}

#[test]
fn marks_become_roles_and_links_show_where_they_lead() {
    let text = "a **b *c* d** *e* ~~f~~ `g` [h](http://i.example) <https://j.example>";
    let expected = [
        ("b c d", TextRole::Strong),
        ("e", TextRole::Emphasis),
        ("f", TextRole::Struck),
        ("g", TextRole::Code),
        ("h", TextRole::Link),
        ("(http://i.example)", TextRole::Dim),
        ("https://j.example", TextRole::Link),
    ];
    let found = roles(text);
    let found: Vec<(&str, TextRole)> = found
        .iter()
        .map(|(text, role)| (text.trim(), *role))
        .filter(|(text, _)| !text.is_empty())
        .collect();
    assert_eq!(found, expected);
    assert_eq!(
        shown("[https://bank.example](https://evil.example)", 80),
        "https://bank.example (https://evil.example)\n"
    );
    assert_eq!(shown("![a cat](c.png)", 80), "image: a cat (c.png)\n");
}

#[test]
fn html_and_control_characters_are_text() {
    assert_eq!(
        shown(
            "a <b onclick=x>bold</b>\n\n<script>\nalert(1)\n</script>\n",
            80
        ),
        "a <b onclick=x>bold</b>\n\n<script>\nalert(1)\n</script>\n"
    );
    let evil = "&#27;[2J `\u{1b}]0;x` [a](<x\u{202e}y>) &#10;&#x202e;";
    let seen = shown(evil, 80);
    assert_eq!(seen.lines().count(), 1, "{seen}");
    assert!(!seen.trim_end().contains(teammate_core::fence::is_invisible));
}

#[test]
fn a_table_is_drawn_if_it_fits_and_told_cell_by_cell_if_not() {
    let table = "\
| call | before | after |
|:---|---:|:-:|
| peek | 41 ns | 3 ns |
| 中文 | **9** | |
";
    assert_eq!(
        shown(table, 40),
        "\
| call | before | after |
|------|-------:|:-----:|
| peek |  41 ns | 3 ns  |
| 中文 |      9 |       |
"
    );
    assert_eq!(
        shown(table, 24),
        "\
call: peek
before: 41 ns
after: 3 ns

call: 中文
before: 9
"
    );
}

#[test]
fn a_loose_list_keeps_its_empty_lines_and_numbers_stand_below_each_other() {
    assert_eq!(
        shown("9. nine\n\n   more\n\n10. ten", 20),
        "  9. nine\n\n     more\n\n 10. ten\n"
    );
    assert_eq!(shown("- \n- b", 20), " • \n • b\n");
    assert_eq!(shown("> a\n>\n> - b\n> - c", 20), "> a\n>  • b\n>  • c\n");
    assert_eq!(shown("> a\n>\n> b", 20), "> a\n>\n> b\n");
}

#[test]
fn a_change_in_a_fence_has_its_roles() {
    assert_eq!(
        roles("```diff\n-old\n+new\n```"),
        [
            ("-old".to_owned(), TextRole::Removed),
            ("+new".to_owned(), TextRole::Added)
        ]
    );
}

#[test]
fn what_continues_a_line_says_so() {
    let continues = |text, width| -> Vec<bool> {
        let lines = lines(text, width);
        lines.iter().map(|line| line.continues).collect()
    };
    assert_eq!(continues("one two three\\\nfour", 8), [false, true, false]);
    assert_eq!(
        continues("```\n0123456789\nx\n```", 8),
        [false, true, false]
    );
}

#[test]
fn half_a_document_looks_as_the_whole_one_will() {
    let seen = |text| layout(&parse_unfinished(text), 40, WidthPolicy::Narrow);
    let plain = |text| -> Vec<String> { seen(text).iter().map(TextLine::plain).collect() };
    assert_eq!(plain("Look:\n\n```rust\nlet a"), ["Look:", "", "  let a"]);
    assert_eq!(plain("so **very imp"), ["so very imp"]);
    assert_eq!(seen("so **very imp")[0].spans[1].role, TextRole::Strong);
    assert_eq!(plain("Title\n-"), ["Title"]);
    assert_eq!(plain("a\n\n- b\n- "), ["a", " • b"]);
    assert_eq!(plain(""), Vec::<String>::new());
}

#[test]
fn whatever_is_written_no_line_is_too_wide_and_nothing_panics() {
    let mut chance = Chance::new("markdown");
    for _ in 0..1_000 {
        let text = chance.text(80);
        let width = WIDTH_MIN + chance.below(40);
        for policy in [WidthPolicy::Narrow, WidthPolicy::Wide] {
            for blocks in [parse(&text), parse_unfinished(&text)] {
                for line in layout(&blocks, width, policy) {
                    let plain = line.plain();
                    assert!(
                        line.width(policy) <= width,
                        "{text:?} at {width}: {plain:?}"
                    );
                    assert!(!plain.contains(['\n', '\t', '\u{1b}']), "{plain:?}");
                }
            }
        }
    }
}

#[test]
fn a_sign_that_widens_what_stands_before_it_does_not_reach_out_of_its_text() {
    assert_eq!(shown("*5*\u{fe0f}x", 8), "5x\n");
}

// slow: megabytes of text
/// Each of these is quadratic or deep in careless readers. Nothing is measured here: a test that does not end is seen.
#[test]
fn hostile_text_ends() {
    let count = 20_000;
    let hostile = [
        "> ".repeat(count),
        "- ".repeat(count),
        "* a\n".repeat(count),
        "**a ".repeat(count),
        "*a **a ".repeat(count),
        "[".repeat(count),
        "[a](".repeat(count),
        "![a".repeat(count),
        "`".repeat(count) + "a",
        (1..300).map(|n| "`".repeat(n) + " ").collect(),
        "<a ".repeat(count),
        "<!--".repeat(count),
        "a\u{301}".repeat(count),
        format!("a{}", "\u{301}".repeat(count)),
        "x".repeat(count),
        format!(
            "|{}\n|{}\n{}",
            "a|".repeat(1_000),
            "-|".repeat(1_000),
            "|\n".repeat(1_000)
        ),
        (0..500)
            .map(|n| format!("{}a\n", "  ".repeat(n) + "- "))
            .collect(),
        "&#10;".repeat(count),
        "~~".repeat(count),
        "_a__b".repeat(count),
        "```\n".repeat(count),
    ];
    for text in hostile {
        for blocks in [parse(&text), parse_unfinished(&text)] {
            for line in layout(&blocks, 40, WidthPolicy::Narrow) {
                assert!(line.width(WidthPolicy::Narrow) <= 40);
            }
        }
    }
}

#[test]
fn what_is_too_deep_is_text() {
    let quote = parse(&format!("{}deep", "> ".repeat(1_000)));
    let mut depth = 0;
    let mut blocks = &quote;
    while let [TextBlock::Quote(inside)] = &blocks[..] {
        depth += 1;
        blocks = inside;
    }
    assert_eq!(depth, DEPTH_MAX);
    assert!(shown(&format!("{}deep", "> ".repeat(1_000)), 40).ends_with("> deep\n"));
}
