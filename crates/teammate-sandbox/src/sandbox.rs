//! How the commands of a team are started: a helper for the program, a view for each place, a network for each command.

use std::{
    collections::HashMap,
    fmt,
    os::fd::{AsFd as _, BorrowedFd},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{lock::Hold, permission::Destination};

use crate::{
    account::{Account, Share},
    failure::Failure,
    guard::{Content, Guard, Guarded, Guards, HeldFile, Names, Vouch},
    helper::{Joins, View},
    leftovers,
    level::Level,
    network::{Joinable, Judge, Network, Verdict},
    order::Order,
    place::{By, Place, Sight, Watched},
    rules::{NetworkRule, SandboxRules},
    running::Running,
    sockets::Sockets,
    started::{Maker, Started},
    streams::Streams,
};

/// How often a view is made for a command whose place changes meanwhile.
const VIEW_TRIES: usize = 3;

/// How long commands that are being ended are waited for at the end.
const CLOSE_GRACE: Duration = Duration::from_secs(2);

/// Starts commands. Cheap to clone; all clones are one.
#[derive(Debug, Clone)]
pub struct Sandbox(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    rules: SandboxRules,
    views: Mutex<HashMap<Place, Arc<Made>>>,
    networks: Mutex<HashMap<Place, (Maker, Joinable)>>,
    /// By [`Place::owner`].
    accounts: Mutex<HashMap<PathBuf, Arc<Account>>>,
    guards: Guards,
}

/// A view, and what it was made from.
#[derive(Debug)]
struct Made {
    maker: Maker,
    /// The paths that rules closed then, and those that they fixed.
    walls: [Arc<[PathBuf]>; 2],
    view: View,
    guarded: Names,
    watched: Vec<Watched>,
    sockets: Sockets,
}

/// How well commands are held, and why no better.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strength {
    /// How well.
    pub level: Level,
    /// The failure on the way to a better level, where one was tried.
    pub because: Option<Failure>,
    /// Whether the kernel counts memory and processes of commands in control groups. Else they are looked at now and then.
    pub has_control_groups: bool,
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            Level::Off => return f.write_str("The sandbox is off: commands do all that you can do"),
            Level::None => f.write_str("Nothing but limits holds commands here")?,
            Level::Landlock => f.write_str("Only Landlock holds commands here: they see other processes, and change all of the workspace")?,
            Level::Full => f.write_str("The full sandbox holds commands")?,
        }
        match &self.because {
            Some(because) => write!(f, " (no better, because this failed: {because})"),
            None => Ok(()),
        }
    }
}

impl Default for Sandbox {
    fn default() -> Self {
        Self::new(SandboxRules::default())
    }
}

impl Sandbox {
    /// Holds commands by these rules. Starts nothing yet.
    pub fn new(rules: SandboxRules) -> Self {
        Self(Arc::new(Shared {
            rules,
            views: Mutex::default(),
            networks: Mutex::default(),
            accounts: Mutex::default(),
            guards: Guards::default(),
        }))
    }

    /// The rules that hold commands.
    pub fn rules(&self) -> &SandboxRules {
        &self.0.rules
    }

    /// Starts the helper, if there is none: who asks for the strength later waits less. What fails is said then. Blocks.
    pub fn start_helper(&self) {
        let _ = Started::get(self.0.rules.at_most);
    }

    /// Has the helper close this last, at the latest when it ends: the program's end does not wait for what the kernel takes long
    /// to close. It holds one such thing at a time.
    pub fn closes_last(&self, held: BorrowedFd<'_>) {
        if let Some(started) = Started::known(self.0.rules.at_most) {
            started.helper.closes_last(held);
        }
    }

    /// How well commands are held here, as it was proven: once for the program, in a directory of its own below this one.
    /// Starts the helper if there is none. Takes some milliseconds.
    ///
    /// # Errors
    ///
    /// No helper can be started: no command can run.
    pub fn strength(&self, directory: &Path) -> Result<Strength, Failure> {
        let started = Started::proven(self.0.rules.at_most, directory)?;
        Ok(Strength {
            level: started.helper.level(),
            because: started.helper.because().cloned(),
            has_control_groups: started.has_control_groups(),
        })
    }

    /// Sets the one who knows what the repository of all places has.
    pub fn vouched_by(&self, vouch: Arc<dyn Vouch>) {
        self.0.guards.vouched_by(vouch);
    }

    /// Whether this content may be under this guarded name of the place. May ask git. True where nothing is guarded.
    pub fn knows(&self, place: &Place, name: &str, content: &Content<'_>) -> bool {
        let Some(dirs) = place.guards() else {
            return true;
        };
        let guard = self.0.guards.of(&place.root, dirs);
        guard.is_ok_and(|guard| guard.knows(&place.root.join(name), content))
    }

    /// Whether a guard of this program's looks after this name, or after a link that leads there.
    pub fn guards(&self, place: &Place, name: &str) -> bool {
        let guard = place
            .guards()
            .and_then(|_| self.0.guards.known(&place.root));
        guard.is_some_and(|guard| guard.covers(&place.root.join(name)))
    }

    /// The user has said yes to this content under this guarded name.
    pub fn accept(&self, place: &Place, name: &str, content: &Content<'_>) {
        if let Some(dirs) = place.guards()
            && let Ok(guard) = self.0.guards.of(&place.root, dirs)
        {
            guard.accept(&place.root.join(name), content);
        }
    }

    /// The files that commands of the team of this place wrote at guarded names and that are held, in the order of their
    /// numbers. Nobody may have been told of it, if a program was killed.
    pub fn held(&self, place: &Place) -> Vec<HeldFile> {
        let dirs = place.guards();
        dirs.map_or_else(Vec::new, |dirs| self.0.guards.held(dirs))
    }

    /// Looks after what commands of a killed program wrote at guarded names. Blocks, and may ask git.
    pub fn reopen(&self, place: &Place) {
        if let Some(dirs) = place.guards() {
            self.0.guards.reopen(dirs);
        }
        leftovers::remove(place);
    }

    /// Drops all views once the commands that are being ended are gone. Blocks for at most two seconds.
    pub fn close(&self) {
        self.0.guards.settle(CLOSE_GRACE);
        let views = std::mem::take(&mut *self.0.views.hold());
        drop(views);
    }

    /// How well commands are held here, proven or not.
    ///
    /// # Errors
    ///
    /// No helper can be started: no command can run.
    pub fn level(&self) -> Result<Level, Failure> {
        Ok(Started::get(self.0.rules.at_most)?.helper.level())
    }

    /// Starts a command in this place, with these streams. The judge decides where it may connect; without one
    /// it connects to nothing, if it has a network of its own. The first command of a place takes some milliseconds.
    /// In a tokio runtime, if it has a network of its own.
    ///
    /// # Errors
    ///
    /// A wall cannot be put up: nothing runs.
    pub fn start(
        &self,
        place: &Place,
        mut order: Order,
        streams: Streams<'_>,
        judge: Option<Arc<dyn Judge>>,
    ) -> Result<Running, Failure> {
        let started = Started::get(self.0.rules.at_most)?;
        let connects = Connects::of(place.by, self.0.rules.network, started.helper.level());
        let (network, closed) = match connects {
            Connects::AsMachine => (None, None),
            Connects::Judged => {
                name_proxy(&mut order.environment);
                let judge = judge.unwrap_or_else(|| Arc::new(Nobody));
                (Some(self.network(place, &started, judge)?), None)
            }
            Connects::Nowhere => (None, started.closed()?),
        };
        let own = network.as_ref().and_then(Network::namespace);
        let share = self.share(place, started.helper.level())?;
        let group = started.group(place, &order.limits, &self.0.rules.member_limits)?;
        let joins = Joins {
            network: own.or(closed.as_ref().map(|closed| closed.as_fd())),
            group: group.as_ref().map(|group| group.as_fd()),
            share: (share.as_ref()).map(|share| (share, self.0.rules.member_limits)),
        };
        let guard = self.guard(place, started.helper.level())?;
        let mut tries = VIEW_TRIES;
        loop {
            tries -= 1;
            let running = self
                .view(place, &started, connects, guard.as_ref())
                .and_then(|made| {
                    let guarded = self.begin(place, guard.as_ref(), &made)?;
                    match made.view.start(&order, streams, joins, None) {
                        Ok(running) => Ok(running.guarded(guarded)),
                        Err(failure) => {
                            // It may have begun before its view was killed.
                            if let Some(guarded) = guarded {
                                guarded.end_killed();
                            }
                            Err(failure)
                        }
                    }
                });
            match running {
                Ok(running) => {
                    let is_told = place.by == By::Member;
                    let is_first = is_told && started.is_first_of_replacement();
                    let running = running.with(network).within(group).counted_in(share);
                    return Ok(running.first_of_replacement(is_first));
                }
                // What a view is made from can change before the command starts: somebody commits. Then it is decided anew,
                // as for the next command.
                Err(_) if tries > 0 => {}
                Err(failure) => return Err(failure),
            }
        }
    }

    /// The guard of this place's names; none where nothing is held.
    fn guard(&self, place: &Place, level: Level) -> Result<Option<Arc<Guard>>, Failure> {
        match (level, place.guards()) {
            (Level::Off, _) | (_, None) => Ok(None),
            (Level::None | Level::Landlock | Level::Full, Some(dirs)) => {
                self.0.guards.of(&place.root, dirs).map(Some)
            }
        }
    }

    fn begin(
        &self,
        place: &Place,
        guard: Option<&Arc<Guard>>,
        made: &Arc<Made>,
    ) -> Result<Option<Guarded>, Failure> {
        let Some(guard) = guard else {
            return Ok(None);
        };
        let begun = guard.begin(&made.guarded, place.is_worktree());
        if begun.is_err() {
            // Something has become too large to look at: then the next view has it read-only.
            self.0.views.hold().remove(place);
        }
        begun.map(Some)
    }

    /// A part in what the member's commands use together.
    fn share(&self, place: &Place, level: Level) -> Result<Option<Share>, Failure> {
        let limits = &self.0.rules.member_limits;
        if !place.by.is_of_team() || level == Level::Off || limits.is_none() {
            return Ok(None);
        }
        let mut accounts = self.0.accounts.hold();
        let owner = place.owner();
        let account = match accounts.get(owner) {
            Some(account) => account.clone(),
            None => {
                let made = Arc::new(Account::new()?);
                accounts.insert(owner.to_owned(), made.clone());
                made
            }
        };
        account.share(limits).map(Some)
    }

    /// The network of the commands that run in this place, or one for those to come.
    fn network(
        &self,
        place: &Place,
        started: &Arc<Started>,
        judge: Arc<dyn Judge>,
    ) -> Result<Network, Failure> {
        let mut networks = self.0.networks.hold();
        networks.retain(|_, (maker, network)| maker.is(started) && !network.is_over());
        let place = place.without_walls();
        if let Some((_, found)) = networks.get(&place)
            && let Some(joined) = found.join(judge.clone())
        {
            return Ok(joined);
        }
        let network = started.networks()?.take(judge)?;
        let made = (Maker::of(started), network.joinable());
        networks.insert(place, made);
        Ok(network)
    }

    /// The view of this place: the one that there is, if nothing has changed that it was made from.
    fn view(
        &self,
        place: &Place,
        started: &Arc<Started>,
        connects: Connects,
        guard: Option<&Arc<Guard>>,
    ) -> Result<Arc<Made>, Failure> {
        let level = started.helper.level();
        let sockets = match (level, place.by) {
            (Level::Full, By::Member | By::Guest | By::Program) => Sockets::bound(&place.root)?,
            // What only reads runs nothing.
            (Level::Full, By::Reader) | (Level::Landlock | Level::None | Level::Off, _) => {
                Sockets::default()
            }
        };
        let views = &mut self.0.views.hold();
        let (key, walls) = (
            place.without_walls(),
            [place.closed.clone(), place.fixed.clone()],
        );
        if let Some(made) = views.get(&key)
            && made.walls == walls
            && made.maker.is(started)
            && made.sockets == sockets
            && made.is_current()
        {
            return Ok(made.clone());
        }
        let mut sight = match level {
            Level::Off => Sight::default(),
            Level::None | Level::Landlock | Level::Full => {
                let too_large =
                    |names: &[PathBuf]| guard.map_or_else(Vec::new, |guard| guard.too_large(names));
                place.sight(&self.0.rules, too_large)?
            }
        };
        sight.policy.has_own_network = connects != Connects::AsMachine;
        sockets.hide_in(&mut sight.policy, &self.0.rules.shown)?;
        let token = guard
            .map(|guard| started.look_after(&place.root, guard.dirs()))
            .transpose()?;
        let token = token.as_ref().map(|token| token.as_fd());
        let made = Arc::new(Made {
            maker: Maker::of(started),
            walls,
            view: started.helper.view_with(sight.policy, token)?,
            guarded: sight.guarded,
            watched: sight.watched,
            sockets,
        });
        views.insert(key, made.clone());
        Ok(made)
    }
}

impl Made {
    fn is_current(&self) -> bool {
        self.view.is_current() && self.watched.iter().all(Watched::is_unchanged)
    }
}

/// The connections of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Connects {
    AsMachine,
    /// A network of its own, in which somebody decides.
    Judged,
    /// Nothing; below the full sandbox only as far as Landlock closes it.
    Nowhere,
}

impl Connects {
    fn of(by: By, rule: NetworkRule, level: Level) -> Self {
        match (by, rule) {
            _ if level == Level::Off => Self::AsMachine,
            (By::Member | By::Guest | By::Program, NetworkRule::Machine) => Self::AsMachine,
            (By::Reader | By::Program, _) => Self::Nowhere,
            // Members share no network, also where nothing answers in it.
            (By::Member | By::Guest, _) if level == Level::Full => Self::Judged,
            (By::Member | By::Guest, NetworkRule::Nowhere) => Self::Nowhere,
            (By::Member | By::Guest, NetworkRule::Ask | NetworkRule::Listed) => Self::AsMachine,
        }
    }
}

/// The proxy in the command's network takes the place of the user's own, which is not there.
fn name_proxy(environment: &mut Vec<(String, String)>) {
    let ours: Vec<_> = Network::environment().collect();
    environment.retain(|(name, _)| ours.iter().all(|(our, _)| our != name));
    environment.extend(ours);
}

/// Refuses every connection.
struct Nobody;

impl Judge for Nobody {
    fn judge<'a>(&'a self, to: &'a Destination) -> Verdict<'a> {
        Box::pin(async move { Err(format!("this command may not connect to {to}")) })
    }

    fn failed(&self, _: &Destination, _: &str) {}
}
