//! A page that follows a run: an HTTP server for this computer alone.
//!
//! It answers `GET /` with the page, and `GET /block?from=N` with the frames recorded from N on, however the run is being written: a reader sees
//! only what is whole on the disk.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{Movie, Wanted};
use crate::report::{Failure, Result};

/// A request that takes longer is given up.
const PATIENCE: Duration = Duration::from_secs(10);
/// A longer request is none of ours, bytes.
const LONGEST_REQUEST: u64 = 16 << 10;
/// How long the end of a run waits for the page to ask for it.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// A server that has its port.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    directory: PathBuf,
    end_told: Arc<AtomicBool>,
}

/// A server at work in the background, until the process ends.
#[derive(Debug)]
pub struct Watcher {
    end_told: Arc<AtomicBool>,
}

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
enum Request {
    Page,
    Block {
        from: usize,
    },
    Unknown,
    /// By a page of another site that pretends to be ours.
    Foreign,
}

struct Answer {
    status: &'static str,
    kind: &'static str,
    body: Vec<u8>,
}

impl Server {
    /// Serves the run in `directory` on this port of 127.0.0.1, or on any.
    ///
    /// # Errors
    /// When the port is taken.
    pub fn bind(directory: &Path, port: Option<u16>) -> Result<Self> {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port.unwrap_or(0)));
        let bound = TcpListener::bind(wanted).and_then(|l| Ok((l.local_addr()?, l)));
        let (address, listener) = bound.map_err(|error| {
            Failure::bad_input(format!("cannot serve on {wanted}: {error}"))
                .help("choose another port with `--port N`, or leave it out")
        })?;
        Ok(Self {
            listener,
            address,
            directory: directory.to_path_buf(),
            end_told: Arc::default(),
        })
    }

    /// Address of the page.
    pub fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers requests for ever.
    pub fn serve(&self) {
        for connection in self.listener.incoming().flatten() {
            let (directory, told) = (self.directory.clone(), Arc::clone(&self.end_told));
            let address = self.address;
            // A browser opens connections in advance and says nothing on them: none may wait for another.
            thread::spawn(move || {
                // A page that went away is no failure.
                let _ = answer(&connection, address, &directory, &told);
            });
        }
    }

    /// Answers requests in the background.
    pub fn start(self) -> Watcher {
        let end_told = Arc::clone(&self.end_told);
        thread::spawn(move || self.serve());
        Watcher { end_told }
    }
}

impl Watcher {
    /// Waits a little for the page to hear how the run ended.
    pub fn wait_until_the_end_is_told(&self) {
        let start = Instant::now();
        while !self.end_told.load(Ordering::Relaxed) && start.elapsed() < LAST_WAIT {
            thread::sleep(Duration::from_millis(50));
        }
    }
}

fn answer(
    connection: &TcpStream,
    address: SocketAddr,
    directory: &Path,
    told: &AtomicBool,
) -> std::io::Result<()> {
    connection.set_read_timeout(Some(PATIENCE))?;
    connection.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(connection.take(LONGEST_REQUEST)).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let mut host = String::new();
    for line in lines {
        let line = line?;
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("host")
        {
            value.trim().clone_into(&mut host);
        }
    }
    let mut tells_end = false;
    let answer = match request(&first, &host, address) {
        Request::Page => Movie::open(directory, Wanted::LIVE).map(|movie| {
            let page = writhe_viewer::page(movie.setting(), None);
            found("text/html; charset=utf-8", page.into_bytes())
        }),
        Request::Block { from } => Movie::open(directory, Wanted::LIVE).and_then(|movie| {
            let block = movie.block(from)?;
            tells_end = block.ended().is_some();
            Ok(found("application/octet-stream", block.encode()))
        }),
        Request::Unknown => Ok(refused("404 Not Found", "there is nothing here")),
        Request::Foreign => Ok(refused("403 Forbidden", "this page is for 127.0.0.1 alone")),
    };
    let answer =
        answer.unwrap_or_else(|failure| refused("500 Internal Server Error", failure.message()));
    write(connection, &answer)?;
    if tells_end {
        told.store(true, Ordering::Relaxed);
    }
    Ok(())
}

/// The first line of a request, and the host that the page believes to talk to.
fn request(line: &str, host: &str, address: SocketAddr) -> Request {
    let port = address.port();
    if ![format!("127.0.0.1:{port}"), format!("localhost:{port}")].contains(&host.to_owned()) {
        return Request::Foreign;
    }
    let mut words = line.split(' ');
    match (words.next(), words.next()) {
        (Some("GET"), Some("/" | "/index.html")) => Request::Page,
        (Some("GET"), Some(path)) => path
            .strip_prefix("/block?from=")
            .and_then(|from| from.parse().ok())
            .map_or(Request::Unknown, |from| Request::Block { from }),
        _ => Request::Unknown,
    }
}

fn found(kind: &'static str, body: Vec<u8>) -> Answer {
    Answer {
        status: "200 OK",
        kind,
        body,
    }
}

fn refused(status: &'static str, message: &str) -> Answer {
    Answer {
        status,
        kind: "text/plain; charset=utf-8",
        body: message.as_bytes().to_vec(),
    }
}

fn write(mut connection: &TcpStream, answer: &Answer) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        answer.status,
        answer.kind,
        answer.body.len()
    );
    connection.write_all(head.as_bytes())?;
    connection.write_all(&answer.body)?;
    connection.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests() {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 8000));
        let of = |line: &str| request(line, "127.0.0.1:8000", address);
        assert_eq!(of("GET / HTTP/1.1"), Request::Page);
        assert_eq!(
            of("GET /block?from=12 HTTP/1.1"),
            Request::Block { from: 12 }
        );
        assert_eq!(of("GET /block?from=-1 HTTP/1.1"), Request::Unknown);
        assert_eq!(of("POST / HTTP/1.1"), Request::Unknown);
        assert_eq!(of(""), Request::Unknown);
        assert_eq!(
            request("GET / HTTP/1.1", "evil.example:8000", address),
            Request::Foreign
        );
    }
}
