//! What three real browsers cost a team that works, each of them on another screen.

use std::{io, thread, time::Duration};

use super::{
    super::{Effort, Measured},
    chromium::Looked,
    cost::Cost,
    stage::Stage,
};

/// What they show.
const SCREENS: [&str; 3] = ["/", "/mail", "/m/m0"];

/// With and without them in turn: on a busy machine both suffer alike.
pub(super) fn measure(stage: &Stage, effort: Effort) -> Measured {
    let span = Duration::from_secs(effort.times(8, 6) as u64);
    let mut cost = Cost::default();
    for _ in 0..effort.times(5, 3) {
        let without = stage.host.share(span)?;
        let page = stage.page()?;
        let open = |screen| {
            let browser = Looked::begin(&page)?;
            browser.open(screen)?;
            Ok(browser)
        };
        let browsers: io::Result<Vec<Looked>> = SCREENS.into_iter().map(open).collect();
        let _browsers = browsers?;
        // What they are given first is over.
        thread::sleep(Duration::from_secs(2));
        cost.take(without, stage, &page, span)?;
    }
    Ok(cost.rows("three Chromiums").into())
}
