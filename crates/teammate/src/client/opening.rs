//! How a team is opened to be looked at: by its files, which have to be proven to be the user's, or in a store.

use std::sync::Arc;

use teammate_core::{
    audit::Surface,
    fold::Fold,
    port::{Damage, DamageKind, LockHolder},
    secrets::Secrets,
};

use super::{TeamClient, decide::io_error, upkeep::Upkeep};
use crate::{
    LookOptions, TeamError,
    existing::Existing,
    file_stores::take_over,
    known_secrets::of_environment,
    ownership::{KnownTeams, Proof, put_back_journal},
    place::{Site, TeamPlace},
    project::UserDirs,
    secret_marks::SecretMarks,
    store::TeamStore,
};

impl TeamClient {
    /// Looks at a team, for the user with these directories; a workspace means its default team.
    ///
    /// Errors: there is no team, its directory cannot be used, or it is not proven to be the user's.
    pub async fn open(place: impl Into<TeamPlace>, user: &UserDirs) -> Result<Self, TeamError> {
        Self::open_with(place, user, LookOptions::default()).await
    }

    /// Opens a team with these options.
    pub async fn open_with(
        place: impl Into<TeamPlace>,
        user: &UserDirs,
        options: LookOptions,
    ) -> Result<Self, TeamError> {
        let place = place.into();
        if let Some(store) = place.store() {
            let client = Self::open_in(store.open(), place.clone(), user).await?;
            return Ok(client.hiding(options.secrets));
        }
        let put_back = put_back_journal(&place, options.read_max, user)?;
        let (files, mut notices) = Self::found(&place, user, &options).await?;
        notices.splice(0..0, put_back);
        let teams = Arc::new(KnownTeams::of_user(user, &files.site.workspace));
        let proof = files.prove(&teams).map_err(|error| files.within(error))?;
        let mut client = Self::proven(files, proof).await?;
        let notice = teams.notice().map(str::to_owned);
        client.damaged.extend(notice);
        client.warnings = notices;
        Ok(client.hiding(options.secrets))
    }

    /// The files of a team that is there. What a teaching program left is taken over first, as opening the team does it; then
    /// there are things that the user should know.
    async fn found(
        place: &TeamPlace,
        user: &UserDirs,
        options: &LookOptions,
    ) -> Result<(Existing, Vec<String>), TeamError> {
        let no_team = match Existing::open(place, options.read_max) {
            Ok(files) => return Ok((files, Vec::new())),
            Err(error @ TeamError::NoTeam(_)) => error,
            Err(error) => return Err(error),
        };
        match take_over(place, user, (options.read_max, options.wording)).await? {
            Some(notices) => Ok((Existing::open(place, options.read_max)?, notices)),
            None => Err(no_team),
        }
    }

    /// Looks at files that are proven to be the user's.
    pub(crate) async fn proven(files: Existing, proof: Proof) -> Result<Self, TeamError> {
        let store = proof.team_store(&files.disk, &files.dir);
        let holder = store.presence.holder().await;
        let holder = holder.map_err(|error| files.within(error.into()))?;
        let user = proof.user().clone();
        let Existing { site, disk, dir } = files;
        let upkeep = Upkeep::OfFiles { disk, dir, proof };
        Self::of(site, store, upkeep, holder, user).await
    }

    /// Looks at a team that is kept in this store, for the user with these directories. `place` is where it works on this
    /// machine: its workspace.
    ///
    /// Errors: the store has no team, or cannot be read, or `place` is no workspace.
    pub async fn open_in(
        store: TeamStore,
        place: impl Into<TeamPlace>,
        user: &UserDirs,
    ) -> Result<Self, TeamError> {
        let place = place.into();
        let site = place.site().map_err(|why| TeamError::Workspace {
            path: place.workspace().to_owned(),
            why,
        })?;
        let holder = store.presence.holder().await?;
        let client = Self::of(site, store, Upkeep::OfStore, holder, user.clone()).await?;
        if client.fold.length() == 0 {
            return Err(TeamError::NoTeam(client.site.workspace));
        }
        Ok(client)
    }

    /// Keeps these secrets, besides those of the environment, out of all that is said or asked from here.
    #[must_use]
    pub fn hiding(self, secrets: Arc<Secrets>) -> Self {
        secrets.learn(of_environment());
        SecretMarks::find_in(&secrets, &self.user);
        Self {
            fold: self.fold.hiding(secrets.clone()),
            secrets,
            ..self
        }
    }

    async fn of(
        site: Site,
        store: TeamStore,
        upkeep: Upkeep,
        holder: Option<LockHolder>,
        user: UserDirs,
    ) -> Result<Self, TeamError> {
        let opened = Fold::open(&*store.store.journal).await;
        let (fold, findings) = opened.map_err(|error| io_error(&error))?;
        let is_uncounted = |damage: &&Damage| damage.kind == DamageKind::Unasked;
        let (uncounted, damaged): (Vec<_>, Vec<_>) =
            findings.damaged.iter().partition(is_uncounted);
        let sentences = |found: Vec<&Damage>| found.iter().map(ToString::to_string).collect();
        let secrets = Arc::new(Secrets::new(of_environment()));
        SecretMarks::find_in(&secrets, &user);
        Ok(Self {
            site,
            holder,
            store,
            upkeep,
            fold: fold.hiding(secrets.clone()),
            secrets,
            damaged: sentences(damaged),
            uncounted: sentences(uncounted),
            warnings: Vec::new(),
            user,
            surface: Surface::OtherProcess,
        })
    }
}
