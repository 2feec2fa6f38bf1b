//! Pictures that a member has read are in its story, small, and whole in a box. What only looks like a picture is none.

use std::fs;

use image::{Rgb, RgbImage};
use serde_json::json;

use super::{chromium::Chromium, served::Served};
use crate::{
    play::{Scene as _, calls, play, say},
    world::World,
};

#[test]
#[ignore = "wants a browser: cargo xtask test --part browser"]
fn a_picture_that_a_member_read_is_shown_and_what_only_names_one_is_not() {
    let read = |path: &str| ("read_file", json!({ "path": path }));
    let lead = vec![
        calls([read("shop.png"), read("notes.txt"), read("evil.svg")]).after("Begin"),
        say("I have seen it.").otherwise(),
    ];
    let world = World::playing(&play([("lead", lead)]));
    RgbImage::from_pixel(640, 400, Rgb([200, 30, 60]))
        .save(world.path("shop.png"))
        .unwrap();
    fs::write(world.path("notes.txt"), "[image]\nonly words\n").unwrap();
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>top.fired = 1</script></svg>";
    fs::write(world.path("evil.svg"), svg).unwrap();
    let served = Served::hosted(world, &[]);
    served.world.teammate(&["send", "lead", "Begin"]).ends(0);
    let browser = Chromium::start();
    browser.resize(1_440, 900);
    served.open(&browser, "/m/lead");
    browser.until_shown("I have seen it.");
    let pictures = "[...document.querySelectorAll('.pictures img')]";
    browser.until(&format!(
        "{pictures}.some(img => img.complete && img.naturalWidth === 640)"
    ));
    let small = browser.run(&format!(
        "const all = {pictures}; return [all.length, all[0].getBoundingClientRect().height <= 160, all[0].alt]"
    ));
    assert_eq!(small, json!([1, true, "Picture 1 of 1"]));
    browser.run("document.querySelector('.pictures img').closest('button').click()");
    browser.until("document.querySelector('dialog img.whole')?.naturalWidth === 640");
    let kinds = browser.run_until_done(
        "const done = arguments[arguments.length - 1], button = document.querySelector('.pictures button');
         get(button.dataset.picture + '?' + new URLSearchParams({team})).then(got => done(
            [got.headers.get('content-type'), got.headers.get('x-content-type-options')]))",
    );
    assert_eq!(kinds, json!(["image/png", "nosniff"]));
    assert_eq!(browser.run("return self.fired ?? null"), json!(null));
    assert_eq!(browser.faults(), [""; 0]);
}
