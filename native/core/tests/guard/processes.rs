//! Other processes: this test program, run again with a part to play.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use lexigraph_core::guard::{verify, Directory};
use lexigraph_core::Error;

use crate::support::*;

const PART: &str = "LEXIGRAPH_PART";
const PLACE: &str = "LEXIGRAPH_PLACE";

/// Starts a process that plays a part on a store.
pub fn start(part: &str, path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "processes::play",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(PART, part)
        .env(PLACE, path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until the process says a line that starts with `word`; gives the rest of it.
pub fn hear(child: &mut Child, word: &str) -> Option<String> {
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    lines.find_map(|line| line.unwrap().strip_prefix(word).map(str::to_string))
}

/// Runs a part to its end; gives what it said.
pub fn play_out(part: &str, path: &Path) -> (bool, String) {
    let output = start(part, path).wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.success(), said)
}

fn say(what: &str) {
    println!("\n{what}");
    std::io::stdout().flush().unwrap();
}

/// The parts. Without one, as in a plain run of the tests, nothing is played.
#[test]
fn play() {
    let (Ok(part), Ok(place)) = (std::env::var(PART), std::env::var(PLACE)) else {
        return;
    };
    let path = Path::new(&place);
    let mut words = part.split(' ');
    match words.next().unwrap() {
        "write" => {
            let from: u32 = words.next().unwrap().parse().unwrap();
            let directory = open(path);
            for row in from..from + 150 {
                write(&directory, &[cell(row, 1, b"value")]).unwrap();
            }
        }
        "hold" => {
            let directory = open(path);
            let _turn = directory.lock_writer(Duration::from_secs(5), "a very long load");
            let snapshot = directory.store().unwrap().snapshot().unwrap();
            let _guard = snapshot.enter().unwrap();
            say("holding");
            // Until the end of its input, or until it is killed.
            std::io::stdin().read_line(&mut String::new()).unwrap();
        }
        "verify" => {
            let report = match verify(path) {
                Ok(report) => report,
                // A flipped bit can make another version of the format.
                Err(Error::FormatVersion(what)) => return say(&format!("problem {what}")),
                Err(error) => unreachable!("{error}"),
            };
            if let Some(problem) = report.problems().first() {
                return say(&format!("problem {}", problem.what));
            }
            match Directory::open(path, &options()).and_then(|held| all(&held)) {
                Ok(cells) => say(&format!("cells {:?}", cells == crate::damage::sample())),
                Err(error) => say(&format!("problem {error}")),
            }
        }
        "vacuum" => {
            let directory = open(path);
            say("going");
            loop {
                directory.vacuum(Duration::from_secs(5)).unwrap();
            }
        }
        "restricted" => crate::files::read_only(path),
        "full" => crate::full::fill_up(path),
        other => unreachable!("no part {other}"),
    }
}

#[test]
fn two_that_write_lose_nothing() {
    let folder = Folder::new();
    let mut first = start("write 0", folder.path());
    let mut second = start("write 1000", folder.path());
    assert!(first.wait().unwrap().success());
    assert!(second.wait().unwrap().success());
    let rows = (0..150).chain(1000..1150);
    let expected: Vec<_> = rows.map(|row| cell(row, 1, b"value")).collect();
    let directory = open(folder.path());
    assert_eq!(all(&directory).unwrap(), expected);
    assert!(directory.verify().unwrap().is_sound());
}
