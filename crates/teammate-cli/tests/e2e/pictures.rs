//! Pictures and documents on their way to a model: with a job, a message, a word at the prompt, and read by a member; and how old
//! ones leave.

use std::fs;

use serde_json::{Value, json};
use teammate_testkit::RecordedRequest;

use crate::{
    play::{Scene as _, calls, play, say},
    terminal::Terminal,
    wires::{Vendor, WIRES, Wire, anthropic_at, world_at},
    world::{World, until},
};

/// A picture without compression: three bytes for each pixel, all of them `shade`.
fn png(width: u32, height: u32, shade: u8) -> Vec<u8> {
    let mut rows = Vec::new();
    for _ in 0..height {
        rows.push(0);
        rows.extend(std::iter::repeat_n(shade, width as usize * 3));
    }
    let mut data = vec![0x78, 1];
    let pieces = rows.chunks(0xFFFF);
    let last = pieces.len() - 1;
    for (at, piece) in pieces.enumerate() {
        let length = u16::try_from(piece.len()).unwrap();
        data.push(u8::from(at == last));
        data.extend(length.to_le_bytes());
        data.extend((!length).to_le_bytes());
        data.extend(piece);
    }
    let (a, b) = rows.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    data.extend(((b << 16) | a).to_be_bytes());
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([8, 2, 0, 0, 0]);
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in [(b"IHDR", header), (b"IDAT", data), (b"IEND", Vec::new())] {
        out.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        let chunk = [&kind[..], &content].concat();
        out.extend(&chunk);
        out.extend(crc32(&chunk).to_be_bytes());
    }
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & 0_u32.wrapping_sub(crc & 1))
        })
    })
}

const PDF: &str = "%PDF-1.4\n1 0 obj << /Type /Page >> endobj\nstartxref\n9\n%%EOF\n";

/// How the base64 of these files begins; the second is all of it.
const PNG_BEGINS: &str = "iVBORw0KGgo";
const PDF_BEGINS: &str = "JVBERi0xLjQK";

/// Pictures and documents of a request, on any wire.
fn media(request: &RecordedRequest) -> usize {
    let kinds = [
        "image",
        "document",
        "image_url",
        "file",
        "input_image",
        "input_file",
    ];
    let count = |kind| request.body.matches(&format!(r#""type":"{kind}""#)).count();
    kinds.into_iter().map(count).sum()
}

fn seeing() -> Value {
    play([("lead", vec![say("I see.").otherwise()])])
}

/// Nothing that is watched or logged has the bytes.
#[track_caller]
fn assert_not_shown(world: &World) {
    let events = fs::read_to_string(world.path(".team/events.jsonl")).unwrap();
    assert!(events.contains(r#""attachments":[{"name":"#), "{events}");
    let log = world.teammate(&["log"]).ends(0).out;
    assert!(log.contains("attached: shot.png (image/png, "), "{log}");
    for text in [events, log] {
        assert!(!text.contains(PNG_BEGINS) && !text.contains(PDF_BEGINS));
    }
}

// fast: attachments
#[test]
fn a_picture_and_a_document_given_with_a_job_reach_the_model_on_all_wires() {
    for wire in WIRES {
        let vendor = Vendor::playing("127.0.0.1:0", &seeing());
        let world = world_at(wire, &vendor.url());
        fs::write(world.path("shot.png"), png(8, 8, 100)).unwrap();
        fs::write(world.path("plan.pdf"), PDF).unwrap();
        let run = [
            "run", "--attach", "shot.png", "--attach", "plan.pdf", "Look",
        ];
        world.teammate(&run).ends(0).says("I see.");
        world.teammate(&["run", "--continue", "And now?"]).ends(0);
        vendor.assert_content();
        let seen = vendor.server.seen();
        for request in &seen {
            assert_eq!(media(request), 2, "{wire:?}: {}", request.body);
            assert!(request.body.contains(PNG_BEGINS) && request.body.contains(PDF_BEGINS));
            assert!(request.body.contains("Attached: shot.png (image/png, "));
            assert!(request.body.contains("plan.pdf (application/pdf, "));
        }
        assert_eq!(seen.len(), 2);
        assert_not_shown(&world);
    }
}

#[test]
fn a_message_from_another_terminal_brings_its_picture() {
    let vendor = Vendor::playing("127.0.0.1:0", &seeing());
    let world = anthropic_at(&vendor);
    world.run_anew("Begin").ends(0);
    fs::write(world.path("shot.png"), png(8, 8, 100)).unwrap();
    let send = [
        "send",
        "lead",
        "--attach",
        "shot.png",
        "What is wrong here?",
    ];
    world.teammate(&send).ends(0);
    world
        .teammate(&["inbox"])
        .ends(0)
        .says("attached: shot.png (image/png, ");
    let inbox = world.teammate(&["inbox", "--json"]).ends(0).out;
    assert!(!inbox.contains(PNG_BEGINS), "{inbox}");
    world.resume().ends(0);
    vendor.assert_content();
    assert_eq!(media(vendor.server.seen().last().unwrap()), 1);
    assert_not_shown(&world);
}

#[test]
fn a_word_at_the_prompt_attaches_the_file_that_it_names() {
    let vendor = Vendor::playing("127.0.0.1:0", &seeing());
    let world = anthropic_at(&vendor);
    fs::write(world.path("shot.png"), png(8, 8, 100)).unwrap();
    fs::write(world.path("bad.png"), "no picture").unwrap();
    let terminal = Terminal::open(&world, 100, &[]);
    terminal.types("What is in @bad.png?");
    terminal.until("Not sent:");
    assert!(terminal.shows().contains("bad.png cannot be attached"));
    terminal.types("What is in @shot.png?");
    terminal.until("attached: shot.png (image/png, ");
    terminal.until("I see.");
    until(|| terminal.is_at_prompt(), || terminal.shows());
    terminal.quits();
    vendor.assert_content();
    let seen = vendor.server.seen();
    assert_eq!((seen.len(), media(&seen[0])), (1, 1));
    assert!(seen[0].body.contains("What is in @shot.png?"));
}

#[test]
fn what_cannot_be_attached_is_refused_before_anything_is_sent() {
    let world = World::playing(&seeing());
    fs::write(world.path("notes.txt"), "words").unwrap();
    fs::write(world.path("cut.png"), &png(8, 8, 100)[..40]).unwrap();
    for (file, expected) in [
        ("notes.txt", "it is no PNG, JPEG, GIF or WebP picture"),
        ("cut.png", "convert it to PNG"),
        ("no.png", "it cannot be read"),
        (".", "it is not a regular file"),
    ] {
        let run = world.teammate(&["run", "--attach", file, "Look"]);
        assert_ne!(run.code, 0, "{file}");
        run.complains(expected).complains("nothing was sent");
    }
    fs::write(world.path("shot.png"), png(8, 8, 100)).unwrap();
    let many = [["--attach", "shot.png"]; 9].concat();
    let run = world.teammate(&[&["run"], &many[..], &["Look"]].concat());
    assert_ne!(run.code, 0);
    run.complains("a message can have 8 attachments and not 9");
    assert!(!world.path(".team").exists());
}

/// A lead that reads so many pictures, one after the other.
fn reading(count: usize) -> Value {
    let read = |at| calls([("read_file", json!({"path": format!("{at}.png")}))]);
    let mut scenes: Vec<_> = (0..count).map(read).collect();
    scenes.push(say("Seen all."));
    play([("lead", scenes)])
}

/// What the last request had when a lead read so many pictures of so many pixels a side, on this wire.
fn last_of_reading(wire: Wire, count: usize, side: u32) -> RecordedRequest {
    let vendor = Vendor::playing("127.0.0.1:0", &reading(count));
    let world = world_at(wire, &vendor.url());
    for at in 0..count {
        let shade = u8::try_from(at).unwrap();
        fs::write(world.path(&format!("{at}.png")), png(side, side, shade)).unwrap();
    }
    // The server counts tokens by bytes, also those of pictures.
    let room = ["--context-tokens", "100000000"];
    let run = ["run", "--permission-mode", "bypass", "Look at all of them"];
    let run = world.teammate(&[&run[..], &room].concat());
    run.ends(0).says("Seen all.");
    vendor.assert_content();
    let mut seen = vendor.server.seen();
    assert_eq!(seen.len(), count + 1);
    let transcript = fs::read_to_string(world.path(".team/agents/lead/transcript.jsonl")).unwrap();
    let kept = transcript.matches(PNG_BEGINS).count();
    assert_eq!(kept, count, "the transcript loses none");
    seen.pop().unwrap()
}

#[test]
fn of_thirty_pictures_read_in_a_row_the_last_request_has_the_newest_few() {
    let last = last_of_reading(Wire::Anthropic, 30, 100);
    // Ten stayed when the twenty-first came, and nine followed.
    assert_eq!(media(&last), 19);
    assert!(
        last.body.len() < 19 * 41_000 + 60_000,
        "{}",
        last.body.len()
    );
    assert!(
        last.body
            .contains("bytes were removed here to free context")
    );
}

#[test]
fn large_pictures_leave_before_they_are_many() {
    let last = last_of_reading(Wire::OpenAi, 14, 560);
    // Each has 1,255,000 bytes of base64. Ten of them are as much as a request may have, and half of that are five.
    assert_eq!(media(&last), 8);
    assert!(last.body.len() < 12 * 1024 * 1024, "{}", last.body.len());
}
