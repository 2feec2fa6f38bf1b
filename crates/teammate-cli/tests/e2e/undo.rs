//! `/undo`: a recorded change is turned back where the file is as the member left it, and nowhere else.

use std::{io::Write as _, process::Stdio};

use crate::{
    facts::with_poem,
    world::{Run, World},
};

/// Types lines at the plain prompt.
fn type_lines(world: &World, lines: &str) -> Run {
    let mut command = world.command(&[]);
    command.stdin(Stdio::piped());
    let mut prompt = world.launch(command);
    prompt.stdin().write_all(lines.as_bytes()).unwrap();
    prompt.end().ends(0)
}

// fast: undo
#[test]
fn changes_are_turned_back_one_after_the_other() {
    let world = with_poem();
    let typed = |line: &str| type_lines(&world, &format!("{line}\n"));
    typed("/undo").says("Turned back: poem, where lead had +1 -1 lines");
    assert_eq!(world.file("poem"), "rain\nand sun\n");
    typed("/undo lead").says("Turned back: poem, where lead had +2 -0 lines");
    assert!(!world.path("poem").exists());
    typed("/undo").says("No change of a file by a tool is left to turn back");
}

#[test]
fn what_somebody_changed_since_stays_as_it_is() {
    let world = with_poem();
    std::fs::write(world.path("poem"), "snow\nand wind\n").unwrap();
    type_lines(&world, "/undo\n/undo nobody\n")
        .says("poem is not as lead left it: nothing was turned back")
        .says("there is no member 'nobody'");
    assert_eq!(world.file("poem"), "snow\nand wind\n");
    let outside = world.path("../outside");
    std::fs::write(&outside, "snow\nand sun\n").unwrap();
    std::fs::remove_file(world.path("poem")).unwrap();
    std::os::unix::fs::symlink(&outside, world.path("poem")).unwrap();
    type_lines(&world, "/undo\n").says("poem leads out of the workspace and stays as it is");
    assert_eq!(std::fs::read_to_string(outside).unwrap(), "snow\nand sun\n");
}
