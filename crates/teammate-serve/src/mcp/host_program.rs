//! The port to the program around a door.

use teammate::BoxFuture;

/// What a door needs of the program that opens it.
pub trait HostProgram: Send + Sync {
    /// Starts a process that opens the team and runs it until nothing is left to do, and goes on if this process ends. Returns when
    /// the team is open, and the job durable; then with the process in words.
    ///
    /// Errors: why it could not be opened, in words.
    fn start(&self, job: Option<FirstJob>) -> BoxFuture<'_, Result<String, String>>;
}

/// What the lead hears first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstJob {
    /// The job.
    pub text: String,
    /// Whether the lead's last conversation goes on, or a new one begins.
    pub goes_on: bool,
}
