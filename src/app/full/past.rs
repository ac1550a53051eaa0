//! Past hands for the lobby: found in the data directory, and each checked again from nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::super::verify::{Outcome, check_all, tell_lines, transcripts};
use crate::i18n::{Lang, Locale, messages as m, printable};
use crate::node::Settings;
use crate::screens::full::{Input, PastHand};

/// The most hands that are shown.
const MOST: usize = 200;
/// How often a list that grows is shown.
const EVERY: Duration = Duration::from_millis(200);

/// A transcript.
#[derive(Clone)]
struct File {
    path: PathBuf,
    written: SystemTime,
    /// Was it practice?
    practice: bool,
}

/// What was checked before, by file and language: transcripts do not change, but time passes.
type Checked = BTreeMap<(PathBuf, &'static str), (SystemTime, PastHand)>;

/// The hands that were read.
#[derive(Default)]
pub(super) struct Past {
    busy: Arc<AtomicBool>,
    checked: Arc<Mutex<Checked>>,
}

impl Past {
    /// Reads and checks on a thread of its own, the newest first, and tells of them as they come.
    pub(super) fn read(&self, settings: &Settings, inputs: &Sender<Input>) {
        if self.busy.swap(true, Ordering::SeqCst) {
            return;
        }
        let (busy, checked) = (Arc::clone(&self.busy), Arc::clone(&self.checked));
        let (dir, locale) = (settings.data_dir.clone(), settings.locale);
        let inputs = inputs.clone();
        thread::spawn(move || {
            if let Ok(mut checked) = checked.lock() {
                all(&files(&dir), locale, &mut checked, &mut |hands| {
                    // A screen that is gone shows nothing any more.
                    let _ = inputs.send(Input::History(hands));
                });
            }
            busy.store(false, Ordering::SeqCst);
        });
    }
}

/// The newest transcripts, practice too, the newest first.
fn files(dir: &Path) -> Vec<File> {
    let mut all = Vec::new();
    for (dir, practice) in [(dir.to_owned(), false), (dir.join("practice"), true)] {
        // Without a directory nothing was played.
        for path in transcripts(&dir.join("transcripts")).unwrap_or_default() {
            let written = std::fs::metadata(&path).and_then(|meta| meta.modified());
            let written = written.unwrap_or(SystemTime::UNIX_EPOCH);
            all.push(File { path, written, practice });
        }
    }
    // Of one moment, the later hand comes first.
    all.reverse();
    all.sort_by_key(|file| std::cmp::Reverse(file.written));
    all.truncate(MOST);
    all
}

fn all(files: &[File], locale: Locale, checked: &mut Checked, tell: &mut dyn FnMut(Vec<PastHand>)) {
    let lang = super::tag(locale.lang);
    let known = |checked: &Checked, file: &File| {
        let found = checked.get(&(file.path.clone(), lang));
        found.filter(|(written, _)| *written == file.written).map(|(_, hand)| hand.clone())
    };
    let list = |checked: &Checked| {
        files
            .iter()
            .filter_map(|file| Some(dated(known(checked, file)?, file, locale.lang)))
            .collect()
    };
    let fresh: Vec<File> =
        files.iter().filter(|file| known(checked, file).is_none()).cloned().collect();
    let paths: Vec<PathBuf> = fresh.iter().map(|file| file.path.clone()).collect();
    let mut shown = Instant::now();
    let mut rest = fresh.iter();
    check_all(&paths, |path, outcome| {
        let Some(file) = rest.next() else { return };
        let hand = hand(path, &outcome, locale);
        checked.insert((file.path.clone(), lang), (file.written, hand));
        if shown.elapsed() >= EVERY {
            tell(list(checked));
            shown = Instant::now();
        }
    });
    tell(list(checked));
}

fn hand(path: &Path, outcome: &Outcome, locale: Locale) -> PastHand {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let title = match outcome {
        Outcome::Good(report) | Outcome::Unfinished(report) | Outcome::Evidence(report) => {
            let names: Vec<String> =
                report.seats.iter().map(|seat| printable(&seat.name)).collect();
            m::history_hand(locale.lang, report.hand, names.join(", "))
        }
        _ => printable(&name),
    };
    PastHand { file: name, title, lines: tell_lines(path, outcome, locale) }
}

/// The hand with its age, and whether it was practice.
fn dated(mut hand: PastHand, file: &File, lang: Lang) -> PastHand {
    let age = file.written.elapsed().unwrap_or_default().as_secs() / 60;
    let age = match age {
        0..60 => m::ago_minutes(lang, age),
        60..1_440 => m::ago_hours(lang, age / 60),
        _ => m::ago_days(lang, age / 1_440),
    };
    hand.title = format!("{} · {age}", hand.title);
    if file.practice {
        hand.title = format!("{} · {}", hand.title, m::history_practice(lang));
    }
    hand
}
