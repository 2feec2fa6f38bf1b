//! The graph, which the page draws of its data.

use teammate_view::screens::graph::GraphScreen;

use super::{Parts, part::Part};

impl Parts for GraphScreen {
    /// Only where it is drawn.
    fn parts(&self) -> Vec<Part> {
        vec![
            Part::new("div", "graph.members", "drawn", |_| {}),
            Part::new("div", "graph.time", "drawn", |_| {}),
        ]
    }
}
