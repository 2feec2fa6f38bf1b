//! The naive board: what the documents say, in the plainest form.

mod likeness;

use super::super::*;

pub(super) const LEAD: usize = 0;
pub(super) const MEMBERS: usize = 4;
pub(super) const USER: usize = 4;
pub(super) const TEAMMATES: [(&str, &str); 3] = [("alice", "r1"), ("bob", "r2"), ("carol", "r1")];

#[derive(Debug, Clone)]
pub(super) struct Op {
    pub(super) number: u64,
    pub(super) who: usize,
    pub(super) life: u32,
    pub(super) task: u32,
    pub(super) what: What,
}

#[derive(Debug, Clone)]
pub(super) enum What {
    Create {
        blocked_by: BTreeSet<u32>,
        blocks: BTreeSet<u32>,
        needs: Option<&'static str>,
        check: bool,
        assigned: Option<usize>,
    },
    Links {
        add: BTreeSet<u32>,
        remove: BTreeSet<u32>,
        add_blocks: BTreeSet<u32>,
    },
    Claim,
    Take,
    Complete {
        verified: bool,
    },
    Fail,
    Release,
    Assign(usize),
    Reopen,
    Delete,
    CheckFailed,
    Withdraw,
    Nudge,
    Work,
    Rest(EndReason),
    Spawn {
        fresh: bool,
    },
    Stop,
    Told(u64),
}

#[derive(Debug, Clone, PartialEq)]
enum At {
    Pending(Option<usize>),
    Hand {
        who: usize,
        checks: u32,
        nudges: u32,
    },
    Done(usize),
    Failed,
    Deleted,
}

#[derive(Debug, Clone)]
struct Item {
    number: u32,
    at: At,
    blocked_by: BTreeSet<u32>,
    needs: Option<&'static str>,
    check: bool,
    claims: u32,
    setbacks: u32,
}

#[derive(Debug, Clone, PartialEq)]
enum Doing {
    Starting,
    Working,
    Idle(EndReason, u64),
    Stopped,
}

struct Person {
    life: u32,
    spawn: Option<u64>,
    doing: Doing,
    /// The newest turn that has ended, in any life.
    last_turn: Option<u64>,
}

/// All of it. Nothing is indexed.
pub(super) struct Naive {
    items: Vec<Item>,
    made: Vec<u64>,
    people: Vec<Person>,
    changes: u64,
    stirred: u64,
    told: u64,
}

/// Whether something happened, or it was refused.
type Verdict = Result<bool, ()>;

fn must(holds: bool) -> Result<(), ()> {
    if holds { Ok(()) } else { Err(()) }
}

impl Naive {
    pub(super) fn new() -> Self {
        let person = || Person {
            life: 1,
            spawn: None,
            doing: Doing::Starting,
            last_turn: None,
        };
        Self {
            items: Vec::new(),
            made: Vec::new(),
            people: (0..MEMBERS).map(|_| person()).collect(),
            changes: 0,
            stirred: 0,
            told: 0,
        }
    }

    pub(super) fn life(&self, who: usize) -> u32 {
        self.people.get(who).map_or(0, |person| person.life)
    }

    pub(super) fn run(&mut self, op: &Op) -> Verdict {
        let Op { who, what, .. } = op;
        let is_alive = *who == USER || self.people[*who].life == op.life;
        match what {
            What::Told(_) => return Ok(self.has_news()),
            What::Spawn { fresh } => return self.spawned(*who, *fresh, op.number),
            What::CheckFailed => return self.check_failed(op, is_alive),
            What::Rest(_) if op.life < self.life(*who) => return Ok(self.ends(*who, op.number)),
            _ => must(is_alive)?,
        }
        match what {
            What::Create { .. } => self.create(op),
            What::Take => Ok(self.take(*who)),
            What::Withdraw => {
                let is_held = self.held(*who) == Some(op.task);
                if is_held {
                    self.set_back(*who);
                }
                Ok(is_held)
            }
            What::Nudge => Ok(self.nudge(*who, op.task)),
            What::Work | What::Rest(_) if self.people[*who].doing == Doing::Stopped => Err(()),
            What::Work => Ok(self.does(*who, &Doing::Working)),
            What::Stop => {
                let is_new = self.does(*who, &Doing::Stopped);
                if is_new {
                    self.set_back(*who);
                }
                Ok(is_new)
            }
            What::Rest(why) => {
                self.ends(*who, op.number);
                let is_new = self.does(*who, &Doing::Idle(why.clone(), op.number));
                if is_new && matches!(why, EndReason::Failed { .. }) {
                    self.set_back(*who);
                }
                Ok(is_new)
            }
            _ => self.of_one(op),
        }
    }

    fn does(&mut self, who: usize, doing: &Doing) -> bool {
        std::mem::replace(&mut self.people[who].doing, doing.clone()) != *doing
    }

    /// Counts a turn once, however late it comes.
    fn ends(&mut self, who: usize, turn: u64) -> bool {
        let last = &mut self.people[who].last_turn;
        let is_new = last.is_none_or(|last| last < turn);
        if is_new {
            *last = Some(turn);
        }
        is_new
    }

    fn spawned(&mut self, who: usize, fresh: bool, call: u64) -> Verdict {
        if self.people[who].spawn == Some(call) {
            return Ok(false);
        }
        must(!matches!(
            self.people[who].doing,
            Doing::Starting | Doing::Working
        ))?;
        if fresh {
            self.set_back(who);
        }
        self.people[who] = Person {
            life: self.people[who].life + 1,
            spawn: Some(call),
            doing: Doing::Starting,
            last_turn: self.people[who].last_turn,
        };
        Ok(true)
    }

    fn create(&mut self, op: &Op) -> Verdict {
        let What::Create {
            blocked_by,
            blocks,
            needs,
            check,
            assigned,
        } = &op.what
        else {
            return Err(());
        };
        must(leads(op.who))?;
        if self.made.contains(&op.number) {
            return Ok(false);
        }
        must(blocked_by.iter().chain(blocks).all(|id| self.lives(*id)))?;
        let item = Item {
            number: self.items.len() as u32 + 1,
            at: At::Pending(*assigned),
            blocked_by: blocked_by.clone(),
            needs: *needs,
            check: *check,
            claims: 0,
            setbacks: 0,
        };
        if let Some(to) = assigned {
            must(self.people[*to].doing != Doing::Stopped && fits(*to, &item))?;
        }
        let mut after = self.items.clone();
        for id in blocks {
            after[*id as usize - 1].blocked_by.insert(item.number);
        }
        after.push(item);
        must(!has_circle(&after))?;
        self.items = after;
        self.made.push(op.number);
        Ok(true)
    }

    fn take(&mut self, who: usize) -> bool {
        let Some(number) = self.next(who) else {
            return false;
        };
        self.claim(who, number);
        true
    }

    fn claim(&mut self, who: usize, number: u32) {
        let item = &mut self.items[number as usize - 1];
        item.claims += 1;
        item.at = At::Hand {
            who,
            checks: 0,
            nudges: 0,
        };
    }

    fn nudge(&mut self, who: usize, number: u32) -> bool {
        for item in &mut self.items {
            if let At::Hand {
                who: owner, nudges, ..
            } = &mut item.at
                && (*owner, item.number) == (who, number)
                && *nudges < NUDGES_MAX
            {
                *nudges += 1;
                return true;
            }
        }
        false
    }

    fn check_failed(&mut self, op: &Op, is_alive: bool) -> Verdict {
        must(self.lives(op.task))?;
        let item = &mut self.items[op.task as usize - 1];
        let At::Hand { who, checks, .. } = &mut item.at else {
            return Ok(false);
        };
        must(is_alive && (leads(op.who) || *who == op.who))?;
        *checks += 1;
        if *checks == CHECK_FAILURES_MAX {
            item.at = At::Failed;
        }
        Ok(true)
    }

    /// What is asked of one task that is there.
    fn of_one(&mut self, op: &Op) -> Verdict {
        let who = op.who;
        if let What::Delete = op.what {
            must(leads(who) && op.task as usize <= self.items.len())?;
            return Ok(self.delete(op.task));
        }
        must(self.lives(op.task))?;
        let item = self.items[op.task as usize - 1].clone();
        let (owns, is_blocked) = (
            leads(who) || matches!(item.at, At::Hand { who: owner, .. } if owner == who),
            self.is_blocked(&item),
        );
        let next = match (&op.what, &item.at) {
            (What::Claim, At::Hand { who: owner, .. }) if *owner == who && who != USER => {
                // A stopped member has no task in progress.
                return Ok(false);
            }
            (What::Claim, At::Pending(to)) => {
                must(who != USER && to.is_none_or(|to| to == who))?;
                must(self.people[who].doing != Doing::Stopped && !is_blocked)?;
                must(fits(who, &item) && self.held(who).is_none())?;
                self.claim(who, op.task);
                return Ok(true);
            }
            (What::Complete { .. }, At::Done(by)) => {
                must(leads(who) || *by == who)?;
                return Ok(false);
            }
            (What::Complete { verified }, At::Hand { .. } | At::Pending(_)) => {
                must(owns && !is_blocked && (*verified || !item.check))?;
                At::Done(who)
            }
            (What::Fail, At::Failed) | (What::Release, At::Pending(_)) => return Ok(false),
            (What::Fail, At::Hand { .. } | At::Pending(_)) => {
                must(owns)?;
                At::Failed
            }
            (What::Release, At::Hand { .. }) => {
                must(owns)?;
                At::Pending(None)
            }
            (What::Assign(to), At::Pending(Some(known))) if known == to => {
                must(leads(who))?;
                return Ok(false);
            }
            (What::Assign(to), At::Hand { who: owner, .. }) if owner == to => {
                must(leads(who))?;
                return Ok(false);
            }
            (What::Assign(to), At::Hand { .. } | At::Pending(_)) => {
                must(leads(who))?;
                must(self.people[*to].doing != Doing::Stopped && fits(*to, &item))?;
                At::Pending(Some(*to))
            }
            (What::Reopen, at) => {
                must(leads(who))?;
                if *at == At::Pending(None) {
                    return Ok(false);
                }
                self.items[op.task as usize - 1].setbacks = 0;
                At::Pending(None)
            }
            (
                What::Links {
                    add,
                    remove,
                    add_blocks,
                },
                _,
            ) => {
                let is_empty = add.is_empty() && remove.is_empty() && add_blocks.is_empty();
                must(leads(who) || is_empty && owns)?;
                return self.link(op.task, add, remove, add_blocks);
            }
            _ => return Err(()),
        };
        self.items[op.task as usize - 1].at = next;
        Ok(true)
    }

    fn link(
        &mut self,
        task: u32,
        add: &BTreeSet<u32>,
        remove: &BTreeSet<u32>,
        blocks: &BTreeSet<u32>,
    ) -> Verdict {
        must(add.iter().chain(blocks).all(|id| self.lives(*id)))?;
        let mut after = self.items.clone();
        for id in blocks {
            after[*id as usize - 1].blocked_by.insert(task);
        }
        after[task as usize - 1].blocked_by.extend(add);
        must(!has_circle(&after))?;
        after[task as usize - 1]
            .blocked_by
            .retain(|id| !remove.contains(id));
        let links = |items: &[Item]| {
            items
                .iter()
                .map(|item| item.blocked_by.clone())
                .collect::<Vec<_>>()
        };
        let is_new = links(&after) != links(&self.items);
        self.items = after;
        Ok(is_new)
    }

    fn delete(&mut self, task: u32) -> bool {
        if !self.lives(task) {
            return false;
        }
        for item in &mut self.items {
            item.blocked_by.remove(&task);
        }
        let item = &mut self.items[task as usize - 1];
        item.at = At::Deleted;
        item.blocked_by.clear();
        true
    }

    fn set_back(&mut self, who: usize) {
        let Some(number) = self.held(who) else { return };
        let item = &mut self.items[number as usize - 1];
        if item.setbacks + 1 == SETBACKS_MAX {
            item.at = At::Failed;
        } else {
            item.setbacks += 1;
            item.at = At::Pending(None);
        }
    }

    fn lives(&self, id: u32) -> bool {
        let item = self.items.get(id as usize - 1);
        item.is_some_and(|item| item.at != At::Deleted)
    }

    fn is_blocked(&self, item: &Item) -> bool {
        let mut blockers = item.blocked_by.iter();
        blockers.any(|id| !matches!(self.items[*id as usize - 1].at, At::Done(_)))
    }

    fn all_held(&self, who: usize) -> Vec<u32> {
        let held = |item: &&Item| matches!(item.at, At::Hand { who: owner, .. } if owner == who);
        let items = self.items.iter().filter(held);
        items.map(|item| item.number).collect()
    }

    fn held(&self, who: usize) -> Option<u32> {
        self.all_held(who).first().copied()
    }

    fn ready(&self, assigned: Option<usize>, who: usize) -> Vec<u32> {
        let is_ready = |item: &&Item| {
            item.at == At::Pending(assigned) && !self.is_blocked(item) && fits(who, item)
        };
        let items = self.items.iter().filter(is_ready);
        items.map(|item| item.number).collect()
    }

    /// What it takes next.
    fn next(&self, who: usize) -> Option<u32> {
        let is_willing = matches!(
            self.people[who].doing,
            Doing::Starting | Doing::Working | Doing::Idle(EndReason::Done, _)
        );
        if who == LEAD || !is_willing || self.held(who).is_some() {
            return None;
        }
        let mut ready = self.ready(Some(who), who);
        ready.extend(self.ready(None, who));
        ready.first().copied()
    }
}

fn leads(who: usize) -> bool {
    who == LEAD || who == USER
}

fn fits(who: usize, item: &Item) -> bool {
    item.needs
        .is_none_or(|role| who != LEAD && TEAMMATES[who - 1].1 == role)
}

/// True if the tasks have a cycle: tasks without remaining blockers are removed until nothing changes.
fn has_circle(items: &[Item]) -> bool {
    let mut left: BTreeSet<u32> = items.iter().map(|item| item.number).collect();
    loop {
        let before = left.len();
        for item in items {
            if item.blocked_by.is_disjoint(&left) {
                left.remove(&item.number);
            }
        }
        if left.len() == before {
            return !left.is_empty();
        }
    }
}
