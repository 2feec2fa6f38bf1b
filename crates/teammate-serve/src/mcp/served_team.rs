//! The team behind a door. Which one it is, was said when the door was opened; no client chooses another.

use std::{collections::BTreeSet, sync::Arc};

use teammate::{
    BoxFuture, LookOptions, NextStep, TeamClient, TeamError, TeamPlace, lock::Hold,
    project::UserDirs, request::RequestId,
};
use tokio::sync::Mutex;

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

/// The team behind a door, and what its clients may do.
pub struct ServedTeam {
    place: TeamPlace,
    user: UserDirs,
    look: LookOptions,
    pub(crate) program: Arc<dyn HostProgram>,
    /// Whether clients answer what members ask of the user.
    pub(crate) clients_answer: bool,
    /// Held while a process is started: two clients start one.
    pub(crate) starting: Mutex<()>,
    /// Requests that a client has heard of while it waited: each ends one wait.
    told: std::sync::Mutex<BTreeSet<RequestId>>,
}

impl ServedTeam {
    /// The team at a place, of the user with these directories. Requests stay with the person, unless `clients_answer`.
    pub fn new(
        place: TeamPlace,
        user: UserDirs,
        look: LookOptions,
        program: Arc<dyn HostProgram>,
        clients_answer: bool,
    ) -> Self {
        Self {
            place,
            user,
            look,
            program,
            clients_answer,
            starting: Mutex::new(()),
            told: std::sync::Mutex::default(),
        }
    }

    /// The team as it is now.
    pub(crate) async fn look(&self) -> Result<TeamClient, TeamError> {
        TeamClient::open_with(self.place.clone(), &self.user, self.look.clone()).await
    }

    /// Finds the team; nothing, if there is no team yet.
    pub(crate) async fn find(&self) -> Result<Option<TeamClient>, TeamError> {
        match self.look().await {
            Ok(client) => Ok(Some(client)),
            Err(TeamError::NoTeam(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Where the team is.
    pub(crate) fn place(&self) -> &TeamPlace {
        &self.place
    }

    /// The most bytes of one of its files that are read.
    pub(crate) fn read_max(&self) -> u64 {
        self.look.read_max
    }

    /// The ways of the user to answer an open request, in the middle of a sentence.
    pub(crate) fn how_to_answer(&self) -> String {
        self.look.wording.words(&NextStep::AnswerRequests)
    }

    /// Notes that clients hear of these requests now; true if one of them is news.
    pub(crate) fn note_requests(&self, requests: impl Iterator<Item = RequestId>) -> bool {
        let mut told = self.told.hold();
        // All of them: the others are no news the next time.
        requests.filter(|id| told.insert(*id)).count() > 0
    }
}
