//! The page, asked by browsers and by those that have no business there.

mod few_words;
mod hostile;
mod page;
