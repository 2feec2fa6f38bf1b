//! What files become before a model sees them.

use std::io::{Cursor, Seek as _, Write as _};

use image::{DynamicImage, ImageFormat, RgbImage, RgbaImage};

use super::*;

fn shown(content: &[u8]) -> Result<ShownMedia, MediaError> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(content).unwrap();
    file.rewind().unwrap();
    let kind = media_type(content).expect("a type that is known");
    show(file, content.len() as u64, kind)
}

fn written(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    picture.into().write_to(&mut out, format).unwrap();
    out.into_inner()
}

/// Every pixel another: nothing compresses it.
fn noise(width: u32, height: u32) -> RgbImage {
    let mut state = 7_u64;
    RgbImage::from_fn(width, height, |_, _| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let [.., a, b, c] = state.rotate_left(24).to_le_bytes();
        image::Rgb([a, b, c])
    })
}

fn flat(width: u32, height: u32) -> RgbImage {
    RgbImage::from_pixel(width, height, image::Rgb([10, 200, 30]))
}

fn bytes(shown: &ShownMedia) -> Vec<u8> {
    BASE64_STANDARD.decode(&shown.base64).unwrap()
}

fn size(shown: &ShownMedia) -> (u32, u32) {
    let picture = image::load_from_memory(&bytes(shown)).unwrap();
    (picture.width(), picture.height())
}

#[test]
fn a_small_picture_is_shown_byte_for_byte() {
    for (format, kind) in [
        (ImageFormat::Png, MediaType::Png),
        (ImageFormat::Jpeg, MediaType::Jpeg),
        (ImageFormat::Gif, MediaType::Gif),
        (ImageFormat::WebP, MediaType::Webp),
    ] {
        let content = written(flat(1_568, 3), format);
        let shown = shown(&content).unwrap();
        assert_eq!((shown.media_type, shown.made), (kind, MediaChange::Kept));
        assert_eq!(bytes(&shown), content);
    }
}

#[test]
fn a_large_picture_is_scaled_and_stays_png_if_that_is_small() {
    let shown = shown(&written(flat(4_000, 1_000), ImageFormat::Png)).unwrap();
    assert_eq!(shown.media_type, MediaType::Png);
    assert_eq!(size(&shown), (1_568, 392));
    let (from, to) = ((4_000, 1_000), (1_568, 392));
    assert_eq!(shown.made, MediaChange::Smaller { from, to });
    let seen = image::load_from_memory(&bytes(&shown)).unwrap().to_rgb8();
    assert_eq!(seen.get_pixel(700, 200).0, [10, 200, 30]);
}

#[test]
fn a_picture_of_many_bytes_becomes_a_jpeg_that_has_few_enough() {
    let content = written(noise(1_000, 1_000), ImageFormat::Png);
    assert!(content.len() > 2_900_000);
    let shown = shown(&content).unwrap();
    assert_eq!(shown.media_type, MediaType::Jpeg);
    assert!(bytes(&shown).len() <= 1_000_000);
    let (width, height) = size(&shown);
    assert!(width == height && width >= 500, "{width}x{height}");
}

#[test]
fn a_transparent_picture_that_becomes_a_jpeg_is_on_white() {
    let mut picture = RgbaImage::from_pixel(1_000, 1_600, image::Rgba([0, 0, 0, 0]));
    for (pixel, color) in picture.pixels_mut().zip(noise(1_000, 800).pixels()) {
        pixel.0 = [color.0[0], color.0[1], color.0[2], 255];
    }
    let shown = shown(&written(picture, ImageFormat::Png)).unwrap();
    assert_eq!(shown.media_type, MediaType::Jpeg);
    let seen = image::load_from_memory(&bytes(&shown)).unwrap().to_rgb8();
    let (width, height) = seen.dimensions();
    let below = seen.get_pixel(width / 2, height - 20).0;
    assert!(below.iter().all(|channel| *channel > 250), "{below:?}");
}

/// A PNG whose header claims so many pixels, and little behind it.
fn claiming(width: u32, height: u32) -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([8, 6, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
    out.extend(&header);
    out.extend(crc32(&header).to_be_bytes());
    let data = written(flat(4, 4), ImageFormat::Png);
    let at = data.windows(4).position(|w| w == b"IDAT").unwrap();
    out.extend(&data[at - 4..]);
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & 0_u32.wrapping_sub(crc & 1));
        }
    }
    !crc
}

#[test]
fn a_picture_that_claims_too_many_pixels_is_not_decoded() {
    for (width, height) in [(60_000, 60_000), (1, 60_000), (19_000, 19_000)] {
        let error = shown(&claiming(width, height)).unwrap_err();
        let said = error.to_string();
        assert!(
            said.contains(&format!("{width}x{height} pixels")) && said.contains("smaller copy"),
            "{said}"
        );
    }
}

#[test]
fn a_broken_picture_says_what_would_work() {
    let png = written(flat(64, 64), ImageFormat::Png);
    let jpeg = written(noise(64, 64), ImageFormat::Jpeg);
    let broken: [&[u8]; 6] = [
        &png[..40],
        b"\x89PNG\r\n\x1a\n\0",
        &jpeg[..20],
        b"GIF89a\0",
        b"RIFF\0\0\0\0WEBPVP8 ",
        &claiming(64, 64),
    ];
    for content in broken {
        let said = shown(content).unwrap_err().to_string();
        assert!(said.contains("convert it to PNG"), "{said}");
    }
}

#[test]
fn a_picture_s_file_is_read_up_to_a_limit() {
    let kind = MediaType::Png;
    let file = tempfile::tempfile().unwrap();
    let said = show(file, PICTURE_FILE_BYTES_MAX + 1, kind).unwrap_err();
    assert!(matches!(said, MediaError::LargePicture { .. }), "{said}");
}

/// A document of so many pages that is good enough for the checks.
fn pdf(pages: usize, more: &str) -> Vec<u8> {
    let page = "1 0 obj << /Type /Page /Parent 2 0 R >> endobj\n".repeat(pages);
    let trailer = format!("trailer << /Root 3 0 R {more} >>\nstartxref\n9\n%%EOF\n");
    format!("%PDF-1.4\n{page}2 0 obj << /Type /Pages >> endobj\n{trailer}").into_bytes()
}

#[test]
fn a_document_is_shown_as_it_is() {
    let content = pdf(100, "");
    let shown = shown(&content).unwrap();
    assert_eq!(
        (shown.media_type, shown.made),
        (MediaType::Pdf, MediaChange::Kept)
    );
    assert_eq!(bytes(&shown), content);
}

#[test]
fn a_document_that_servers_refuse_is_refused_with_what_would_work() {
    let large = [pdf(1, ""), vec![b' '; 8 << 20]].concat();
    let cut = &pdf(1, "")[..40];
    for (content, expected) in [
        (&pdf(101, "")[..], "101 pages"),
        (&pdf(1, "/Encrypt 5 0 R"), "qpdf --decrypt"),
        (&pdf(1, "/Encrypt<</V 4>>"), "qpdf --decrypt"),
        (cut, "its end is missing; `pdftotext`"),
        (&large, "at most 8388608 can be shown; `pdftotext`"),
    ] {
        let said = shown(content).unwrap_err().to_string();
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn a_file_is_attached_by_its_name_and_anything_else_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    };
    let content = written(flat(4, 4), ImageFormat::Png);
    let attached = read_attachment(&write("a.png", &content), "shots/a.png").unwrap();
    assert_eq!(attached.name(), "shots/a.png");
    assert_eq!(attached.media_type(), MediaType::Png);
    assert_eq!(attached.base64(), BASE64_STANDARD.encode(&content));
    let refused = |path: &Path| read_attachment(path, "x").unwrap_err();
    assert!(matches!(
        refused(&write("notes.png", b"just text")),
        MediaError::NotMedia
    ));
    assert!(matches!(refused(dir.path()), MediaError::NotAFile));
    assert!(matches!(refused(&dir.path().join("no")), MediaError::Io(_)));
}
