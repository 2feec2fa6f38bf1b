//! An address as a picture of characters, for a phone's camera.

use qrcode::{QrCode, render::unicode::Dense1x2};

/// The code, two rows of it in one row of text; nothing if the address is too long for one.
pub fn qr_code(address: &str) -> Option<String> {
    let code = QrCode::new(address.as_bytes()).ok()?;
    let mut picture = code.render::<Dense1x2>();
    // Terminals are dark more often than not, and cameras read both.
    Some(
        picture
            .dark_color(Dense1x2::Light)
            .light_color(Dense1x2::Dark)
            .build(),
    )
}
