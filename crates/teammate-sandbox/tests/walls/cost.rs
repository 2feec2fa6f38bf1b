//! What a command costs. Prints figures, passes whatever they are: `cargo test ... cost -- --ignored --nocapture`.

use std::{process::Command, time::Instant};

use crate::place::Place;

#[tokio::test]
#[ignore = "a measurement"]
async fn a_walled_command_beside_a_plain_one() {
    let place = Place::new();
    let (mut walled, mut plain) = (Vec::new(), Vec::new());
    for _ in 0..300 {
        let begun = Instant::now();
        place.run("true").await;
        walled.push(begun.elapsed());
        let begun = Instant::now();
        Command::new("/bin/bash")
            .args(["-c", "true"])
            .output()
            .unwrap();
        plain.push(begun.elapsed());
    }
    walled.sort();
    plain.sort();
    println!("walled: median {:?}, least {:?}", walled[150], walled[0]);
    println!("plain:  median {:?}, least {:?}", plain[150], plain[0]);
}
