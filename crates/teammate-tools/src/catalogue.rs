//! Which tools there are and who gets them.
//!
//! The tools common to all come first, in one order and with the same bytes, so that what a lead and its teammates
//! send to a model begins alike and is cached once.

use std::sync::Arc;

use teammate_core::port::{MemoryStore, ObjectStore, Tool, Worktrees};
use teammate_git::TrustedPrograms;
use teammate_process::{Leftovers, TeamSandbox};

use crate::{
    background, board,
    nested_instructions::{Instructed, ReadDirs},
    requests::{self, AnswerPermission},
    shared_outputs::Sharing,
    team::{self, KeepNotes, LoadSkill, ScheduleWork, Skills},
    typed_tool::{TypedTool as _, typed},
    web::{SearchError, SearchSettings, WebFetch, WebSearch},
    workspace::{self, Bash, EditFile, KnownFiles, ReadFile, WriteFile},
    worktrees,
};

/// The tools of one team, built once and shared by its members.
#[derive(Clone)]
pub struct ToolCatalogue {
    shell: Arc<dyn Tool>,
    world: Vec<Arc<dyn Tool>>,
    team: Vec<Arc<dyn Tool>>,
    lead: Vec<Arc<dyn Tool>>,
    teammate: Vec<Arc<dyn Tool>>,
    known: KnownFiles,
    leftovers: Leftovers,
}

impl ToolCatalogue {
    /// Builds them all. Commands are held as well as can be had here.
    pub fn new() -> Self {
        Self::with_sandbox(TeamSandbox::default())
    }

    /// A catalogue whose commands this sandbox holds.
    pub fn with_sandbox(sandbox: TeamSandbox) -> Self {
        Self::trusting(sandbox, TrustedPrograms::default())
    }

    /// A catalogue for a user who has said yes to some of the programs that repositories have git run.
    pub fn trusting(sandbox: TeamSandbox, trusted: TrustedPrograms) -> Self {
        let leftovers = Leftovers::default();
        let web = typed(WebFetch::new(sandbox.clone()));
        let known = KnownFiles::default();
        let files = workspace::files(&known, &sandbox);
        let shell = typed(Bash::new(
            leftovers.clone(),
            sandbox,
            trusted,
            known.clone(),
        ));
        Self {
            world: [vec![shell.clone()], files, vec![web]].concat(),
            team: [team::shared(), background::shared(), board::shared()].concat(),
            lead: [board::lead(), team::lead(), requests::lead()].concat(),
            teammate: [requests::teammate(), team::teammate()].concat(),
            shell,
            known,
            leftovers,
        }
    }

    /// Leaves out the tool that shows pages of the web.
    #[must_use]
    pub fn without_web_fetch(mut self) -> Self {
        self.world.retain(|tool| tool.spec().name != WebFetch::NAME);
        self
    }

    /// With the instructions of directories below the workspace, which come with the first file of theirs.
    #[must_use]
    pub fn with_nested_instructions(mut self) -> Self {
        let told = ReadDirs::default();
        let about_files = [ReadFile::NAME, WriteFile::NAME, EditFile::NAME];
        for tool in &mut self.world {
            if about_files.contains(&&*tool.spec().name) {
                *tool = Arc::new(Instructed::new(tool.clone(), told.clone()));
            }
        }
        self
    }

    /// Adds the tool that asks this search service.
    ///
    /// # Errors
    ///
    /// What is missing to ask it.
    pub fn with_web_search(
        mut self,
        settings: SearchSettings,
        sandbox: TeamSandbox,
    ) -> Result<Self, SearchError> {
        self.world.push(typed(WebSearch::new(settings, sandbox)?));
        Ok(self)
    }

    /// Adds the lead's tools for worktrees.
    #[must_use]
    pub fn with_worktrees(mut self, worktrees: &Arc<dyn Worktrees>) -> Self {
        self.lead.extend(worktrees::lead(worktrees, &self.known));
        self
    }

    /// With what a lead may say of workers, where workers run the team.
    #[must_use]
    pub fn on_workers(mut self) -> Self {
        let with_workers = team::spawning_on_workers();
        let is_other = |tool: &Arc<dyn Tool>| tool.spec().name == with_workers.spec().name;
        if let Some(spawning) = self.lead.iter_mut().find(|tool| is_other(tool)) {
            *spawning = with_workers;
        }
        self
    }

    /// With the tool by which the lead answers permission questions, where the user lets it.
    #[must_use]
    pub fn with_permission_answers(mut self) -> Self {
        self.lead.push(typed(AnswerPermission));
        self
    }

    /// With skills, and the tool that loads them; without any there is none.
    #[must_use]
    pub fn with_skills(mut self, skills: Skills) -> Self {
        if !skills.is_empty() {
            self.team.push(typed(LoadSkill(skills)));
        }
        self
    }

    /// With the tool by which the lead has work done at a time, where schedules fire.
    #[must_use]
    pub fn with_schedules(mut self) -> Self {
        self.lead.push(typed(ScheduleWork));
        self
    }

    /// With the tool by which members keep notes that outlive the team.
    #[must_use]
    pub fn with_memory(mut self, store: Arc<dyn MemoryStore>) -> Self {
        self.team.push(typed(KeepNotes(store)));
        self
    }

    /// With long outputs of the tools so far among the team's objects, for members on other machines.
    #[must_use]
    pub fn sharing_outputs(mut self, objects: &Arc<dyn ObjectStore>) -> Self {
        let share = |tool| Arc::new(Sharing::new(tool, objects.clone())) as _;
        self.world = self.world.into_iter().map(share).collect();
        self
    }

    /// With tools of the program that uses this library, after those of the world.
    #[must_use]
    pub fn with_tools(mut self, tools: Vec<Arc<dyn Tool>>) -> Self {
        self.world.extend(tools);
        self
    }

    /// The shell, files and search.
    pub fn workspace_tools(&self) -> Vec<Arc<dyn Tool>> {
        self.world.clone()
    }

    /// The memory of files that members have seen.
    pub(crate) fn known_files(&self) -> &KnownFiles {
        &self.known
    }

    /// The tool that runs a command and tells whether it exited 0.
    pub fn check_runner(&self) -> Arc<dyn Tool> {
        self.shell.clone()
    }

    /// The tools of a teammate.
    pub fn teammate_tools(&self) -> Vec<Arc<dyn Tool>> {
        [&*self.world, &*self.team, &*self.teammate].concat()
    }

    /// The tools of the lead: a teammate's tools, then its own.
    pub fn lead_tools(&self) -> Vec<Arc<dyn Tool>> {
        [&*self.world, &*self.team, &*self.lead].concat()
    }

    /// Every tool that somebody in the team has.
    pub fn all(&self) -> Vec<Arc<dyn Tool>> {
        [&*self.world, &*self.team, &*self.lead, &*self.teammate].concat()
    }

    /// The programs that commands left running. They end with the team: call [`Leftovers::end`] before the process
    /// exits.
    pub fn leftovers(&self) -> &Leftovers {
        &self.leftovers
    }
}

impl Default for ToolCatalogue {
    fn default() -> Self {
        Self::new()
    }
}
