//! Opens the file of what is on the screen: what an edit changed, or where all of an output is.

use teammate_view::t;
use teammate_view::{Item, ItemKind};

use super::{KeyStep, Lent, find};
use crate::app::{App, MemberFile, ScreenKind};

/// Opens the file of the place that was found, else of the lowest call on the screen that has one.
pub(super) fn open(app: &mut App) -> KeyStep {
    let found = match app.kind {
        ScreenKind::Member => chosen(app),
        ScreenKind::Team
        | ScreenKind::Board
        | ScreenKind::Mail
        | ScreenKind::Needs
        | ScreenKind::Cost => None,
    };
    match found {
        Some(file) => KeyStep::Lend(Lent::File(file)),
        None => {
            app.say(t("No file is here: in the story of a member, a change of a file or a long output has one"));
            KeyStep::Stay
        }
    }
}

fn chosen(app: &App) -> Option<MemberFile> {
    let visible = find::visible(app);
    let spot = app.places.found.map(|spot| spot.entry);
    let found = visible.iter().filter(|(number, _)| Some(*number) == spot);
    let mut items = found.chain(&visible);
    let path = items.find_map(|(_, item)| path(item))?.to_owned();
    let name = app.member();
    let member = app.view().team().member(&name);
    let is_apart = member.is_some_and(|member| member.options.worktree);
    Some(MemberFile {
        path,
        worktree_of: is_apart.then_some(name),
    })
}

fn path(item: &Item) -> Option<&str> {
    let ItemKind::Called(call) = &item.what else {
        return None;
    };
    let end = call.ended.as_ref()?;
    let changed = end.change.as_ref().map(|change| change.path.as_str());
    changed.or(end.file.as_deref())
}
