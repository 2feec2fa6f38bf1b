//! What a hook costs besides its own program: the gap of a turn with a shell call and one hook before it, without the gap of the
//! same turn without the hook, and without the start of a shell.

use std::{fs, io, path::Path};

use super::{
    Effort, Measured, disk,
    row::{Row, Target},
    sample::Sample,
    turns,
};

/// Turns of a run.
const TURNS: usize = 50;

const HOOKS: &str = r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"true"}]}]}}"#;

pub(super) fn measure(effort: Effort) -> Measured {
    let mut costs = Vec::new();
    let (mut plain, mut hooked, mut shells) = (Vec::new(), Vec::new(), Vec::new());
    // In turn: on a busy machine both suffer alike.
    for _ in 0..effort.times(7, 3) {
        let without = median(|_| Ok(()))?;
        let with = median(with_hook)?;
        let (shell, _) = disk::shell(20)?;
        costs.push(with - without - shell.median());
        plain.push(without);
        hooked.push(with);
        shells.push(shell.median());
    }
    let of = |values: Vec<f64>| Sample::new(values).median();
    let costs = Sample::new(costs);
    let (plain, hooked, shell) = (of(plain), of(hooked), of(shells));
    Ok(vec![
        Row::new(
            "one hook before a call, above the start of its own shell",
            "ms",
            Target::AtMost(3.0),
            costs.median(),
        )
        .note(format!(
            "a turn {plain:.2} ms, with the hook {hooked:.2}; one shell start {shell:.2}; {}",
            costs.spread()
        )),
    ])
}

/// The median gap of a run in a workspace that was prepared like this, in ms.
fn median(prepare: fn(&Path) -> io::Result<()>) -> io::Result<f64> {
    let (exchanges, _) = turns::run_in(TURNS, false, prepare)?;
    Ok(Sample::ms(turns::gaps(&exchanges)).median())
}

/// The benchmarks' home is the workspace.
fn with_hook(home: &Path) -> io::Result<()> {
    let config = home.join(".config/teammate");
    fs::create_dir_all(&config)?;
    fs::write(config.join("hooks.json"), HOOKS)
}
