//! A page that follows a run: an HTTP server for this computer alone.
//!
//! It answers `GET /` with the page, and `GET /block?from=N` with the frames recorded from N on,
//! however the run is being written: a reader sees only what is whole on the disk. Who asks by `HEAD`
//! gets the same without the body.
//!
//! One thread takes connections and reads requests; a browser opens connections in advance and says
//! nothing on them, so none may wait for another, and none costs a thread before its request is
//! whole. At most `MOST_ANSWERS` are answered at a time.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use writhe_show::page::{Movie, Wanted};

use crate::report::{Failure, Result};

/// A request that takes longer is given up, and so is an answer of which nothing is taken for so
/// long.
const PATIENCE: Duration = Duration::from_secs(10);
/// An answer that takes longer is given up.
const LONGEST_ANSWER: Duration = Duration::from_secs(120);
/// A longer request is none of ours, bytes.
const LONGEST_REQUEST: usize = 16 << 10;
/// Connections whose request is not whole yet; of more, the oldest are closed.
const MOST_WAITING: usize = 64;
/// Requests that are answered at a time.
const MOST_ANSWERS: usize = 4;
/// An answer is written in parts of so many bytes.
const WRITTEN: usize = 1 << 16;
/// Time between two looks at what waits.
const LOOK: Duration = Duration::from_millis(5);
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
        let answering = Arc::new(AtomicUsize::new(0));
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            self.accept(&mut waiting);
            waiting.retain_mut(|connection| connection.listen());
            for index in (0..waiting.len()).rev() {
                if waiting[index].is_whole() && answering.load(Ordering::Acquire) < MOST_ANSWERS {
                    self.answer(waiting.remove(index), &answering);
                }
            }
        }
    }

    /// Takes new connections; waits for one where nothing else is to do.
    fn accept(&self, waiting: &mut Vec<Waiting>) {
        let idle = waiting.is_empty();
        // Where the mode cannot be set, the pause below keeps the processor cool.
        let _ = self.listener.set_nonblocking(!idle);
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => waiting.extend(Waiting::new(stream)),
                Err(_) => {
                    // Nobody is there, or there are too many open files.
                    thread::sleep(LOOK);
                    break;
                }
            }
            if idle || waiting.len() > 2 * MOST_WAITING {
                break;
            }
        }
        let too_many = waiting.len().saturating_sub(MOST_WAITING);
        waiting.drain(..too_many);
    }

    fn answer(&self, request: Waiting, answering: &Arc<AtomicUsize>) {
        let (directory, told) = (self.directory.clone(), Arc::clone(&self.end_told));
        let (address, busy) = (self.address, Arc::clone(answering));
        busy.fetch_add(1, Ordering::AcqRel);
        let work = move || {
            // A page that went away is no failure.
            let _ = answer(request, address, &directory, &told);
            busy.fetch_sub(1, Ordering::AcqRel);
        };
        // Without memory for a thread the connection is closed: the page asks again.
        if thread::Builder::new().spawn(work).is_err() {
            answering.fetch_sub(1, Ordering::AcqRel);
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

/// A connection whose request is being read.
struct Waiting {
    stream: TcpStream,
    head: Vec<u8>,
    since: Instant,
}

impl Waiting {
    fn new(stream: TcpStream) -> Option<Self> {
        stream.set_nonblocking(true).ok()?;
        Some(Self {
            stream,
            head: Vec::new(),
            since: Instant::now(),
        })
    }

    /// Reads what has come; whether the connection is worth keeping.
    fn listen(&mut self) -> bool {
        let mut bytes = [0; 4096];
        while !self.is_whole() {
            match self.stream.read(&mut bytes) {
                Ok(0) => return false,
                Ok(count) => self.head.extend(&bytes[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return false,
            }
            if self.head.len() > LONGEST_REQUEST {
                return false;
            }
        }
        self.is_whole() || self.since.elapsed() < PATIENCE
    }

    /// Whether the empty line that ends a request has come.
    fn is_whole(&self) -> bool {
        let ends = |end: &[u8]| self.head.windows(end.len()).any(|part| part == end);
        ends(b"\r\n\r\n") || ends(b"\n\n")
    }
}

fn answer(
    Waiting { stream, head, .. }: Waiting,
    address: SocketAddr,
    directory: &Path,
    told: &AtomicBool,
) -> std::io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = String::from_utf8_lossy(&head);
    let mut lines = head.lines();
    let first = lines.next().unwrap_or_default();
    let wants_body = !first.starts_with("HEAD ");
    let host = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("host"))
        .map_or("", |(_, value)| value.trim());
    let mut tells_end = false;
    let answer = match request(first, host, address) {
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
    write(&stream, &answer, wants_body)?;
    if tells_end && wants_body {
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
    let (Some("GET" | "HEAD"), Some(target)) = (words.next(), words.next()) else {
        return Request::Unknown;
    };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    match path {
        // A query is for the program in the page, if for anyone.
        "/" | "/index.html" => Request::Page,
        "/block" => query
            .strip_prefix("from=")
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

/// Writes the answer, whose head is the same with its body and without.
fn write(mut connection: &TcpStream, answer: &Answer, wants_body: bool) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        answer.status,
        answer.kind,
        answer.body.len()
    );
    let body: &[u8] = match wants_body {
        true => &answer.body,
        false => &[],
    };
    let start = Instant::now();
    for part in head.as_bytes().chunks(WRITTEN).chain(body.chunks(WRITTEN)) {
        if start.elapsed() > LONGEST_ANSWER {
            return Err(ErrorKind::TimedOut.into());
        }
        connection.write_all(part)?;
    }
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
        assert_eq!(of("GET /?x=1 HTTP/1.1"), Request::Page);
        assert_eq!(of("HEAD / HTTP/1.1"), Request::Page);
        assert_eq!(
            of("HEAD /block?from=3 HTTP/1.1"),
            Request::Block { from: 3 }
        );
        assert_eq!(of("GET /block HTTP/1.1"), Request::Unknown);
        assert_eq!(of("GET /other?x=1 HTTP/1.1"), Request::Unknown);
        assert_eq!(of(""), Request::Unknown);
        assert_eq!(
            request("GET / HTTP/1.1", "evil.example:8000", address),
            Request::Foreign
        );
    }
}
