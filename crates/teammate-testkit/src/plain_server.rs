//! A server of this machine that is no model's.

use std::{
    io::{self, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    thread,
};

/// Starts a server that answers every request with the line `hello`, as long as the process lives; its port on 127.0.0.1.
///
/// # Errors
///
/// No port can be had.
pub fn serve_hello() -> io::Result<u16> {
    serve_answers(|_| b"HTTP/1.0 200 OK\r\nContent-Length: 6\r\n\r\nhello\n".to_vec())
}

/// Starts a server that answers every request, whose text the function is given, with these bytes; its port on 127.0.0.1.
///
/// # Errors
///
/// No port can be had.
pub fn serve_answers(answer: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> io::Result<u16> {
    serve_streams(move |request, mut stream| {
        // A client that has gone is no error.
        let _ = stream.write_all(&answer(request));
    })
}

/// The same, where the function answers on the connection itself, each in a thread.
///
/// # Errors
///
/// No port can be had.
pub fn serve_streams(serve: impl Fn(&str, TcpStream) + Send + Sync + 'static) -> io::Result<u16> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let serve = std::sync::Arc::new(serve);
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let serve = serve.clone();
            thread::spawn(move || {
                let mut request = vec![0; 16 * 1024];
                let length = stream.read(&mut request).unwrap_or_default();
                serve(&String::from_utf8_lossy(&request[..length]), stream);
            });
        }
    });
    Ok(port)
}
