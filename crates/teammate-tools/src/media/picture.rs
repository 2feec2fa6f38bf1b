//! Scales pictures down to what models make use of, and bounds their bytes. One that is small already is shown byte for byte, but
//! decoded first all the same: a server that cannot decode it refuses the whole request, and all that follow with it.

use std::{io::Cursor, sync::Mutex};

use image::{
    DynamicImage, ImageDecoder as _, ImageError, ImageFormat, ImageReader, Limits, RgbImage,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
    imageops::FilterType as Scaling,
};
use teammate_core::{attachment::MediaType, lock::Hold};

use super::{MediaChange, MediaError};

/// The longer edge of a picture that every model sees without scaling it down itself.
const EDGE_MAX: u32 = 1_568;

/// The most bytes of a picture that is shown.
const BYTES_MAX: usize = 1_000_000;

/// The longest edge that is decoded.
const DECODED_EDGE_MAX: u32 = 20_000;

/// The most memory that decoding a picture may take.
const DECODED_BYTES_MAX: u64 = 256 << 20;

/// Qualities that are tried until the bytes are few enough, before the picture is made smaller again.
const QUALITIES: [u8; 4] = [85, 70, 50, 30];

/// The edge below which nothing is made smaller: a JPEG of that has few enough bytes at any quality.
const EDGE_MIN: u32 = 256;

/// Pictures are decoded one at a time, so that members who read large ones side by side do not need the memory of all.
static DECODING: Mutex<()> = Mutex::new(());

/// A picture that fits, with its type and what was done to it.
pub(super) fn fitted(
    kind: MediaType,
    content: Vec<u8>,
) -> Result<(MediaType, Vec<u8>, MediaChange), MediaError> {
    let _one = DECODING.hold();
    let decoded = decoded(kind, &content)?;
    let from = (decoded.width(), decoded.height());
    if from.0.max(from.1) <= EDGE_MAX && content.len() <= BYTES_MAX {
        return Ok((kind, content, MediaChange::Kept));
    }
    let mut picture = scaled(decoded, EDGE_MAX);
    if kind != MediaType::Jpeg
        && let Some(png) = as_png(&picture)
    {
        let to = (picture.width(), picture.height());
        return Ok((MediaType::Png, png, MediaChange::Smaller { from, to }));
    }
    loop {
        let to = (picture.width(), picture.height());
        let flat = on_white(&picture);
        let is_last = to.0.max(to.1) <= EDGE_MIN;
        for quality in QUALITIES {
            let jpeg = as_jpeg(&flat, quality)?;
            if jpeg.len() <= BYTES_MAX || is_last {
                return Ok((MediaType::Jpeg, jpeg, MediaChange::Smaller { from, to }));
            }
        }
        picture = scaled(picture, to.0.max(to.1) / 2);
    }
}

/// The picture upright, within the limits.
fn decoded(kind: MediaType, content: &[u8]) -> Result<DynamicImage, MediaError> {
    let format = match kind {
        MediaType::Png => ImageFormat::Png,
        MediaType::Jpeg => ImageFormat::Jpeg,
        MediaType::Gif => ImageFormat::Gif,
        MediaType::Webp => ImageFormat::WebP,
        MediaType::Pdf => return Err(MediaError::NotMedia),
    };
    let reader = || ImageReader::with_format(Cursor::new(content), format);
    let bad = |error: ImageError| MediaError::BadPicture(error.to_string());
    let (width, height) = reader().into_dimensions().map_err(bad)?;
    let too_many = || MediaError::ManyPixels { width, height };
    if width.max(height) > DECODED_EDGE_MAX {
        return Err(too_many());
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(DECODED_EDGE_MAX);
    limits.max_image_height = Some(DECODED_EDGE_MAX);
    limits.max_alloc = Some(DECODED_BYTES_MAX);
    let mut reader = reader();
    reader.limits(limits);
    let told = |error: ImageError| match error {
        ImageError::Limits(_) => too_many(),
        error => bad(error),
    };
    let mut decoder = reader.into_decoder().map_err(told)?;
    if decoder.total_bytes() > DECODED_BYTES_MAX {
        return Err(too_many());
    }
    // Cameras write how a picture is held; a picture that is written anew loses that.
    let orientation = decoder.orientation().map_err(bad)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(told)?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// The picture with no edge longer than `edge_max`. First quickly to twice that, so that the careful scaling needs little memory.
fn scaled(picture: DynamicImage, edge_max: u32) -> DynamicImage {
    let edge = picture.width().max(picture.height());
    if edge <= edge_max {
        return picture;
    }
    let nearer = match edge > 2 * edge_max {
        true => picture.thumbnail(2 * edge_max, 2 * edge_max),
        false => picture,
    };
    nearer.resize(edge_max, edge_max, Scaling::Triangle)
}

/// The picture as PNG, if it has few enough bytes.
fn as_png(picture: &DynamicImage) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut out, CompressionType::Default, FilterType::Adaptive);
    // Eight bits a channel: more is not seen.
    let written = match picture.has_alpha() {
        true => picture.to_rgba8().write_with_encoder(encoder),
        false => picture.to_rgb8().write_with_encoder(encoder),
    };
    written
        .ok()
        .map(|()| out)
        .filter(|png| png.len() <= BYTES_MAX)
}

fn as_jpeg(picture: &RgbImage, quality: u8) -> Result<Vec<u8>, MediaError> {
    let mut out = Vec::new();
    picture
        .write_with_encoder(JpegEncoder::new_with_quality(&mut out, quality))
        .map_err(|error| MediaError::BadPicture(error.to_string()))?;
    Ok(out)
}

/// The picture without transparency, which JPEG does not have.
fn on_white(picture: &DynamicImage) -> RgbImage {
    if !picture.has_alpha() {
        return picture.to_rgb8();
    }
    let seen = picture.to_rgba8();
    RgbImage::from_fn(seen.width(), seen.height(), |x, y| {
        let [red, green, blue, alpha] = seen.get_pixel(x, y).0;
        let on_white = |channel: u8| {
            let (channel, alpha) = (u32::from(channel), u32::from(alpha));
            // Between two bytes there is a byte.
            u8::try_from((channel * alpha + 255 * (255 - alpha)) / 255).unwrap_or(u8::MAX)
        };
        image::Rgb([on_white(red), on_white(green), on_white(blue)])
    })
}
