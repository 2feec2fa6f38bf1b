//! `GET /p/{member}/{number}/{which}`: a picture that a call of a member's story gave it, as its transcript has it. Only the four kinds
//! of pictures that models are shown, which run nothing; what the transcript does not have is not there, whatever the story says.

use std::sync::Arc;

use axum::{
    extract::{Path, Query, State, rejection::QueryRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse as _, Response},
};
use serde::Deserialize;
use teammate_core::MemberName;
use teammate_view::{Item, Story};

use super::{Site, feed, may_see};
use crate::refusal::PageRefusal;

/// The most bytes of a picture that is sent.
const PICTURE_BYTES_MAX: usize = 12 << 20;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PictureQuery {
    team: String,
}

pub(super) async fn picture(
    State(site): State<Arc<Site>>,
    Path((member, number, which)): Path<(String, u64, usize)>,
    wanted: Result<Query<PictureQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, PageRefusal> {
    may_see(&site, &headers)?;
    let Query(wanted) = wanted
        .map_err(|_| PageRefusal::new(StatusCode::BAD_REQUEST, "the address takes team, once"))?;
    let member = MemberName::parse(&member).map_err(|_| PageRefusal::not_found())?;
    let feed = feed(&site, &wanted.team).await?;
    let call = {
        let view = feed.view();
        let mut entries = view.story(&member).into_iter().flat_map(Story::numbered);
        let entry = entries.find(|(known, _)| *known == number);
        entry.and_then(|(_, item): (u64, &Item)| item.call().map(|call| call.id.clone()))
    };
    let call = call.ok_or_else(PageRefusal::not_found)?;
    let pictures = feed.door.pictures(&member, &call).await;
    let pictures =
        pictures.map_err(|why| PageRefusal::new(StatusCode::SERVICE_UNAVAILABLE, why))?;
    let picture = pictures.into_iter().nth(which);
    let picture = picture.ok_or_else(PageRefusal::not_found)?;
    if picture.bytes.len() > PICTURE_BYTES_MAX {
        let text = "this picture is too large for the page: it is in the member's transcript";
        return Err(PageRefusal::new(StatusCode::PAYLOAD_TOO_LARGE, text));
    }
    let kind = HeaderValue::from_static(picture.media_type);
    Ok(([(CONTENT_TYPE, kind)], picture.bytes).into_response())
}
