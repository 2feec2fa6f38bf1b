//! Finished English sentences in another language: the catalogue's templates are held against them, the longest first. Nothing is
//! guessed: what no template is, stays as it is.

use std::fmt::Display;

use super::{
    catalogue::Catalogue,
    template::{filled, next_hole},
};

/// So often a sentence may be in the hole of another one.
const DEPTH_MAX: usize = 6;

/// A template with less text of its own would be many a sentence.
const OWN_BYTES_MIN: usize = 6;

/// The sentence in the language of the catalogue, with the sentences in it.
pub(super) fn translated(catalogue: &'static Catalogue, english: &str) -> String {
    let word = catalogue.get(english).map(str::to_owned);
    let said = word.or_else(|| within(catalogue, english, DEPTH_MAX));
    said.unwrap_or_else(|| english.to_owned())
}

/// The same, if it is found, or what it says behind a colon or a period.
fn within(catalogue: &'static Catalogue, english: &str, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let is_sentence = english.contains(' ') || catalogue.sentences.iter().any(|one| one == english);
    if let (true, Some(text)) = (is_sentence, catalogue.get(english)) {
        return Some(text.to_owned());
    }
    by_template(catalogue, english, depth).or_else(|| in_parts(catalogue, english, depth))
}

fn by_template(catalogue: &'static Catalogue, english: &str, depth: usize) -> Option<String> {
    let fitting = catalogue.sentences.iter().filter_map(|template| {
        let (holes, own) = holes_of(template, english)?;
        (own >= OWN_BYTES_MIN).then_some((own, template, holes))
    });
    let (_, template, holes) = fitting.max_by_key(|(own, ..)| *own)?;
    let text = catalogue.get(template)?;
    let holes: Vec<(&str, String)> = holes
        .into_iter()
        .map(|(name, held)| {
            let said = within(catalogue, held, depth);
            (name, said.unwrap_or_else(|| held.to_owned()))
        })
        .collect();
    let values: Vec<(&str, &dyn Display)> = holes
        .iter()
        .map(|(name, held)| (*name, held as &dyn Display))
        .collect();
    Some(filled(text, &values))
}

/// A chain of causes, or several sentences: each where it is known.
fn in_parts(catalogue: &'static Catalogue, english: &str, depth: usize) -> Option<String> {
    [(": ", "："), ("; ", "；"), (". ", "。"), ("\n", "\n")]
        .into_iter()
        .find_map(|(between, translated)| {
            english.match_indices(between).find_map(|(at, _)| {
                let (first, rest) = english.split_at(at);
                let rest = rest.strip_prefix(between)?;
                let (said, also) = (
                    within(catalogue, first, depth),
                    within(catalogue, rest, depth),
                );
                if said.is_none() && also.is_none() {
                    return None;
                }
                let said = said.unwrap_or_else(|| first.to_owned());
                let also = also.unwrap_or_else(|| rest.to_owned());
                Some(format!("{said}{translated}{also}"))
            })
        })
}

/// What stands in the holes of a template that the sentence is made of, and how many bytes are the template's own.
fn holes_of<'a>(template: &'a str, english: &'a str) -> Option<(Vec<(&'a str, &'a str)>, usize)> {
    let (mut holes, mut own): (Vec<(&str, &str)>, _) = (Vec::new(), 0);
    let (mut template, mut left, mut open) = (template, english, None);
    loop {
        let next = next_hole(template);
        let text = next.map_or(template, |(before, ..)| before);
        let text = text.replace("{{", "{").replace("}}", "}");
        own += text.len();
        let (held, after) = match (open, next) {
            (None, _) => ("", left.strip_prefix(&*text)?),
            (Some(_), None) => (left.strip_suffix(&*text)?, ""),
            (Some(_), Some(_)) => left.split_once(&*text).filter(|_| !text.is_empty())?,
        };
        if let Some(name) = open {
            if held.is_empty() {
                return None;
            }
            holes.push((name, held));
        }
        left = after;
        match next {
            Some((_, name, rest)) => (template, open) = (rest, Some(name)),
            None => return left.is_empty().then_some((holes, own)),
        }
    }
}
