//! The page, asked by browsers and by those that have no business there.

mod hostile;
mod page;
