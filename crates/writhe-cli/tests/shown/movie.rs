//! Movies and transparent pictures, decoded again.

use crate::common;
use std::fs::{self, File};
use std::io::BufReader;

use common::{CANTILEVER_SHORT as SHORT, Place, with};

/// Red, green, blue, alpha of a picture, and its width and height.
struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 4]>,
}

impl Picture {
    fn read(place: &Place, file: &str) -> Self {
        let file = BufReader::new(File::open(place.path(file)).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgba);
        let pixels = bytes.chunks_exact(4).map(|p| p.try_into().unwrap());
        Self {
            width: info.width as usize,
            height: info.height as usize,
            pixels: pixels.collect(),
        }
    }

    /// A square of pixels at each corner.
    fn corners(&self, side: usize) -> Vec<[u8; 4]> {
        let near = |i: usize, size: usize| i < side || i >= size - side;
        let inside =
            |i: &usize| near(i % self.width, self.width) && near(i / self.width, self.height);
        let indices = (0..self.pixels.len()).filter(inside);
        indices.map(|i| self.pixels[i]).collect()
    }
}

fn cantilever() -> Place {
    let place = Place::with_scene("cantilever");
    place.succeeds(&with(&["run", "my.toml", "--out", "r"], SHORT));
    place
}

#[test]
fn a_gif_has_its_frames_and_delays() {
    let place = cantilever();
    let command = "render r --movie m/fall.gif --frames 6 --fps 30 --size 120x90";
    let printed = place.succeeds(&command.split(' ').collect::<Vec<_>>());
    assert!(printed.contains("6 of 11 frames, 120 x 90"), "{printed}");
    let file = File::open(place.path("m/fall.gif")).unwrap();
    let mut decoder = gif::DecodeOptions::new().read_info(file).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (120, 90));
    let mut delays = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        delays.push(frame.delay);
    }
    // Ends at 3.33, 6.67, 10, 13.33, 16.67 and 20 hundredths of a second.
    assert_eq!(delays, [3, 4, 3, 3, 4, 3]);
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
}

#[test]
fn frames_are_numbered_even_and_ready_for_ffmpeg() {
    let place = cantilever();
    let printed = place.succeeds(&["render", "r", "--movie", "frames", "--every", "2"]);
    assert!(
        printed.contains(
            "Join them: ffmpeg -framerate 25 -i frames/frame-%05d.png -c:v libx264 -pix_fmt yuv420p"
        ),
        "{printed}"
    );
    let mut names: Vec<_> = fs::read_dir(place.path("frames"))
        .unwrap()
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected: Vec<_> = (0..6).map(|i| format!("frame-{i:05}.png")).collect();
    assert_eq!(names, expected);
    let frames: Vec<_> = names
        .iter()
        .map(|name| Picture::read(&place, &format!("frames/{name}")))
        .collect();
    let first = &frames[0];
    assert!(first.width % 2 == 0 && first.height % 2 == 0);
    for frame in &frames[1..] {
        assert_eq!((frame.width, frame.height), (first.width, first.height));
        assert!(frame.pixels != first.pixels);
    }
    let errors = place.fails(2, &["render", "r", "--movie", "frames", "--frames", "5"]);
    assert!(
        errors.contains("longer movie") && errors.contains("--movie"),
        "{errors}"
    );
    // As many again is no problem.
    place.succeeds(&["render", "r", "--movie", "frames", "--frames", "6"]);
}

#[test]
fn what_stands_still_does_not_move() {
    let place = Place::with_scene("slope");
    let sets = ["time.duration=0.4", "output.every=0.1"];
    place.succeeds(&with(&["run", "my.toml", "--out", "r"], &sets));
    let command = "render r --movie frames --size 320x240 --no-shadow --no-legend";
    place.succeeds(&command.split(' ').collect::<Vec<_>>());
    let frame = |i: usize| Picture::read(&place, &format!("frames/frame-{i:05}.png"));
    let (first, last) = (frame(0), frame(4));
    assert!(first.pixels != last.pixels, "the rods slide");
    // The grid of the slope: lines and what is between them.
    let corners = first.corners(20);
    assert!(corners.iter().any(|pixel| *pixel != corners[0]));
    for i in 1..5 {
        assert!(frame(i).corners(20) == corners, "frame {i} jitters");
    }
}

#[test]
fn transparent_pictures_have_nothing_around_the_rods() {
    let place = cantilever();
    for command in [
        "render r --times 0.05 --out still.png",
        "render r --count 2 --out sheet.png",
        "render r --movie frames --frames 1",
    ] {
        let words: Vec<_> = command.split(' ').chain(["--transparent"]).collect();
        place.succeeds(&words);
    }
    for file in ["still.png", "sheet.png", "frames/frame-00000.png"] {
        let picture = Picture::read(&place, file);
        assert!(picture.corners(8).iter().all(|p| p[3] == 0), "{file}");
        let opaque = picture.pixels.iter().filter(|p| p[3] == 255).count();
        assert!(opaque > 100, "{file}: {opaque}");
    }
    // Straight alpha: the outline of a blue rod is as blue where it covers little of a pixel as
    // where it covers most of it.
    let still = Picture::read(&place, "still.png");
    let blue = |least: u8, most: u8| {
        let outline = still
            .pixels
            .iter()
            .filter(|p| (least..=most).contains(&p[3]));
        let (count, sum) = outline.fold((0.0, 0.0), |(n, sum), p| (n + 1.0, sum + f64::from(p[2])));
        assert!(count > 20.0, "{count}");
        sum / count
    };
    let (little, most) = (blue(40, 110), blue(170, 230));
    assert!(little > 0.75 * most, "{little} and {most}");
    let gif = "render r --movie t.gif --frames 2 --transparent";
    place.succeeds(&gif.split(' ').collect::<Vec<_>>());
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options
        .read_info(File::open(place.path("t.gif")).unwrap())
        .unwrap();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!(frame.dispose, gif::DisposalMethod::Background);
        assert!(frame.buffer.chunks_exact(4).any(|p| p[3] == 0));
    }
}

#[test]
fn pictures_do_not_depend_on_threads_and_depth_makes_them_paler() {
    let place = Place::with_scene("ring");
    let sets = ["scene.edges=30", "time.duration=0.05", "output.every=0.01"];
    place.succeeds(&with(&["run", "my.toml", "--out", "r"], &sets));
    let draw = |threads: &str, out: &str, more: &str| {
        let words = format!("render r --size 160x120 {out} {more}");
        let words: Vec<_> = words.split_whitespace().collect();
        let mut command = place.command(&words);
        let output = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
        assert!(output.status.success(), "{words:?}");
    };
    for (threads, folder) in [("1", "a"), ("3", "b")] {
        draw(threads, &format!("--movie {folder}/m.gif"), "");
        draw(threads, &format!("--out {folder}/still.png --count 1"), "");
    }
    for file in ["m.gif", "still.png"] {
        let bytes = |folder| fs::read(place.path(&format!("{folder}/{file}"))).unwrap();
        assert!(bytes("a") == bytes("b"), "{file}");
    }
    let light = |out: &str, cue: &str| -> u64 {
        draw(
            "2",
            &format!("--out {out} --count 1"),
            &format!("--depth-cue {cue}"),
        );
        let picture = Picture::read(&place, out);
        picture.pixels.iter().map(|p| u64::from(p[0])).sum()
    };
    assert!(light("far.png", "1") > light("near.png", "0"));
}

#[test]
fn zoom_shows_the_middle_larger() {
    let place = cantilever();
    let covered = |file: &str, zoom: &str| {
        let words = [
            "render", "r", "--times", "0", "--size", "200x150", "--zoom", zoom, "--out", file,
        ];
        place.succeeds(&[&words[..], &["--no-legend", "--no-clamps"]].concat());
        let picture = Picture::read(&place, file);
        picture.pixels.iter().filter(|p| p[..3] != [255; 3]).count()
    };
    let (all, middle) = (covered("a.png", "1"), covered("b.png", "2"));
    // A straight rod across the picture: twice as thick, and cut off at both sides.
    assert!(
        10 * middle > 19 * all && middle < 3 * all,
        "{all} and {middle}"
    );
}

#[test]
fn a_floor_leaves_its_shadows_on_a_transparent_background() {
    let place = Place::with_scene("slope");
    place.succeeds(&with(
        &["run", "my.toml", "--out", "r"],
        &["time.duration=0.02"],
    ));
    let still = |file: &str, more: &[&str]| {
        let words = [
            "render",
            "r",
            "--count",
            "1",
            "--transparent",
            "--out",
            file,
        ];
        place.succeeds(&[&words[..], more].concat());
        Picture::read(&place, file)
    };
    let black = |p: &&[u8; 4]| p[..3] == [0, 0, 0] && (10..=250).contains(&p[3]);
    let with_shadow = still("a.png", &[]);
    let without = still("b.png", &["--no-shadow"]);
    let [a, b] = [&with_shadow, &without].map(|p| p.pixels.iter().filter(black).count());
    assert!(a > b + 500, "{a} and {b}");
    assert!(with_shadow.corners(4).iter().all(|p| p[3] == 0));
}

#[test]
fn wrong_movies_are_refused_with_a_remedy() {
    let place = cantilever();
    for (arguments, words) in [
        ("--movie m.avi", ["m.avi", "NAME.mp4"]),
        ("--movie m.mp4 --transparent", ["no transparency", "webm"]),
        ("--movie m.mp4 --size 121x90", ["--size 121x90", "122x90"]),
        ("--movie m.gif --fps 60", ["--fps 60", "--fps 50"]),
        (
            "--movie f --size 121x90",
            ["--size 121x90", "--size 122x90"],
        ),
        ("--movie r", ["--movie r", "another place"]),
        ("--movie f --fps 0", ["--fps", "e.g. 25"]),
        (
            "--movie f --depth-cue 2",
            ["--depth-cue", "from 0 (off) to 1"],
        ),
        ("--zoom 0", ["--zoom", "e.g. 3"]),
        ("--movie f --frames 3 --every 2", ["--frames", "--every"]),
        ("--movie f --count 3", ["--movie", "--count"]),
        ("--fps 30", ["`--fps` has no effect", "--movie NAME.mp4"]),
        ("--fps 30 --out a.png", ["`--fps` has no effect", "--movie"]),
        (
            "--frames 3 --times 0",
            ["`--frames` has no effect", "--movie"],
        ),
        (
            "--every 2 --count 1",
            ["`--every` has no effect", "--movie"],
        ),
        ("--out q.svg", ["--out q.svg", "as PNG, not as svg"]),
        ("--out q.JPG", ["not as jpg", "`--out NAME.png`"]),
        ("--colour curvture", ["did you mean `curvature`", "speed"]),
        (
            "--colour rod --range 0,1",
            ["--range 0,1", "--colour curvature"],
        ),
        ("--colour twist --range 1,0", ["--range", "e.g. 0,250"]),
        (
            "--range 0,1",
            ["bar of colours", "help: say what the colours show"],
        ),
        ("--times 7", ["no frame at t = 7 s", "--times"]),
        ("--size 8x8", ["8x8", "from 16 to 8192"]),
        ("--size -5x60", ["'-5x60' for '--size", "e.g. 900x600"]),
        ("--count -3", ["'-3' for '--count", "from 1 to 100, e.g. 5"]),
        ("--movie f --every -2", ["'-2' for '--every", "from 1 on"]),
        ("--times -a", ["'-a' for '--times", "seconds, e.g. 0.5"]),
        ("--fit all", ["--fit", "bent"]),
    ] {
        let words_typed: Vec<_> = ["render", "r"]
            .into_iter()
            .chain(arguments.split(' '))
            .collect();
        let errors = place.fails(2, &words_typed);
        for word in words {
            assert!(errors.contains(word), "{arguments}: {word} in {errors}");
        }
    }
    for none in ["f", "q.svg", "a.png"] {
        assert!(!place.path(none).exists(), "{none}");
    }
    let errors = place.fails(2, &["render", "r", "--movie", "my.toml/frames"]);
    assert!(
        errors.contains("my.toml/frames") && errors.contains("a file stands"),
        "{errors}"
    );
}

/// A name that promises no other format is taken as it is.
#[test]
fn pictures_are_png_whatever_their_name_ends_with() {
    let place = cantilever();
    for name in ["a.PNG", "plain", "mu0.3"] {
        let words = ["render", "r", "--count", "1", "--size", "60x60", "--out"];
        place.succeeds(&[&words[..], &[name]].concat());
        assert_eq!(Picture::read(&place, name).width, 60, "{name}");
    }
}

#[test]
fn times_have_units() {
    let place = cantilever();
    let words = ["render", "r", "--size", "60x60", "--out", "a.png"];
    let told = place.succeeds(&[&words[..], &["--times", "20 ms"]].concat());
    assert!(told.contains("Drew t = 0.02 s"), "{told}");
    // A unit goes for what stands before it, as in ranges.
    let told = place.succeeds(&[&words[..], &["--times", "0,20 ms"]].concat());
    assert!(told.contains("Drew 2 times"), "{told}");
    let errors = place.fails(2, &[&words[..], &["--times", "0.02,1 kg"]].concat());
    assert!(errors.contains("where a time (s) is wanted"), "{errors}");
}

/// A program that stands for ffmpeg, alone on the PATH.
#[cfg(unix)]
fn ffmpeg(place: &Place, script: &str) -> std::ffi::OsString {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = place.path("bin");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("ffmpeg");
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    // `cat` and the like are still there.
    let mut path = folder.into_os_string();
    path.push(":/usr/bin:/bin");
    path
}

/// Names of what is in the place, but for the run and the scene.
fn left(place: &Place) -> Vec<String> {
    let names = fs::read_dir(place.path("")).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names
        .filter(|name| !["r", "my.toml", "bin"].contains(&name.as_str()))
        .collect();
    names.sort();
    names
}

#[cfg(unix)]
#[test]
fn ffmpeg_gets_every_frame_and_says_where_it_fails() {
    let place = cantilever();
    // The last argument is the file to write.
    let path = ffmpeg(
        &place,
        r#"for a in "$@"; do out=$a; done; echo "$@" > args; exec cat > "$out""#,
    );
    let words = "render r --movie fall.mp4 --frames 3 --size 64x48";
    let run = |words: &str, path: &std::ffi::OsStr| {
        let words: Vec<_> = words.split(' ').collect();
        let mut command = place.command(&words);
        let output = command.env("PATH", path).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.code(),
            text(&output.stdout) + &text(&output.stderr),
        )
    };
    let (code, told) = run(words, &path);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("3 of 11 frames, 64 x 48"), "{told}");
    assert_eq!(
        fs::metadata(place.path("fall.mp4")).unwrap().len(),
        3 * 64 * 48 * 4
    );
    let arguments = fs::read_to_string(place.path("args")).unwrap();
    for word in ["-s 64x48", "-r 25", "libx264", "-f mp4"] {
        assert!(arguments.contains(word), "{word} in {arguments}");
    }
    run("render r --movie a.webm --frames 2 --transparent", &path);
    let arguments = fs::read_to_string(place.path("args")).unwrap();
    assert!(
        arguments.contains("libvpx-vp9 -pix_fmt yuva420p"),
        "{arguments}"
    );
    fs::remove_file(place.path("args")).unwrap();
    fs::remove_file(place.path("a.webm")).unwrap();

    // One that fails leaves what was there, and no more.
    let path = ffmpeg(&place, "echo 'Unknown encoder libx264' >&2; exit 3");
    let before = fs::read(place.path("fall.mp4")).unwrap();
    let (code, told) = run(words, &path);
    assert_eq!(code, Some(1), "{told}");
    for word in [
        "Unknown encoder libx264",
        "exit status: 3",
        "--movie FOLDER",
    ] {
        assert!(told.contains(word), "{word} in {told}");
    }
    assert_eq!(left(&place), ["fall.mp4"]);
    assert_eq!(fs::read(place.path("fall.mp4")).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn without_ffmpeg_frames_and_its_line_are_left() {
    let place = cantilever();
    let words = "render r --movie fall.webm --frames 2 --size 64x48";
    let words: Vec<_> = words.split(' ').collect();
    let mut command = place.command(&words);
    let output = command.env("PATH", place.path("nowhere")).output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no ffmpeg on the PATH"), "{said}");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(
        told.contains(
            "ffmpeg -framerate 25 -i fall.frames/frame-%05d.png -c:v libvpx-vp9 -pix_fmt yuv420p -crf 24 -b:v 0 fall.webm"
        ),
        "{told}"
    );
    assert_eq!(left(&place), ["fall.frames"]);
    assert_eq!(fs::read_dir(place.path("fall.frames")).unwrap().count(), 2);
}

/// Ctrl-C in the middle leaves nothing of a movie, and ends ffmpeg.
#[cfg(unix)]
#[test]
fn an_interrupted_movie_leaves_nothing() {
    let place = cantilever();
    let path = ffmpeg(
        &place,
        r#"for a in "$@"; do out=$a; done; echo $$ > pid; exec cat > "$out""#,
    );
    for (movie, begun) in [
        ("fall.mp4", "pid"),
        ("frames", "frames/frame-00000.png"),
        ("fall.gif", ""),
    ] {
        let words = format!("render r --movie {movie} --size 2400x1800");
        let words: Vec<_> = words.split(' ').collect();
        let mut command = place.command(&words);
        let child = command
            .env("PATH", &path)
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let is_part = || left(&place).iter().any(|name| name.contains(".part-"));
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
        // A file is there before anything is written to it.
        let is_written = || fs::metadata(place.path(begun)).is_ok_and(|file| file.len() > 0);
        let has_begun = || match begun {
            "" => is_part(),
            _ => is_written(),
        };
        while !has_begun() {
            assert!(std::time::Instant::now() < deadline, "{movie} never began");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
        nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("there is no movie"), "{said}");
        if let Ok(ffmpeg) = fs::read_to_string(place.path("pid")) {
            let pid = nix::unistd::Pid::from_raw(ffmpeg.trim().parse().unwrap());
            assert!(nix::sys::signal::kill(pid, None).is_err(), "ffmpeg goes on");
            fs::remove_file(place.path("pid")).unwrap();
        }
        assert!(left(&place).is_empty(), "{movie}: {:?}", left(&place));
    }
}

#[test]
fn colours_have_a_bar_and_arrows_a_meaning() {
    let place = Place::with_scene("slope");
    place.succeeds(&with(
        &["run", "my.toml", "--out", "r"],
        &["time.duration=0.2", "output.every=0.05"],
    ));
    let still = |more: &str| {
        let words = format!("render r --count 1 --size 400x300 --out a.png {more}");
        place.succeeds(&words.split_whitespace().collect::<Vec<_>>());
        Picture::read(&place, "a.png").pixels
    };
    let plain = still("");
    let pictures = [
        still("--colour speed"),
        still("--colour speed --range 0,100"),
        still("--colour twist"),
        still("--colour one"),
        still("--contacts"),
        still("--no-legend"),
    ];
    for (i, picture) in pictures.iter().enumerate() {
        assert!(*picture != plain, "{i}");
        assert!(pictures[..i].iter().all(|other| other != picture), "{i}");
    }
    // Exports and the page have another name for some.
    assert!(still("--colour force") != plain);
    for (own, other) in [("force", "contact_force"), ("one", "plain")] {
        let picture = |name: &str| still(&format!("--colour {name}"));
        assert!(picture(own) == picture(other), "{own}");
    }
    // Arrows are drawn in a colour of their own, in the picture and below it.
    let magenta = |pixels: &[[u8; 4]]| {
        let is = |p: &&[u8; 4]| p[0] > 120 && p[1] < 90 && p[2] > 50 && p[2] < 160;
        pixels.iter().filter(is).count()
    };
    assert!(magenta(&pictures[4]) > 100 && magenta(&plain) == 0);
    // Of one scale, each frame in its middle: another picture than of what all of them visit.
    let sheet = |fit: &str| {
        place.succeeds(&[
            "render", "r", "--count", "3", "--fit", fit, "--out", "s.png",
        ]);
        Picture::read(&place, "s.png").pixels
    };
    assert!(sheet("shown") != sheet("each"));
}

/// A helix of 5 m, 44 mm wide.
const LONG_HELIX: &str = r#"
[[rods]]
shape = { helix = { radius = "20 mm", pitch = "0.5 m", turns = 10, edges = 200 } }
section = { circle = { radius = "2 mm" } }
material = { young = "0.4 GPa", poisson = 0.4, density = "1000 kg/m^3" }
[time]
duration = "1 ms"
step = "1 ms"
"#;

#[test]
fn a_part_of_a_run_is_told_to_be_one() {
    let place = Place::new();
    place.write("my.toml", LONG_HELIX);
    place.succeeds(&["run", "my.toml", "--out", "r"]);
    let said = |fit: &str| {
        let args = [
            "render", "r", "--count", "1", "--out", "a.png", "--fit", fit,
        ];
        let output = place.run(&args);
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let note = said("bent");
    let lengths = note.split_once("the camera shows ").unwrap().1;
    let (shown, rest) = lengths.split_once(" mm of ").unwrap();
    // 14 times as long as it is wide.
    let wide = 44.0 * 2.0_f64.sqrt();
    assert!(
        (shown.parse::<f64>().unwrap() - 14.0 * wide).abs() < 2.0,
        "{note}"
    );
    assert!(rest.starts_with("5 m, "), "{note}");
    assert!(rest.contains("`--fit shown` shows all"), "{note}");
    assert_eq!(said("shown"), "");
}
