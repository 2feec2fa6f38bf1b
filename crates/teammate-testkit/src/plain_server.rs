//! A server of this machine that is no model's.

use std::{
    io::{self, Read as _, Write as _},
    net::TcpListener,
    thread,
};

/// Starts a server that answers every request with the line `hello`, as long as the process lives; its port on 127.0.0.1.
///
/// # Errors
///
/// No port can be had.
pub fn serve_hello() -> io::Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // A client that has gone is no error.
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\nhello\n");
        }
    });
    Ok(port)
}
