//! `writhe view`: the page of a run, and the server that follows one.

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use common::{CANTILEVER_LONG, CANTILEVER_SHORT, FLAGELLA_SHORT, PROGRAM, Place, with};
use glam::DVec3;
use writhe::fluid::Rods;
use writhe_rundir::{Frame, RunDirectory, RunLayout, RunReader};
use writhe_scenes::Scene;

/// The numbers of an array of a block, by name.
fn array<const N: usize>(block: &[u8], name: &str) -> Vec<[u8; N]> {
    let (header, start) = header(block);
    let place = &header["arrays"][name];
    let number = |i: usize| usize::try_from(place[i].as_u64().unwrap()).unwrap();
    let first = start + number(1);
    let bytes = &block[first..first + N * number(2)];
    bytes.as_chunks().0.to_vec()
}

/// An array of a block that is kept as codes, by name: by frame, item and part.
fn codes(block: &[u8], name: &str) -> Vec<i32> {
    let (header, start) = header(block);
    let place = &header["coded"][name];
    let number = |i: usize| usize::try_from(place[i].as_u64().unwrap()).unwrap();
    let [at, count, items, parts, planes] = [0, 1, 2, 3, 4].map(number);
    let bytes = &block[start + at..];
    let row = items * parts;
    let mut codes: Vec<i32> = Vec::new();
    for i in 0..count {
        let plane = |p: usize| u32::from(bytes[p * count + i]) << (8 * p);
        let rest = (0..planes).map(plane).sum::<u32>();
        let rest = (rest >> 1) as i32 ^ -((rest & 1) as i32);
        let along = i % row >= parts;
        let before = |back: usize| codes[i - back];
        let guess = match (i >= row, along) {
            (false, false) => 0,
            (false, true) => before(parts),
            (true, false) => before(row),
            (true, true) => before(parts)
                .wrapping_add(before(row))
                .wrapping_sub(before(row + parts)),
        };
        codes.push(rest.wrapping_add(guess));
    }
    codes
}

/// Positions in a block, m, `(frames, nodes, 3)`.
fn positions(block: &[u8]) -> Vec<f64> {
    let (header, _) = header(block);
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let all = codes(block, "positions").into_iter().enumerate();
    all.map(|(i, code)| {
        number(&header["origin"][i % 3]) + number(&header["quantum"]) * f64::from(code)
    })
    .collect()
}

/// Numbers of single precision in a block.
fn floats(block: &[u8], name: &str) -> Vec<f32> {
    let bits = |code: i32| if code < 0 { code ^ i32::MAX } else { code };
    let all = codes(block, name).into_iter();
    all.map(|code| f32::from_bits(bits(code) as u32)).collect()
}

fn header(block: &[u8]) -> (serde_json::Value, usize) {
    let length = u32::from_le_bytes(block[..4].try_into().unwrap()) as usize;
    let header = serde_json::from_slice(&block[4..4 + length]).unwrap();
    (header, (4 + length).next_multiple_of(8))
}

/// What stands between two texts of a page.
fn between<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = page.split_once(start).unwrap();
    rest.split_once(end).unwrap().0
}

/// Bytes of a base64 text.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for group in text.as_bytes().chunks(4) {
        let kept = group.iter().filter(|c| **c != b'=').count() - 1;
        let bits = group.iter().fold(0, |bits: u32, c| {
            bits << 6 | if *c == b'=' { 0 } else { u32::from(digit(*c)) }
        });
        bytes.extend_from_slice(&bits.to_be_bytes()[1..1 + kept]);
    }
    bytes
}

/// The block in a page.
fn block_of(page: &str) -> Vec<u8> {
    let packed = decoded(between(page, "id=\"block\">", "</script>"));
    let mut block = Vec::new();
    let mut stream = flate2::read::ZlibDecoder::new(packed.as_slice());
    stream.read_to_end(&mut block).unwrap();
    block
}

fn with_run() -> Place {
    let place = Place::with_scene("cantilever");
    place.succeeds(&with(&["run", "my.toml", "--out", "run"], CANTILEVER_SHORT));
    place
}

#[test]
fn the_page_holds_the_run() {
    let place = with_run();
    let told = place.succeeds(&["view", "run", "--no-open"]);
    assert!(told.contains("Wrote 11 frames to run/view.html"), "{told}");
    let page = place.read("run/view.html");
    let reader = RunReader::open(place.path("run")).unwrap();

    let setting = between(&page, "id=\"setting\">", "</script>");
    let setting: serde_json::Value = serde_json::from_str(setting).unwrap();
    assert_eq!(setting["rods"][0]["nodes"], 21);
    let clamp = &setting["fixtures"][0];
    assert_eq!(clamp["nodes"], serde_json::json!([0, 1]));
    assert_eq!(clamp["collar"]["part"], 1.0);
    assert_eq!(
        setting["columns"].as_array().unwrap().len(),
        reader.layout().observables.len()
    );
    assert!(
        setting["up"][2].as_f64().unwrap() > 9.0,
        "gravity says what is up"
    );
    let sections = setting["parameters"].as_array().unwrap();
    let time = sections.iter().find(|s| s["name"] == "time").unwrap();
    assert!(
        time["entries"].to_string().contains("[\"step\",\"0.001\"]"),
        "{time}"
    );

    let block = block_of(&page);
    let positions = positions(&block);
    let radius = reader.layout().radius[0];
    for frame in 0..11 {
        let written = reader.positions(frame).unwrap();
        for (i, x) in written.iter().flatten().enumerate() {
            let error = (positions[frame * 63 + i] - x).abs();
            // Half a step, and what single precision leaves.
            let most = radius / 512.0 + 1e-7 * x.abs();
            assert!(error <= most, "frame {frame}, number {i}: {error:e} m");
        }
    }
    let times = array::<8>(&block, "times")
        .into_iter()
        .map(f64::from_le_bytes);
    assert_eq!(times.collect::<Vec<_>>(), reader.times().unwrap());
    // It bends most at the clamp: that is the vertex after the two clamped nodes.
    let (header, _) = header(&block);
    let codes = codes(&block, "field0");
    let last = &codes[10 * 21..];
    assert_eq!(last.iter().max(), last.get(1), "{last:?}");
    let scale = |key: &str| header["scales"][0][key].as_f64().unwrap();
    let most = scale("least") * (f64::from(*last.iter().max().unwrap()) / scale("steps")).sinh();
    let positions = reader.positions(10).unwrap();
    let [a, b] = [0, 1].map(|i| DVec3::from(positions[i + 1]) - DVec3::from(positions[i]));
    // What turns over the length between the middles of two edges.
    let curvature = a.angle_between(b) / (0.5 * (a.length() + b.length()));
    assert!((most / curvature - 1.0).abs() < 2e-3, "{most} {curvature}");
}

#[test]
fn bodies_and_joints_are_in_the_page_where_they_are() {
    let place = Place::new();
    place.write("my.toml", include_str!("../../../examples/motor-arm.toml"));
    place.succeeds(&["run", "my.toml", "--out", "run", "--duration", "0.1"]);
    place.succeeds(&["view", "run", "--no-open"]);
    let page = place.read("run/view.html");
    let setting = between(&page, "id=\"setting\">", "</script>");
    let setting: serde_json::Value = serde_json::from_str(setting).unwrap();
    let kinds = |list: &str, of: &dyn Fn(&serde_json::Value) -> serde_json::Value| {
        let all = setting[list].as_array().unwrap();
        all.iter().map(of).collect::<Vec<_>>()
    };
    let shapes = kinds("obstacles", &|o| o["shape"]["kind"].clone());
    assert_eq!(shapes, ["cylinder", "box", "sphere"]);
    assert!(
        kinds("obstacles", &|o| o["body"].clone())
            .iter()
            .all(|b| *b == true)
    );
    // What is round has a pin. The mark of the ball joint is a ball; the axis of the motor is the
    // longest side of its mark, and along z.
    let corners = |index: &serde_json::Value| -> Vec<DVec3> {
        let mesh = &setting["meshes"][usize::try_from(index.as_u64().unwrap()).unwrap()];
        serde_json::from_value(mesh["vertices"].clone()).unwrap()
    };
    let pins = kinds("obstacles", &|o| o["pin"].is_u64().into());
    assert_eq!(pins, [true, false, true]);
    let marks = kinds("joints", &|j| j["mesh"].clone());
    let ball = corners(&marks[1]);
    let (near, far) = ball.iter().fold((f64::MAX, 0.0_f64), |(a, b), v| {
        (a.min(v.length()), b.max(v.length()))
    });
    assert!(far > 0.0 && far - near < 1e-6 * far, "{near} {far}");
    let high = corners(&marks[0]).into_iter().reduce(DVec3::max).unwrap();
    assert!(high.z > high.x.max(high.y), "{high}");
    assert_eq!(kinds("joints", &|j| j["pose"].clone()), [0, 1]);
    assert_eq!(setting["poses"], 3);
    // The ball joint is 4 cm from the weight's centre.
    let at = setting["joints"][1]["at"][0].as_f64().unwrap();
    assert!((at - 0.04).abs() < 1e-12, "{at}");

    let block = block_of(&page);
    let poses = floats(&block, "poses");
    let reader = RunReader::open(place.path("run")).unwrap();
    assert_eq!((reader.frames(), poses.len()), (6, 6 * 3 * 7));
    for (frame, poses) in poses.chunks_exact(21).enumerate() {
        let bodies = reader.bodies(frame).unwrap();
        let wanted = bodies.iter().flat_map(|(x, turn)| turn.iter().chain(x));
        let wanted: Vec<f32> = wanted.map(|x| *x as f32).collect();
        assert_eq!(poses, wanted, "frame {frame}");
    }
    // In 0.1 s the motor turns by 36 degrees.
    let turn = 2.0 * poses[5 * 21 + 2].asin();
    assert!((turn - 0.2 * std::f32::consts::PI).abs() < 1e-4, "{turn}");
}

/// Setting and block of the page of a run.
fn page_of(place: &Place, page: &str) -> (serde_json::Value, Vec<u8>) {
    let page = place.read(page);
    let setting = between(&page, "id=\"setting\">", "</script>");
    let block = block_of(&page);
    (serde_json::from_str(setting).unwrap(), block)
}

#[test]
fn the_flow_in_the_page_is_that_of_the_core() {
    let place = Place::with_scene("flagella");
    let short = &FLAGELLA_SHORT[1..];
    let few = ["--duration", "0.06", "--set", "output.every=0.02"];
    let run = [&["run", "my.toml", "--out", "run"][..], &few[..]].concat();
    place.succeeds(&with(&run, &short[..1]));
    place.succeeds(&["view", "run", "--no-open"]);
    let (setting, block) = page_of(&place, "run/view.html");
    let reader = RunReader::open(place.path("run")).unwrap();
    let scene = Scene::parse(reader.scene_toml(), "scene.toml").unwrap();
    let model = scene.build().unwrap().model;
    let medium = &model.fluid.as_ref().unwrap().medium;
    let rods = Rods {
        topology: &model.topology,
        radius: &model.radius,
    };
    let vectors = |all: Vec<[f64; 3]>| all.into_iter().map(DVec3::from).collect::<Vec<_>>();
    let frame = 3;
    let positions = vectors(reader.positions(frame).unwrap());
    let forces = vectors(reader.hydrodynamic_forces(frame).unwrap().unwrap());
    let on_fluid: Vec<DVec3> = forces.iter().map(|f| -*f).collect();

    // At a node the fluid moves with it: velocities and forces that the run holds belong together.
    let velocities = vectors(reader.velocities(frame).unwrap().unwrap());
    let fastest = velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
    assert!(fastest > 1e-2, "the helices turn: {fastest} m/s");
    let found = medium
        .velocity_at(rods, &positions, &on_fluid, &positions)
        .unwrap();
    for (found, velocity) in found.iter().zip(&velocities) {
        let error = (*found - *velocity).length() / fastest;
        assert!(error < 1e-5, "{error:e}");
    }

    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let planes = setting["planes"].as_array().unwrap();
    let points = planes.iter().flat_map(|plane| {
        let counts = [0, 1].map(|k| plane["counts"][k].as_u64().unwrap() as usize);
        let normal = plane["normal"].as_u64().unwrap() as usize;
        (0..counts[0] * counts[1]).map(move |i| {
            let mut x = [number(&plane["at"]); 3];
            for (k, step) in [i % counts[0], i / counts[0]].into_iter().enumerate() {
                let along = number(&plane["spacing"]) * step as f64;
                x[(normal + 1 + k) % 3] = number(&plane["low"][k]) + along;
            }
            DVec3::from(x)
        })
    });
    let points: Vec<DVec3> = points.collect();
    assert_eq!(planes.len(), 15);
    let wanted = medium
        .velocity_at(rods, &positions, &on_fluid, &points)
        .unwrap();
    let frames = array::<4>(&block, "flowFrames").into_iter();
    assert_eq!(
        frames.map(u32::from_le_bytes).collect::<Vec<_>>(),
        [0, 1, 2, 3]
    );
    let scale = f64::from(f32::from_le_bytes(array::<4>(&block, "flowScales")[frame]));
    let velocities = codes(&block, "flow");
    let codes: Vec<f64> = velocities.into_iter().map(f64::from).collect();
    assert_eq!(codes.len(), 4 * 3 * points.len());
    let shown = codes[3 * 3 * points.len()..].chunks_exact(3);
    for (shown, wanted) in shown.zip(&wanted) {
        let shown = DVec3::from_slice(shown) * scale;
        assert!((shown - *wanted).abs().max_element() < 0.51 * scale);
    }
    assert!(scale * 32767.0 > 0.1 * fastest);

    place.succeeds(&["view", "run", "--no-open", "--no-flow"]);
    let (setting, block) = page_of(&place, "run/view.html");
    assert!(setting["planes"].as_array().unwrap().is_empty());
    assert!(self::codes(&block, "flow").is_empty() && setting["notice"].is_null());
}

#[test]
fn a_flow_whose_forces_were_not_recorded_is_told() {
    let place = Place::with_scene("flagella");
    let scene = Scene::parse(&place.read("my.toml"), "my.toml").unwrap();
    let setup = scene.build().unwrap();
    let layout = RunLayout {
        extra: Vec::new(),
        ..RunLayout::of(&setup.model, Vec::new())
    };
    let arrays = |all: Vec<DVec3>| all.iter().map(DVec3::to_array).collect::<Vec<_>>();
    let mut run = RunDirectory::create(place.path("old"), &layout, &scene.resolved().unwrap());
    let run = run.as_mut().unwrap();
    let frame = Frame {
        time: 0.0,
        positions: &arrays(setup.model.positions(&setup.state)),
        directors: &arrays(setup.model.directors(&setup.state)),
        extra: &[],
        contacts: &[],
    };
    run.append(&frame, &[]).unwrap();
    run.checkpoint(&()).unwrap();
    let told = place.succeeds(&["view", "old", "--no-open"]);
    assert!(
        told.contains("did not keep the force of the fluid"),
        "{told}"
    );
    let (setting, _) = page_of(&place, "old/view.html");
    let notice = setting["notice"].as_str().unwrap();
    assert!(notice.contains("The flow cannot be shown"), "{notice}");
}

#[test]
fn a_long_run_is_thinned_to_the_size_asked_for() {
    let place = with_run();
    let whole = place.succeeds(&["view", "run", "--no-open"]);
    assert!(whole.contains("Wrote 11 frames") && !whole.contains("Every"));
    let size = |page: &str| place.read(page).len();
    let (_, all) = page_of(&place, "run/view.html");
    let bytes = size("run/view.html");
    // The smallest page has two frames and all of the curves; in between are others.
    let told = place.fails(2, &["view", "run", "--no-open", "--megabytes", "0.3"]);
    assert!(
        told.contains("as small as 0.3 MB") && told.contains("2 frames take"),
        "{told}"
    );
    assert!(told.contains("--megabytes 0."), "{told}");
    let mut pages = Vec::new();
    for less in (0..4000).step_by(200) {
        let most = (bytes - less) as f64 / 1e6;
        let megabytes = format!("{most:.6}");
        let args = ["view", "run", "--no-open", "--out", "thin.html"];
        let args = [&args[..], &["--megabytes", &megabytes]].concat();
        if place.command(&args).output().unwrap().status.success() {
            assert!(size("thin.html") <= bytes - less, "{less}");
            pages.push(page_of(&place, "thin.html"));
        }
    }
    let reader = RunReader::open(place.path("run")).unwrap();
    let times = reader.times().unwrap();
    let numbers = |block: &[u8], name: &str| {
        let all = array::<8>(block, name).into_iter();
        all.map(f64::from_le_bytes).collect::<Vec<_>>()
    };
    let mut counts: Vec<usize> = Vec::new();
    for (setting, block) in &pages {
        let shown = numbers(block, "times");
        let stride = (times.iter().position(|t| shown[1] == *t)).unwrap();
        // The last frame is kept whatever the stride.
        let wanted = (0..11).filter(|i| i % stride == 0 || *i == 10);
        let wanted: Vec<usize> = wanted.collect();
        let of = |i: &usize| times[*i];
        assert_eq!(shown, wanted.iter().map(of).collect::<Vec<_>>());
        assert_eq!(numbers(block, "curveTimes"), times);
        assert_eq!(codes(block, "curves"), codes(&all, "curves"));
        let positions = positions(block);
        for (shown, frame) in wanted.iter().enumerate() {
            let tip = reader.positions(*frame).unwrap()[20];
            assert!((positions[63 * shown + 62] - tip[2]).abs() < 1e-5);
        }
        let notice = setting["notice"].as_str();
        match stride {
            1 => assert_eq!(notice, None),
            2 => assert!(notice.unwrap().starts_with("Every second frame is shown")),
            _ => assert!(notice.unwrap().starts_with("Every ")),
        }
        counts.push(shown.len());
    }
    assert!(
        counts.is_sorted_by(|a, b| a >= b) && counts.len() > 3,
        "{counts:?}"
    );
    assert!(counts[0] > 4 && counts.iter().any(|c| *c < 7), "{counts:?}");
    let told = place.fails(2, &["view", "run", "--no-open", "--megabytes", "0"]);
    assert!(told.contains("a number above 0"), "{told}");
}

#[test]
fn a_page_opens_with_what_is_asked_for() {
    let place = with_run();
    let address = "file:///some/where.html#t=0.02&colour=twist";
    place.succeeds(&["view", "run", "--no-open", "--look", address, "--play"]);
    let (setting, _) = page_of(&place, "run/view.html");
    assert_eq!(setting["opens"], "t=0.02&colour=twist&play=1");
    place.succeeds(&["view", "run", "--no-open"]);
    let (setting, _) = page_of(&place, "run/view.html");
    assert!(setting["opens"].is_null());
    let told = place.fails(2, &["view", "run", "--no-open", "--look", "t=1&colour=foo"]);
    assert!(
        told.contains("has no colour `foo`") && told.contains("curvature"),
        "{told}"
    );
    // A time that the run does not reach.
    let told = place.fails(2, &["view", "run", "--no-open", "--look", "t=99"]);
    assert!(
        told.contains("there is no frame at t = 99 s: frames go from 0 to")
            && told.contains("help: choose a time in this range"),
        "{told}"
    );
    let told = place.fails(2, &["view", "run", "--no-open", "--look", "t=soon"]);
    assert!(told.contains("`t=soon` is no number"), "{told}");
    let told = place.fails(2, &["view", "run", "--no-open", "--look", "color=twist"]);
    assert!(
        told.contains("`color=twist` is no part of a link") && told.contains("key L"),
        "{told}"
    );
}

#[test]
fn a_joint_that_has_let_go_is_not_shown() {
    let arm = include_str!("../../../examples/motor-arm.toml");
    let place = Place::new();
    // The tail weighs .1 N.
    let weak = arm.replace(
        "at = [\"36 cm\", 0, 0]",
        "at = [\"36 cm\", 0, 0]\nstrength = \"1 mN\"",
    );
    assert_ne!(weak, arm);
    place.write("my.toml", &weak);
    place.succeeds(&["run", "my.toml", "--out", "run", "--duration", "0.04"]);
    place.succeeds(&["view", "run", "--no-open"]);
    let (_, block) = page_of(&place, "run/view.html");
    let holding = array::<1>(&block, "holding");
    // The motor and the ball, in three frames.
    let wanted = [[1, 1], [1, 0], [1, 0]].concat();
    assert_eq!(holding.concat(), wanted);
    let reader = RunReader::open(place.path("run")).unwrap();
    assert_eq!(reader.broken_joints(2).unwrap(), [false, true]);
    assert_eq!(reader.observable("joints_broken").unwrap().values[2], 1.0);
}

#[test]
fn what_cannot_be_shown_is_told() {
    let place = with_run();
    let told = place.fails(2, &["view", "nowhere", "--no-open"]);
    assert!(told.contains("nowhere"), "{told}");
    let told = place.fails(2, &["view", "run", "--no-open", "--out", "run/scene.toml"]);
    assert!(told.contains("would replace files of the run"), "{told}");
    assert!(place.read("run/scene.toml").contains("[scene]"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let told = place.fails(2, &["view", "run", "--serve", "--no-open", "--port", &port]);
    assert!(
        told.contains(&port) && told.contains("another port"),
        "{told}"
    );
}

/// A program that serves, ended with its test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(place: &Place, args: &[&str]) -> Self {
        Self::of(&mut place.command(args))
    }

    fn of(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines
            .find_map(|line| {
                let line = line.unwrap();
                let (_, rest) = line.split_once("http://")?;
                Some(rest.split('/').next()?.to_owned())
            })
            .unwrap();
        // Whatever else it says must find a reader.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    fn get(&self, path: &str, host: &str) -> (String, Vec<u8>) {
        self.ask("GET", path, host)
    }

    fn ask(&self, method: &str, path: &str, host: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        (head, answer[end + 4..].to_vec())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_server_gives_the_page_and_the_frames_asked_for() {
    let place = with_run();
    let server = Server::start(&place, &["view", "run", "--serve", "--no-open"]);
    let host = server.address.clone();
    let (head, page) = server.get("/", &host);
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains("\"live\":true") && !page.contains("id=\"block\""));
    let (_, block) = server.get("/block?from=8", &host);
    let (header, _) = header(&block);
    assert_eq!(
        (&header["frames"], &header["next"]),
        (&3.into(), &11.into())
    );
    assert_eq!(header["ended"], "finished");
    // Whoever looks whether there is a page gets its head, and nothing depends on a query.
    let (of_head, body) = server.ask("HEAD", "/", &host);
    assert_eq!((of_head.as_str(), body.len()), (head.as_str(), 0));
    let (of_query, _) = server.get("/?x=1", &host);
    assert_eq!(of_query, head);
    assert!(
        server
            .get("/scene.toml", &host)
            .0
            .starts_with("HTTP/1.1 404")
    );
    assert!(
        server
            .get("/", "elsewhere.example")
            .0
            .starts_with("HTTP/1.1 403")
    );
}

/// Connections on which nothing comes cost no thread each, and do not keep the page from those that
/// ask for it.
#[test]
#[cfg(target_os = "linux")]
fn silent_connections_neither_end_nor_block_the_server() {
    let place = with_run();
    let limited = format!("ulimit -v 1000000; exec '{PROGRAM}' view run --serve --no-open");
    let mut shell = Command::new("sh");
    shell.args(["-c", &limited]).current_dir(place.path(""));
    let server = Server::of(shell.stdin(Stdio::null()));
    let host = server.address.clone();
    let silent: Vec<TcpStream> = (0..200)
        .map(|_| TcpStream::connect(&host).unwrap())
        .collect();
    for half in silent.iter().take(50) {
        (&mut &*half).write_all(b"GET / HTTP/1.1\r\nHost").unwrap();
    }
    for _ in 0..5 {
        let (head, _) = server.get("/block?from=8", &host);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    }
    let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let threads = status
        .lines()
        .find_map(|line| line.strip_prefix("Threads:"));
    let threads: usize = threads.unwrap().trim().parse().unwrap();
    let processors = std::thread::available_parallelism().unwrap().get();
    assert!(threads <= 6 + processors, "{threads} threads");
}

#[test]
fn a_run_can_be_watched() {
    let place = Place::with_scene("cantilever");
    let live = ["run", "my.toml", "--out", "run", "--live", "--no-open"];
    let server = Server::start(&place, &with(&live, CANTILEVER_LONG));
    let host = server.address.clone();
    let mut next = 0;
    let ended = loop {
        let (head, block) = server.get(&format!("/block?from={next}"), &host);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        let (header, _) = header(&block);
        let newest = header["next"].as_u64().unwrap();
        assert_eq!(
            header["frames"],
            newest - next,
            "no frame is left out or comes twice"
        );
        next = newest;
        if let Some(ended) = header["ended"].as_str() {
            break ended.to_owned();
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    };
    assert_eq!((ended.as_str(), next), ("finished", 801));
}

#[test]
fn the_program_of_the_page_needs_no_other_tool() {
    let help = Command::new(PROGRAM)
        .args(["view", "--help"])
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(
        help.contains("--serve") && help.contains("--no-open"),
        "{help}"
    );
    let bundle = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../writhe-viewer/bundle/viewer.js"
    );
    assert!(fs::metadata(bundle).unwrap().len() < 1_000_000);
}
