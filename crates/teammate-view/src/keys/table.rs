//! Which key does what where: the defaults, and what the person changed.

use std::{collections::BTreeMap, fmt};

use teammate_core::name::{edit_distance, slips_max};

use super::{
    action::{KeyAction, KeyContext},
    press::{KeyCode, KeyPress, nearest_key},
    settings::KeySettings,
};

/// The keys of all actions. There are no clashes in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyTable {
    keys: BTreeMap<KeyAction, Vec<KeyPress>>,
    actions: BTreeMap<(KeyContext, KeyPress), KeyAction>,
}

/// Why keys cannot be as the person wants them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyTableError {
    NoAction {
        name: String,
    },
    NoKey {
        /// The action that it was for.
        action: KeyAction,
        /// The key as it was written.
        key: String,
    },
    /// One key would do two things in one place.
    Clash {
        key: KeyPress,
        context: KeyContext,
        /// The actions that it would have.
        actions: (KeyAction, KeyAction),
    },
    /// A key that types something at the prompt would not type it.
    EatsTyping {
        action: KeyAction,
        key: KeyPress,
    },
    /// A key that is pressed without a thought would answer.
    AnswersByAccident {
        /// The answer.
        action: KeyAction,
        key: KeyPress,
    },
}

/// The actions of vi's keys in panes.
const VI: [(KeyAction, char); 6] = [
    (KeyAction::PaneLeft, 'h'),
    (KeyAction::ItemDown, 'j'),
    (KeyAction::ItemUp, 'k'),
    (KeyAction::PaneRight, 'l'),
    (KeyAction::First, 'g'),
    (KeyAction::Last, 'G'),
];

impl KeyTable {
    /// The table that the person wants, or all that is wrong with it.
    pub fn new(settings: &KeySettings) -> Result<Self, Vec<KeyTableError>> {
        let mut errors = Vec::new();
        let mut keys = defaults();
        for (name, list) in &settings.keys {
            let Some(action) = KeyAction::ALL.iter().find(|action| action.name() == name) else {
                errors.push(KeyTableError::NoAction { name: name.clone() });
                continue;
            };
            let mut wanted = Vec::new();
            for key in list.keys() {
                match key.parse() {
                    Ok(key) if wanted.contains(&key) => {}
                    Ok(key) => wanted.push(key),
                    Err(_) => errors.push(KeyTableError::NoKey {
                        action: *action,
                        key: key.clone(),
                    }),
                }
            }
            keys.insert(*action, wanted);
        }
        for (action, c) in VI.into_iter().filter(|_| settings.vi) {
            let key = KeyPress::plain(KeyCode::Char(c));
            let known = keys.entry(action).or_default();
            if !known.contains(&key) {
                known.push(key);
            }
        }
        let mut table = Self {
            keys,
            actions: BTreeMap::new(),
        };
        table.connect(&mut errors);
        if errors.is_empty() {
            Ok(table)
        } else {
            Err(errors)
        }
    }

    /// The action of a key in this place. At the prompt a key that does nothing is typed.
    pub fn action(&self, context: KeyContext, key: KeyPress) -> Option<KeyAction> {
        let found = |context| self.actions.get(&(context, key)).copied();
        found(context).or_else(|| found(KeyContext::Everywhere))
    }

    /// The keys of an action, the one that is shown first.
    pub fn keys(&self, action: KeyAction) -> &[KeyPress] {
        self.keys.get(&action).map_or(&[], Vec::as_slice)
    }

    /// Finds what each key does where, and what cannot be.
    fn connect(&mut self, errors: &mut Vec<KeyTableError>) {
        for (action, keys) in &self.keys {
            for key in keys {
                errors.extend(refusal(*action, *key));
                for context in action.contexts() {
                    let found = rivals(*context)
                        .find_map(|context| self.actions.get(&(context, *key)).copied());
                    match found {
                        Some(first) => errors.push(KeyTableError::Clash {
                            key: *key,
                            context: *context,
                            actions: (first, *action),
                        }),
                        None => {
                            self.actions.insert((*context, *key), *action);
                        }
                    }
                }
            }
        }
    }
}

impl Default for KeyTable {
    /// The keys as they are if nobody changes them.
    fn default() -> Self {
        let mut table = Self {
            keys: defaults(),
            actions: BTreeMap::new(),
        };
        // A test proves that there is nothing wrong with them.
        table.connect(&mut Vec::new());
        table
    }
}

fn defaults() -> BTreeMap<KeyAction, Vec<KeyPress>> {
    let keys = |action: &KeyAction| {
        let keys = action.default_keys().iter();
        keys.filter_map(|key| key.parse().ok()).collect()
    };
    KeyAction::ALL
        .iter()
        .map(|action| (*action, keys(action)))
        .collect()
}

/// Where else a key of this place cannot have a second meaning.
fn rivals(context: KeyContext) -> impl Iterator<Item = KeyContext> {
    KeyContext::ALL.into_iter().filter(move |other| {
        *other == context || *other == KeyContext::Everywhere || context == KeyContext::Everywhere
    })
}

/// Why an action cannot have a key, whatever the others have.
fn refusal(action: KeyAction, key: KeyPress) -> Option<KeyTableError> {
    let is_at_prompt = action.contexts().iter().any(|context| match context {
        KeyContext::Prompt | KeyContext::Everywhere => true,
        KeyContext::Pane | KeyContext::Needs => false,
    });
    if is_at_prompt && key.typed().is_some() {
        return Some(KeyTableError::EatsTyping { action, key });
    }
    let is_thoughtless = matches!(key.code(), KeyCode::Enter | KeyCode::Char(' '));
    if action.is_answer() && is_thoughtless {
        return Some(KeyTableError::AnswersByAccident { action, key });
    }
    None
}

fn names() -> impl Iterator<Item = &'static str> {
    KeyAction::ALL.iter().map(|action| action.name())
}

/// The action whose name was probably meant: what is typed at the prompt for it, or a name with few slips.
fn nearest(name: &str) -> Option<&'static str> {
    let is_word = |action: &&KeyAction| {
        let word = action.word().and_then(|word| word.strip_prefix('/'));
        word == Some(name)
    };
    if let Some(action) = KeyAction::ALL.iter().find(is_word) {
        return Some(action.name());
    }
    let slips = |known: &&'static str| edit_distance(name, known);
    let nearest = names().min_by_key(slips)?;
    (slips(&nearest) <= slips_max(name.chars().count())).then_some(nearest)
}

impl fmt::Display for KeyTableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAction { name } => {
                write!(f, "[keys] {name}: there is no such action")?;
                match nearest(name) {
                    Some(near) => write!(f, "; did you mean {near}?"),
                    None => write!(
                        f,
                        ". There are: vi, {}",
                        names().collect::<Vec<_>>().join(", ")
                    ),
                }
            }
            Self::NoKey { action, key } => {
                write!(f, "[keys] {}: {key:?} is no key", action.name())?;
                match nearest_key(key) {
                    Some(near) => write!(f, "; did you mean {near}?"),
                    None => f.write_str(". Write it as Ctrl-N, Alt-1, Shift-Tab, F2, PgUp or x"),
                }
            }
            Self::Clash {
                key,
                context,
                actions: (first, second),
            } => write!(
                f,
                "[keys] {key} would be {} and {} {}: give one of them another key",
                first.name(),
                second.name(),
                context.place()
            ),
            Self::EatsTyping { action, key } => write!(
                f,
                "[keys] {}: {key} could no longer be typed at the prompt. Take it with Ctrl or Alt, or a function key",
                action.name()
            ),
            Self::AnswersByAccident { action, key } => write!(
                f,
                "[keys] {}: {key} is pressed too easily to answer a question. Take a letter",
                action.name()
            ),
        }
    }
}

impl std::error::Error for KeyTableError {}
