//! What is read of pages, sound and unsound ones.

use super::*;

fn page(html: &str) -> ReadablePage {
    readable(
        html,
        &Url::parse("https://docs.example/guide/start").unwrap(),
    )
}

fn text(html: &str) -> String {
    page(html).text
}

#[test]
fn a_page_reads_like_markdown() {
    let html = r#"<!DOCTYPE html><html><head><title> The
      Guide</title><style>p{color:red}</style></head><body>
      <nav><ul><li><a href="/">Home</a></ul></nav>
      <h1>Start</h1><p>First   <b>install</b> it, see <a href="../install#linux">the&nbsp;page</a>.
      <p>Then:<ol><li><p>run <code>x --help</code></p><li>read<ul><li>deep</ul></ol>
      <pre><code>fn main() {
    a &lt; b
}
</code></pre>
      <table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>
      <img src="a.png" alt="a chart"><script>if (a < b) { document.write("<p>no</p>") }</script>
      <blockquote>Quoted</blockquote>one<br>two</body></html>"#;
    let read = page(html);
    assert_eq!(read.title, "The Guide");
    let expected = "\
# Start

First install it, see [the\u{a0}page](https://docs.example/install#linux).

Then:

1. run `x --help`
2. read
  - deep

```
fn main() {
    a < b
}
```

A | B
1 | 2

[picture: a chart]

Quoted

one
two";
    assert_eq!(read.text, expected);
}

#[test]
fn links_without_text_and_those_that_lead_nowhere_are_left_out() {
    assert_eq!(
        text("a <a href='#top'>top</a> <a href='/x'> <svg>s</svg></a>b"),
        "a top b"
    );
    assert_eq!(text("<a href='javascript:alert(1)'>run</a>"), "run");
    assert_eq!(
        text("<a href='/a'>one <a href='/b'>two"),
        "[one](https://docs.example/a) [two"
    );
}

#[test]
fn what_is_left_open_hides_nothing() {
    assert_eq!(text("<nav>menu <p>text"), "menu\n\ntext");
    assert_eq!(text("<head><title>t</title><p>text"), "text");
    assert_eq!(text("<p>a<pre>b"), "a\n\n```\nb\n```");
    assert_eq!(text("</ul></li></p>x</a></pre>"), "x");
    assert_eq!(text("<script>x"), "");
}

// slow: megabytes of pages
#[test]
fn no_page_takes_more_than_its_bytes() {
    for html in [
        "<div>".repeat(200_000),
        "<b>".repeat(200_000),
        "<ul><li>".repeat(100_000),
        "<a><b><i><p>".repeat(50_000),
        format!(
            "<div {}>x</div>",
            (0..100_000).map(|i| format!("a{i}=x ")).collect::<String>()
        ),
        "<nav>".repeat(100_000),
        "<title>".repeat(100_000),
        "&amp".repeat(200_000),
        "<".repeat(500_000),
    ] {
        let read = text(&html);
        assert!(read.len() <= html.len() + 100, "{}", &html[..20]);
    }
    let address = format!("/{}", "x".repeat(4_000));
    let many = format!("<base><a href='{address}'>l</a> ").repeat(4_000);
    assert!(text(&many).len() < (4 << 20) + 10_000);
}
