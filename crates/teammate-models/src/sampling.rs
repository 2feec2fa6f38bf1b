//! Temperature and top_p: sent only where the user configures them and the model takes them.

use std::fmt::Write as _;

use crate::{
    adapt::{Learnt, Part},
    settings::ModelSettings,
};

/// The sampling fields of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sampling {
    temperature: Option<f64>,
    top_p: Option<f64>,
}

impl Sampling {
    /// The user's sampling, unless the model is known to refuse it.
    pub(crate) fn of(settings: &ModelSettings, learnt: &Learnt) -> Self {
        if settings.facts.sampling == Some(false) || learnt.refuses(Part::Sampling) {
            return Self::default();
        }
        Self {
            temperature: settings.request.temperature,
            top_p: settings.request.top_p,
        }
    }

    /// The part of it that a server may refuse.
    pub(crate) fn part(self) -> Option<Part> {
        (self != Self::default()).then_some(Part::Sampling)
    }

    /// Adds its fields to a body.
    pub(crate) fn push(self, body: &mut String) {
        for (name, value) in [("temperature", self.temperature), ("top_p", self.top_p)] {
            if let Some(value) = value {
                // Writing to a string cannot fail.
                let _ = write!(body, r#","{name}":{value}"#);
            }
        }
    }
}
