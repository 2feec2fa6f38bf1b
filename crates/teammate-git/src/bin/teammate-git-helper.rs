//! The sandbox's helper and nothing else: for tests, which cannot be their own.

fn main() {
    teammate_sandbox::begin();
}
