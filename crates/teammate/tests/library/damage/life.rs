//! The real loop over a transcript, with a world that answers at random. Each request that it makes is checked.

use std::{collections::VecDeque, sync::Arc};

use teammate_core::{
    Incarnation, MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    agent::{Agent, ContextWindow, Effect, Input, Limits, ToolClasses, Unfinished},
    block::Block,
    model::{ChatMessage, ModelFailure, Remedy, Role, Wire},
    port::{OpenTranscript, Tail, Transcript},
    tool::{EffectClass, ToolCall, ToolNames},
    transcript::{Conversation, Entry},
};

use crate::damage::{chance::Chance, talk, wires::assert_accepted};

/// One member's loop.
pub(crate) struct Life {
    agent: Agent,
    log: Box<dyn Transcript>,
    tail: Tail,
    chance: Chance,
    wire: Wire,
    /// Mail that waits.
    mail: Vec<Message>,
    sent: usize,
    /// What was recorded in this incarnation.
    pub(crate) recorded: Vec<Entry>,
}

/// What the loop waits for.
enum Asked {
    Model,
    Summary,
    Tools(Vec<ToolCall>),
    Nothing,
}

impl Life {
    pub(crate) fn of(opened: OpenTranscript, chance: Chance) -> Self {
        let classes = ToolClasses::new(
            [
                ("bash", EffectClass::Executes),
                ("read_file", EffectClass::Reads),
                ("send_message", EffectClass::Team),
                ("task", EffectClass::Delegates),
            ],
            ToolNames::default(),
        );
        let limits = Limits {
            rounds_max: 12,
            // So small that it is often full.
            context: ContextWindow::new(5_000, 0.8),
            ..Limits::default()
        };
        let (conversation, _) = Conversation::found(opened.entries, &opened.gaps);
        Self {
            agent: Agent::new(Incarnation(1), Arc::new(classes), limits, conversation),
            log: opened.log,
            tail: opened.tail,
            wire: match chance.below(3) {
                0 => Wire::OpenAi,
                _ => Wire::Anthropic,
            },
            chance,
            mail: Vec::new(),
            sent: 0,
            recorded: Vec::new(),
        }
    }

    /// All that is sent, as text.
    pub(crate) fn sent(&self) -> Vec<String> {
        blocks(self.agent.conversation().messages())
    }

    /// Begins, and lives on until the model was asked some times.
    pub(crate) async fn goes_on(&mut self, told: &str) {
        self.lives(2 + self.chance.below(4), told).await;
    }

    /// Begins, and lives on until the model was asked so often.
    pub(crate) async fn lives(&mut self, asked_max: usize, told: &str) {
        let unfinished = match self.tail {
            Tail::Proven => Unfinished::TakeUp {
                untouched: Vec::new(),
            },
            Tail::InDoubt => Unfinished::Lapse,
        };
        let begin = Input::Begin {
            assignment: None,
            unfinished,
        };
        let mut asked = self.feed(begin, told).await;
        for _ in 0..asked_max {
            while let Asked::Tools(calls) = asked {
                asked = self.run(calls, told).await;
            }
            let input = match asked {
                Asked::Nothing => {
                    self.write_mail();
                    Input::Rang
                }
                Asked::Model if self.chance.one_in(12) => Input::Interrupt,
                Asked::Model if self.chance.one_in(20) => Input::ModelFailed(ModelFailure {
                    what: "no key".to_owned(),
                    remedy: Remedy::Never,
                }),
                Asked::Model => {
                    let id = self.free_id();
                    Input::Answered(talk::reply(&self.chance, self.wire, id))
                }
                Asked::Summary => {
                    Input::Summarized(talk::summary(self.wire), "You are 'lead'.".to_owned())
                }
                Asked::Tools(_) => unreachable!("all have run"),
            };
            asked = self.feed(input, told).await;
        }
    }

    async fn run(&mut self, calls: Vec<ToolCall>, told: &str) -> Asked {
        if self.chance.one_in(15) {
            return self.feed(Input::Interrupt, told).await;
        }
        let mut asked = Asked::Nothing;
        for call in calls {
            let outcome = talk::outcome(&self.chance);
            asked = self.feed(Input::ToolDone(call.id, outcome), told).await;
        }
        asked
    }

    async fn feed(&mut self, input: Input, told: &str) -> Asked {
        let mut inputs = VecDeque::from([input]);
        let mut asked = Asked::Nothing;
        while let Some(input) = inputs.pop_front() {
            for effect in self.agent.step(input) {
                match effect {
                    Effect::Record(entry) => {
                        self.log.append(&entry).await.unwrap();
                        self.recorded.push(entry);
                    }
                    Effect::TakeMail => {
                        inputs.push_back(Input::Heard(std::mem::take(&mut self.mail)));
                    }
                    Effect::FindTask => inputs.push_back(Input::TaskFound(None)),
                    Effect::CallModel { .. } => {
                        self.check(self.agent.conversation().messages().to_vec(), told);
                        self.agent.mark_sent();
                        asked = Asked::Model;
                    }
                    Effect::Summarize { bytes_max, .. } => {
                        let conversation = self.agent.conversation();
                        self.check(conversation.with_question("Sum it up.", bytes_max), told);
                        asked = Asked::Summary;
                    }
                    Effect::RunTools(calls) => asked = Asked::Tools(calls),
                    Effect::AckMail
                    | Effect::CancelModel
                    | Effect::CancelTools
                    | Effect::AskToEnd { .. }
                    | Effect::CancelAskToEnd
                    | Effect::EndTurn(_)
                    | Effect::Note(_)
                    | Effect::Exit => {}
                }
            }
        }
        asked
    }

    fn check(&self, messages: Vec<Arc<ChatMessage>>, told: &str) {
        assert_accepted(messages, told);
    }

    fn write_mail(&mut self) {
        for _ in 0..=self.chance.below(2) {
            self.sent += 1;
            let number = self.agent.conversation().length();
            self.mail.push(Message {
                id: MessageId::parse(&format!("m{number}-{}", self.sent)).unwrap(),
                kind: MessageKind::Message,
                from: match self.chance.below(2) {
                    0 => Sender::User,
                    _ => Sender::Member(MemberName::teammate("bob").unwrap()),
                },
                from_incarnation: None,
                to: MemberName::lead(),
                to_incarnation: None,
                content: format!("job {number}"),
                sent_at: Timestamp(number),
                wakes: None,
                request_id: None,
                metadata: teammate_core::mail::Metadata::default(),
            });
        }
    }

    /// The number from which on no call of what is sent has an id. Once that was summarized they come again: some servers
    /// count them from one.
    fn free_id(&self) -> usize {
        let messages = self.agent.conversation().messages();
        let ids = messages.iter().flat_map(|message| message.call_ids());
        let numbers = ids.filter_map(|id| id.as_str().strip_prefix("call_")?.parse().ok());
        numbers.max().map_or(0, |last: usize| last + 1)
    }
}

/// Messages as text: role, then the bytes of each block.
pub(crate) fn blocks(messages: &[Arc<ChatMessage>]) -> Vec<String> {
    let text = |message: &Arc<ChatMessage>| {
        let role = match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
        };
        let blocks: Vec<&str> = message.blocks.iter().map(Block::json).collect();
        format!("{role}: {}", blocks.join(" "))
    };
    messages.iter().map(text).collect()
}
