//! The helper alone, for programs that are not to be started twice, such as tests.

fn main() {
    teammate_sandbox::begin();
}
