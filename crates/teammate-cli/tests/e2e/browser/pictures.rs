//! The pictures in the pages: what Chromium shows. `cargo xtask pictures` makes them anew.

use std::{env, fs, path::PathBuf};

use image::{ImageFormat, codecs::webp::WebPEncoder};
use serde_json::json;

use super::{
    chromium::{Chromium, Theme},
    replay,
    served::Served,
};
use crate::world::World;

/// A larger one makes a page of the documentation slow.
const BYTES_MAX: usize = 128 << 10;

/// Where they go.
fn place() -> PathBuf {
    let named = env::var_os("TEAMMATE_PICTURES");
    named.map_or_else(|| env::temp_dir().join("teammate-pictures"), PathBuf::from)
}

/// The test's own directory.
fn root(world: &World) -> String {
    let work = world.work().canonicalize().unwrap();
    work.parent().unwrap().display().to_string()
}

/// Keeps what is seen, with a person's home in place of the test's own directory.
fn keep(browser: &Chromium, name: &str, root: &str) {
    browser.run(&format!(
        "const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
         while (all.nextNode()) all.currentNode.data = all.currentNode.data.replaceAll({}, '/home/you');
         for (const o of document.querySelectorAll('option')) o.textContent = o.textContent.replaceAll({}, '/home/you')",
        json!(root),
        json!(root)
    ));
    let picture = image::load_from_memory_with_format(&browser.picture(), ImageFormat::Png);
    let picture = picture.unwrap().to_rgb8();
    let mut bytes = Vec::new();
    let encoder = WebPEncoder::new_lossless(&mut bytes);
    picture.write_with_encoder(encoder).unwrap();
    assert!(bytes.len() <= BYTES_MAX, "{name}: {} bytes", bytes.len());
    fs::create_dir_all(place()).unwrap();
    fs::write(place().join(format!("{name}.webp")), bytes).unwrap();
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn the_page_as_it_stands_in_the_documentation() {
    let served = Served::asking();
    let root = root(&served.world);
    let browser = Chromium::start();
    for (name, screen, (width, height), theme) in [
        ("page-team", "/", (1_200, 700), Theme::Light),
        ("page-board", "/board", (1_200, 700), Theme::Dark),
        ("page-member", "/m/alice", (1_200, 700), Theme::Light),
        ("page-phone", "/needs", (360, 740), Theme::Light),
    ] {
        browser.resize(width, height);
        browser.choose(theme);
        served.open(&browser, screen);
        browser.until("document.querySelector('.need-card')");
        keep(&browser, name, &root);
    }
}

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn the_shared_run_as_it_stands_in_the_documentation() {
    let world = replay::told();
    let browser = Chromium::start();
    browser.resize(1_200, 800);
    browser.choose(Theme::Light);
    replay::open(&world, &browser);
    browser.run("const at = document.getElementById('at'); at.value = at.max; at.oninput()");
    keep(&browser, "shared-run", &root(&world));
}
