//! The torture rig in small: it passes what is right and catches what is not.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test may")]

use std::process::Command;

#[test]
fn mail_survives_a_hundred_kills_and_the_rig_bites() {
    let output = Command::new(env!("CARGO_BIN_EXE_rig"))
        .args(["torture", "mail", "--kills", "100"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}{errors}");
    assert!(told.contains("nothing lost, nothing doubled"), "{told}");
}
