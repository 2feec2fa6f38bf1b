//! A driver begins: it opens the member's transcript, and takes up what was left there.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use teammate_core::{
    Incarnation, Message, MessageKind, Sender,
    agent::{Agent, Input, Limits, Memory, SpawnPrompt, TurnEnd, Unfinished},
    event::EventKind,
    mail::Metadata,
    permission::Mode,
    port::Tail,
    team::{Member, MessageCause},
    transcript::{Conversation, Entry, length, numbers},
};
use tokio::task::JoinSet;

use super::{
    Driver, DriverParts, TodoReminder,
    conversation::turn_to_current,
    damage,
    engine::{self, MemberEngine},
    hooked,
    judging::Judging,
    usage,
};
use crate::{
    base::Base,
    carried_work::WorkSaver,
    identity,
    last_turn::{LastTurn, is_silent, last_life},
    members::MemberError,
    model_chain::ModelChain,
    rights::Rights,
    shown::UnknownCalls,
    work_notice,
    workdir::Workdir,
};

impl Driver {
    /// Opens the member's transcript and gets ready. Nothing has begun yet.
    pub(crate) async fn open(
        base: Arc<Base>,
        parts: Arc<DriverParts>,
        member: &Member,
    ) -> Result<Self, MemberError> {
        let mut home = Workdir::of(&base, member).await?;
        let store = &*base.ports.transcripts;
        let mut opened = base.deployment.open_transcript(store, &member.name).await?;
        if member.name.is_lead() {
            turn_to_current(&base, &mut opened).await?;
        }
        let (entries, gaps) = (opened.entries, opened.gaps);
        let length = length(entries.len(), &gaps);
        let chain = ModelChain::of(&base, &member.options);
        let model = match engine::model_shown(member) {
            Some(agent) => agent,
            None => chain.own().clone(),
        };
        let found = numbers(&gaps).zip(&entries);
        usage::restore_pending(&base, &parts.meter, member, found, length);
        let toolset = parts.toolsets.of(&member.name, &member.options);
        let cut = cut(numbers(&gaps).zip(&entries));
        let untold = match base.deployment.moves_members() {
            true => turn_of_earlier_life(member.incarnation, &entries),
            false => None,
        };
        let (conversation, mended) = Conversation::found(entries, &gaps);
        if let Some(notice) = damage::notice(&opened.repairs, mended) {
            base.feed.note_damage(&member.name, notice);
        }
        let mut agent = Agent::new(
            member.incarnation,
            toolset.classes.clone(),
            Limits {
                context: chain.context(),
                ..base.setup.config.limits
            },
            conversation,
        );
        agent.ask_to_end(hooked::asks_to_end(&base, &member.name));
        let identity = identity::identity(&base.setup, &home, &base.ledger.team(), member);
        if let Some(came) = &home.came {
            work_notice::send_notice(&base, &parts.mailer, &member.name, came).await;
        }
        let engine = MemberEngine::of(&base, &parts, member, (&toolset, &home));
        let new = home.worktree.zip(home.to_set_up.take());
        let mut driver = Self {
            name: member.name.clone(),
            incarnation: member.incarnation,
            rights: Rights {
                base: base.clone(),
                member: Some(member.name.clone()),
                ceiling: Mode::Bypass,
                workspace: home.workspace.clone(),
                model,
                tools: member.options.tools.clone(),
                is_subagent: false,
            },
            engine,
            chain: Arc::new(chain),
            identity,
            workdir: home.workspace,
            apart: None,
            setup: None,
            home_setup: None,
            toolset,
            agent,
            transcript: opened.log,
            entry_count: length,
            tail: opened.tail,
            claims: Vec::new(),
            held: BTreeSet::new(),
            judging: Judging::default(),
            jobs: JoinSet::new(),
            running: HashMap::new(),
            is_working: false,
            nudge: TodoReminder::default(),
            unknown: UnknownCalls::default(),
            is_turn_for_task: false,
            first_task: None,
            unreported_end: cut,
            untold,
            retry_mail_at: None,
            saver: WorkSaver::of(&base, &member.name),
            is_held: false,
            idle_deadline: None,
            results_until: None,
            base,
            parts,
        };
        if let Some((worktree, furnished)) = new {
            driver.set_up_home(worktree.name, furnished);
        }
        Ok(driver)
    }

    pub(crate) fn spawned(&self, member: &Member) -> EventKind {
        let assignment = member.assignment.as_ref();
        let is_old = member.incarnation != Incarnation::FIRST;
        EventKind::Spawned {
            role: member.role.clone(),
            incarnation: member.incarnation,
            woken: is_old && assignment.is_some_and(|assignment| !assignment.fresh),
            model: Some(self.rights.model.clone()),
            mode: Some(self.rights.effective_mode()),
            worktree: member
                .options
                .worktree
                .then(|| self.workdir.root.display().to_string()),
            by: assignment.map(|assignment| assignment.by.clone()),
        }
    }

    pub(super) async fn begin(&mut self) -> Result<bool, MemberError> {
        // If a fault ended the lead's loop in the middle of an answer, nothing else does it.
        self.release_spawned();
        let assignment = self.assignment();
        let is_old = assignment
            .as_ref()
            .is_none_or(|spawn| self.agent.conversation().has_heard(&spawn.message.id));
        if let Some(cut) = self.unreported_end.take().filter(|_| is_old) {
            // The same turn ends only once, and its notice is heard once.
            self.end_turn(cut).await;
        }
        self.base.activity.set_busy(&self.name, true);
        self.note_earlier_life().await;
        self.first_task = self.base.spawn_hold.until_released(&self.name).await;
        let untouched = self.unstarted_calls().await;
        let unfinished = match self.tail {
            Tail::Proven if self.has_agreed_to_shut_down() => Unfinished::Decline,
            Tail::Proven => Unfinished::TakeUp { untouched },
            Tail::InDoubt => Unfinished::Lapse,
        };
        let begin = Input::Begin {
            assignment,
            unfinished,
        };
        let goes_on = self.run_effects(begin).await? && self.agree_if_idle().await?;
        if self.agent.is_idle() {
            // Clear the busy flag before waiters are woken.
            self.record_idle().await;
            self.base.activity.set_busy(&self.name, false);
        }
        self.arm_idle_timeout();
        Ok(goes_on)
    }

    /// The work that the member was last spawned for.
    fn assignment(&self) -> Option<SpawnPrompt> {
        let team = self.base.ledger.team();
        let assignment = team.member(&self.name)?.assignment.as_ref()?;
        if assignment.prompt.is_empty() {
            return None;
        }
        let message = Message {
            id: team.message_id(MessageCause::Assignment(&self.name, self.incarnation)),
            kind: MessageKind::TaskAssignment,
            from: Sender::Member(assignment.by.clone()),
            from_incarnation: None,
            to: self.name.clone(),
            to_incarnation: Some(self.incarnation),
            content: assignment.prompt.clone(),
            sent_at: assignment.at,
            wakes: None,
            request_id: None,
            metadata: Metadata::default(),
        };
        let memory = if assignment.fresh {
            Memory::Reset
        } else {
            Memory::Kept
        };
        Some(SpawnPrompt { message, memory })
    }
}

/// The last turn, if that was one of an earlier life.
fn turn_of_earlier_life(life: Incarnation, entries: &[Entry]) -> Option<(Incarnation, LastTurn)> {
    let earlier = last_life(entries.iter()).filter(|last| *last != life)?;
    Some((earlier, LastTurn::of((0..).zip(entries))?))
}

/// How the last turn was cut, if that is the last thing that happened.
fn cut<'a>(entries: impl Iterator<Item = (u64, &'a Entry)>) -> Option<TurnEnd> {
    let said = entries.filter(|(_, entry)| !is_silent(entry));
    let (turn, Entry::TurnEnded(why)) = said.last()? else {
        return None;
    };
    Some(TurnEnd::Ended {
        turn,
        why: why.clone(),
    })
}
