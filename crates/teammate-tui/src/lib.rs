//! The full screen of a team in a terminal: draws a `View`, reads keys, and asks for what the person wants. It knows no files
//! and no models.
