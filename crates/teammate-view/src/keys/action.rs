//! All that a key can do, in one table.

/// Where keys go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyContext {
    /// The prompt: what is not in the table is typed.
    Prompt,
    /// A pane of a screen: lists, transcripts.
    Pane,
    /// The questions that need the person; nowhere else is anything answered.
    Needs,
    /// Everywhere, also in those above.
    Everywhere,
}

impl KeyContext {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Prompt, Self::Pane, Self::Needs, Self::Everywhere];

    /// Where that is, as the end of a sentence.
    pub fn place(self) -> &'static str {
        match self {
            Self::Prompt => "at the prompt",
            Self::Pane => "in a pane",
            Self::Needs => "in Needs",
            Self::Everywhere => "everywhere",
        }
    }
}

const EVERYWHERE: &[KeyContext] = &[KeyContext::Everywhere];
const PROMPT: &[KeyContext] = &[KeyContext::Prompt];
const PANE: &[KeyContext] = &[KeyContext::Pane];
const NEEDS: &[KeyContext] = &[KeyContext::Needs];
// There its key goes back to the question before.
const BUT_NEEDS: &[KeyContext] = &[KeyContext::Prompt, KeyContext::Pane];
const PANES: &[KeyContext] = &[KeyContext::Pane, KeyContext::Needs];

/// Makes the actions and what is known about each from the lines of the table.
macro_rules! actions {
    ($($action:ident $name:literal $contexts:ident [$($key:literal),*] $word:literal $does:literal;)*) => {
        /// Something that a key does.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum KeyAction {
            $(#[doc = concat!("It ", $does, ".")] $action,)*
        }

        impl KeyAction {
            /// All of them, in the order in which they are explained.
            pub const ALL: &'static [Self] = &[$(Self::$action),*];

            /// Its name in the configuration.
            pub fn name(self) -> &'static str {
                match self { $(Self::$action => $name,)* }
            }

            /// Where it can be done.
            pub fn contexts(self) -> &'static [KeyContext] {
                match self { $(Self::$action => $contexts,)* }
            }

            /// The keys that do it unless the person wants others.
            pub fn default_keys(self) -> &'static [&'static str] {
                match self { $(Self::$action => &[$($key),*],)* }
            }

            /// The word that can be typed at the prompt instead; `None` where that makes no sense.
            pub fn word(self) -> Option<&'static str> {
                let word = match self { $(Self::$action => $word,)* };
                (!word.is_empty()).then_some(word)
            }

            /// The effect, as the end of a sentence.
            pub fn does(self) -> &'static str {
                match self { $(Self::$action => $does,)* }
            }
        }
    };
}

actions! {
    ShowTeam "team" EVERYWHERE ["F1", "Alt-1"] "/team" "shows the team";
    ShowMember "member" EVERYWHERE ["F2", "Alt-2"] "/member" "shows a member";
    ShowBoard "board" EVERYWHERE ["F3", "Alt-3"] "/board" "shows the task board";
    ShowMail "mail" EVERYWHERE ["F4", "Alt-4"] "/mail" "shows the mail";
    ShowNeeds "needs" EVERYWHERE ["F5", "Alt-5"] "/needs" "shows what needs you";
    ShowCost "cost" EVERYWHERE ["F6", "Alt-6"] "/cost" "shows what it costs";
    NextNeed "next_need" EVERYWHERE ["Ctrl-N"] "/next" "goes to the next that needs you; the draft stays";
    SwitchPane "switch_pane" EVERYWHERE ["Tab"] "/panes" "takes what is offered, else goes between prompt and panes";
    Close "close" EVERYWHERE ["Esc"] "/close" "closes or leaves the pane; twice in a second it interrupts the member shown";
    Interrupt "interrupt" EVERYWHERE ["Ctrl-C"] "/interrupt" "sets a draft aside; else, where members work, twice interrupts all; once more leaves";
    ScrollUp "scroll_up" EVERYWHERE ["PgUp"] "/older" "scrolls back and stops following";
    ScrollDown "scroll_down" EVERYWHERE ["PgDn"] "/newer" "scrolls on";
    AllFolds "all_folds" EVERYWHERE ["Ctrl-O"] "/folds" "opens or closes all folds";
    EditOutside "edit_outside" EVERYWHERE ["Ctrl-G"] "/edit" "edits the draft in your editor";
    Suspend "suspend" EVERYWHERE ["Ctrl-Z"] "/suspend" "suspends the program";
    Repaint "repaint" EVERYWHERE ["Ctrl-L"] "/repaint" "draws the screen anew";

    Palette "palette" BUT_NEEDS ["Ctrl-P"] "/palette" "finds every command and key by words";

    Send "send" PROMPT ["Enter"] "" "sends what is written";
    NewLine "new_line" PROMPT ["Shift-Enter", "Alt-Enter", "Ctrl-J"] "" "begins a new line, as Enter behind a backslash does";
    CompletePrevious "complete_previous" PROMPT ["Shift-Tab"] "" "goes back through what is offered";
    SearchHistory "search_history" PROMPT ["Ctrl-R"] "/history" "looks for what was sent before";
    TakeBack "take_back" PROMPT ["Alt-Up"] "/recall" "takes back what was sent and nobody has heard";
    RowUp "row_up" PROMPT ["Up"] "" "goes a row up, above the first to what was sent before";
    RowDown "row_down" PROMPT ["Down"] "" "goes a row down";
    CursorLeft "cursor_left" PROMPT ["Left", "Ctrl-B"] "" "goes left";
    CursorRight "cursor_right" PROMPT ["Right", "Ctrl-F"] "" "goes right";
    WordLeft "word_left" PROMPT ["Alt-Left", "Ctrl-Left", "Alt-B"] "" "goes a word left";
    WordRight "word_right" PROMPT ["Alt-Right", "Ctrl-Right", "Alt-F"] "" "goes a word right";
    LineStart "line_start" PROMPT ["Home", "Ctrl-A"] "" "goes to the beginning of the line";
    LineEnd "line_end" PROMPT ["End", "Ctrl-E"] "" "goes to the end of the line";
    DeleteLeft "delete_left" PROMPT ["Backspace", "Ctrl-H"] "" "removes the character before the cursor";
    DeleteRight "delete_right" PROMPT ["Delete", "Ctrl-D"] "" "removes the character behind the cursor";
    CutWordLeft "cut_word_left" PROMPT ["Ctrl-W", "Alt-Backspace"] "" "cuts out the word before the cursor";
    CutWordRight "cut_word_right" PROMPT ["Alt-D"] "" "cuts out the word behind the cursor";
    CutToStart "cut_to_start" PROMPT ["Ctrl-U"] "" "cuts out the line before the cursor";
    CutToEnd "cut_to_end" PROMPT ["Ctrl-K"] "" "cuts out the line behind the cursor";
    PutBack "put_back" PROMPT ["Ctrl-Y"] "" "puts in what was cut out last";
    Undo "undo" PROMPT ["Ctrl-_", "Alt-U"] "" "takes back the last change of the text";
    Redo "redo" PROMPT ["Alt-R"] "" "makes that change again";

    ItemUp "item_up" PANES ["Up"] "" "goes to the item above";
    ItemDown "item_down" PANES ["Down"] "" "goes to the item below";
    PreviousNeed "previous_need" NEEDS ["Ctrl-P"] "" "goes back to the one before that needs you";
    PaneLeft "pane_left" PANES ["Left"] "" "goes to the pane at the left";
    PaneRight "pane_right" PANES ["Right"] "" "goes to the pane at the right";
    First "first" PANES ["Home"] "/first" "goes to the beginning";
    Last "last" PANES ["End"] "/last" "goes to the end and follows what is new";
    Open "open" PANES ["Enter"] "/open" "opens the item or its fold";
    HalfPageUp "half_page_up" PANES ["Ctrl-U"] "" "goes half a page up";
    HalfPageDown "half_page_down" PANES ["Ctrl-D"] "" "goes half a page down";
    Copy "copy" PANES ["c"] "/copy" "copies the source text";
    ShowWhole "show_whole" PANES ["v"] "/whole" "shows it whole in your pager";
    OpenFile "open_file" PANES ["o"] "/file" "opens the file";
    Search "search" PANES ["/"] "/find" "looks for text";
    SearchNext "search_next" PANE ["n"] "/find-next" "goes to the next place that was looked for";
    SearchPrevious "search_previous" PANE ["N"] "/find-previous" "goes to the place before";
    FactBack "fact_back" PANES ["["] "/back" "goes one event back in time";
    FactForward "fact_forward" PANES ["]"] "/forward" "goes one event on";
    TurnBack "turn_back" PANES ["{"] "/back-turn" "goes one turn back in time";
    TurnForward "turn_forward" PANES ["}"] "/forward-turn" "goes one turn on";
    Stop "stop" PANE ["x"] "/shutdown" "stops the member, and says first what that means";
    Help "help" PANES ["?"] "/help" "shows the keys, also at a prompt with nothing typed";

    AnswerOnce "answer_once" NEEDS ["y"] "/approve" "allows it once";
    AnswerAlways "answer_always" NEEDS ["a"] "/always" "allows it from now on";
    AnswerPrefix "answer_prefix" NEEDS ["p"] "" "allows its prefix from now on, where that is offered";
    AnswerTool "answer_tool" NEEDS ["t"] "" "allows its tool until the team is closed, where that is offered";
    AnswerNo "answer_no" NEEDS ["n"] "/deny" "says no";
    AnswerNoBecause "answer_no_because" NEEDS ["w"] "/why" "says no, and why";
}

impl KeyAction {
    /// Whether it answers a question. Only then [`crate::strays`] must be asked.
    pub fn is_answer(self) -> bool {
        matches!(
            self,
            Self::AnswerOnce
                | Self::AnswerAlways
                | Self::AnswerPrefix
                | Self::AnswerTool
                | Self::AnswerNo
                | Self::AnswerNoBecause
        )
    }
}
