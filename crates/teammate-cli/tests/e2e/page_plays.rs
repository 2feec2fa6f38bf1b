//! The example of docs/plays.md runs as it stands there.

use std::{fs, path::Path};

use crate::world::World;

#[test]
fn the_full_example_of_the_page_runs() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/plays.md");
    let page = fs::read_to_string(page).unwrap();
    let example = page.split("```json\n").nth(1).unwrap();
    let example = example.split("```").next().unwrap();
    let world = World::playing(&serde_json::from_str(example).unwrap());
    let run = world.run("Rain, please.").ends(0).says(
        "The poet writes:\n\n\
         Rain on the roof,\n\
         and nobody home.",
    );
    assert!(!run.out.contains("went wrong"), "{}", run.out);
}
