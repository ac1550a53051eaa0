//! `trinka demo`: node processes that find each other, play by themselves, and are checked.

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use tokio::time::{Instant, sleep_until};

use super::Failure;
use super::console::Console;
use super::play::fresh_seed;
use crate::bots::BotKind;
use crate::cli::{Demo, DemoPlan, Exit, Global};
use crate::i18n::{Problem, messages as m, printable};
use crate::rules::Chips;
use crate::table::met::Met;

mod home;
mod judge;
mod nodes;
mod watch;

use crate::node::signals::Signals;
use home::Home;
use judge::Verdict;
use nodes::{Nodes, Said};
use watch::{News, Watch};

/// How long mDNS is given before the demo goes on without it.
const MDNS_TIME: Duration = Duration::from_secs(8);

/// How long the first node has to open its table.
const OPENING_TIME: Duration = Duration::from_secs(30);

/// How the nodes find each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meeting {
    /// By mDNS alone, listening on the machine's network.
    Mdns { v4: bool },
    /// By the beacon within this machine alone.
    Beacon,
}

/// A demo to be run.
struct Run<'a> {
    global: &'a Global,
    demo: &'a Demo,
    plan: DemoPlan,
    home: Home,
    program: PathBuf,
    seed: u64,
    names: Vec<String>,
}

/// Why a run came to no end of its own.
enum Cut {
    /// A signal ended it.
    Signal(Exit),
    /// Nobody was found by mDNS.
    NotFound,
    /// Something went wrong; the run so far.
    Problem(Problem, Box<Watch>),
}

/// One object at the end.
#[derive(Serialize)]
struct Summary<'a> {
    players: u8,
    hands: u64,
    agree: bool,
    stacks: &'a std::collections::BTreeMap<String, Chips>,
    transcripts: &'a [String],
    verified: u64,
    deal_ms: &'a [u64],
    found_by: &'static str,
    met: &'a Met,
}

/// Runs the command.
pub(super) fn run(
    global: &Global,
    demo: &Demo,
    console: &mut Console<'_>,
) -> Result<Exit, Failure> {
    let plan = demo.plan().map_err(Failure::usage)?;
    // The nodes are told of it; a name that no bot has is refused before anything starts.
    global.bot().map_err(Failure::usage)?;
    let seed = match demo.seed {
        Some(seed) => seed,
        None => fresh_seed()?,
    };
    let lang = console.lang();
    let run = Run {
        global,
        demo,
        home: Home::new(demo.keep.as_deref(), fresh_seed()?)?,
        program: std::env::current_exe()
            .map_err(|error| Problem::Internal { reason: error.to_string() })?,
        seed,
        names: m::demo_names(lang)
            .split(", ")
            .take(usize::from(plan.players) + usize::from(plan.late))
            .map(str::to_owned)
            .collect(),
        plan,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Problem::Internal { reason: error.to_string() })?;
    Ok(runtime.block_on(run.whole(console))?)
}

impl Run<'_> {
    /// How many nodes begin.
    fn players(&self) -> usize {
        usize::from(self.plan.players)
    }

    /// How many nodes there are in the end.
    fn nodes(&self) -> usize {
        self.players() + usize::from(self.plan.late)
    }

    /// The chips that everybody sits down with: as `host` has it.
    fn buy_in(&self) -> Chips {
        self.plan.rules.ante.saturating_mul(100)
    }

    /// A line about what goes on: part of the answer for people, beside the answer for programs.
    fn tell(&self, line: String, console: &mut Console<'_>) {
        if self.demo.json {
            console.note(line);
        } else {
            console.say(line);
        }
    }

    async fn whole(&self, console: &mut Console<'_>) -> Result<Exit, Problem> {
        let lang = console.lang();
        let mut signals = Signals::new()?;
        if !self.demo.json {
            console.say(m::demo_begin(lang, u64::from(self.plan.players), self.plan.hands));
        }
        let mut meeting = self.meeting();
        if meeting == Meeting::Beacon && !self.demo.local {
            self.tell(m::demo_no_lan(lang), console);
        }
        let watch = loop {
            match self.attempt(meeting, &mut signals, console).await {
                Ok(watch) => break Ok(watch),
                Err(Cut::Signal(exit)) => return Ok(exit),
                Err(Cut::NotFound) => {
                    self.tell(m::demo_not_found(lang, MDNS_TIME.as_secs()), console);
                    self.home.clear(self.nodes())?;
                    meeting = Meeting::Beacon;
                }
                Err(Cut::Problem(problem, watch)) => break Err((problem, watch)),
            }
        };
        let (watch, failed) = match watch {
            Ok(watch) => (watch, false),
            Err((problem, watch)) => {
                console.problem(&problem);
                (*watch, true)
            }
        };
        let verdict =
            judge::judge(&self.home, self.nodes(), self.buy_in(), &watch, console.locale());
        let good = !failed && self.report(&verdict, &watch, meeting, console);
        if failed {
            self.report(&verdict, &watch, meeting, console);
        }
        Ok(if good { Exit::Ok } else { Exit::Failure })
    }

    /// How to meet: by mDNS where there is a network, unless asked to stay on this machine.
    fn meeting(&self) -> Meeting {
        let lan = lan();
        if self.demo.local || self.global.no_mdns || lan.is_empty() {
            Meeting::Beacon
        } else {
            Meeting::Mdns { v4: lan.iter().any(IpAddr::is_ipv4) }
        }
    }

    /// Lets all nodes play to their end.
    async fn attempt(
        &self,
        meeting: Meeting,
        signals: &mut Signals,
        console: &mut Console<'_>,
    ) -> Result<Watch, Cut> {
        let mut nodes = Nodes::new();
        let mut watch = Watch::new(self.nodes(), self.players());
        let end = self.follow(meeting, &mut nodes, &mut watch, signals, console).await;
        nodes.stop().await;
        match end {
            Ok(()) => Ok(watch),
            Err(End::Signal(exit)) => Err(Cut::Signal(exit)),
            Err(End::NotFound) => Err(Cut::NotFound),
            Err(End::Problem(problem)) => Err(Cut::Problem(problem, Box::new(watch))),
        }
    }

    async fn follow(
        &self,
        meeting: Meeting,
        nodes: &mut Nodes,
        watch: &mut Watch,
        signals: &mut Signals,
        console: &mut Console<'_>,
    ) -> Result<(), End> {
        let limit = self.limit();
        let end = Instant::now() + limit;
        let opening = Instant::now() + OPENING_TIME;
        let mut joined: Option<Instant> = None;
        let (mut ended, mut late_begun) = (0, false);
        let mut table_id: Option<String> = None;
        self.start(nodes, 0, meeting, None, console)?;
        loop {
            let looking = joined
                .filter(|_| meeting != Meeting::Beacon && !watch.begun() && !watch.all_found());
            let until = match (joined, looking) {
                (None, _) => opening.min(end),
                (_, Some(since)) => end.min(since + MDNS_TIME),
                _ => end,
            };
            let (number, said) = tokio::select! {
                exit = signals.next() => return Err(End::Signal(exit)),
                said = nodes.next() => said,
                () = sleep_until(until) => {
                    return Err(match looking {
                        Some(_) if Instant::now() < end => End::NotFound,
                        _ => Problem::DemoTooSlow { seconds: limit.as_secs() }.into(),
                    });
                }
            };
            match said {
                Said::Event(event) => {
                    let news = watch.heard(number, *event);
                    if let Some(News::Table(table)) = &news
                        && joined.is_none()
                    {
                        joined = Some(Instant::now());
                        table_id = Some(table.clone());
                        for number in 1..self.players() {
                            self.start(nodes, number, meeting, Some(table), console)?;
                        }
                    }
                    if matches!(news, Some(News::Hand { .. })) && !late_begun {
                        late_begun = true;
                        for number in self.players()..self.nodes() {
                            self.start(nodes, number, meeting, table_id.as_deref(), console)?;
                        }
                    }
                    self.tell_news(number, news, watch, meeting, console);
                }
                Said::Ended { status: Ok(status), .. } if status.success() => {
                    ended += 1;
                    if ended == self.nodes() {
                        return Ok(());
                    }
                }
                Said::Ended { status, words } => {
                    for line in words.lines() {
                        console.note(printable(line));
                    }
                    let status =
                        status.map_or_else(|error| error.to_string(), |status| status.to_string());
                    return Err(Problem::DemoNodeEnded { name: self.name(number), status }.into());
                }
            }
        }
    }

    /// A limit that no healthy run comes near.
    fn limit(&self) -> Duration {
        let a_hand = 30 + 15 * u64::from(self.plan.players);
        Duration::from_secs(120_u64.saturating_add(self.plan.hands.saturating_mul(a_hand)))
    }

    fn name(&self, number: usize) -> String {
        self.names.get(number).cloned().unwrap_or_else(|| number.to_string())
    }

    fn start(
        &self,
        nodes: &mut Nodes,
        number: usize,
        meeting: Meeting,
        table: Option<&str>,
        console: &Console<'_>,
    ) -> Result<(), End> {
        let args = self.args(number, meeting, table, console);
        nodes
            .start(number, &self.program, &args)
            .map_err(|error| Problem::Internal { reason: error.to_string() }.into())
    }

    /// The command line of a node.
    fn args(
        &self,
        number: usize,
        meeting: Meeting,
        table: Option<&str>,
        console: &Console<'_>,
    ) -> Vec<OsString> {
        let mut args: Vec<OsString> = Vec::new();
        let mut add = |words: &[&str]| args.extend(words.iter().map(OsString::from));
        match table {
            Some(table) => add(&["join", table]),
            None => {
                let (players, hands) = (self.plan.players.to_string(), self.plan.hands.to_string());
                let (seats, buy_in) = (self.nodes().to_string(), self.buy_in().to_string());
                add(&["host", "demo", "--min-players", &players, "--seats", &seats]);
                add(&["--hands", &hands]);
                add(&["--buy-in", &buy_in, "--rules", self.demo.rules.name()]);
                for set in &self.demo.rules.set {
                    add(&["--set", set]);
                }
            }
        }
        let seed = self.seed.wrapping_add(number as u64).to_string();
        // Left to itself a demo shows all kinds, so that everything of the rules is met.
        let kind = match self.global.bot.as_deref() {
            Some(kind) => kind.to_owned(),
            None => BotKind::of_party(number).to_string(),
        };
        let bot = format!("--bot={kind}");
        let lang = match console.lang() {
            crate::i18n::Lang::En => "en",
            crate::i18n::Lang::Ru => "ru",
        };
        add(&[
            "--name",
            &self.name(number),
            "--lang",
            lang,
            "--ui",
            "json",
            &bot,
            "--bot-seed",
            &seed,
        ]);
        match meeting {
            Meeting::Beacon => {
                add(&["--no-mdns", "--beacon", "loopback", "--listen", "127.0.0.1:0"])
            }
            Meeting::Mdns { v4: true } => add(&["--beacon", "off", "--listen", "0.0.0.0:0"]),
            Meeting::Mdns { v4: false } => add(&["--beacon", "off", "--listen", "[::]:0"]),
        }
        for _ in 0..self.global.verbose {
            add(&["-v"]);
        }
        args.push("--data".into());
        args.push(self.home.node(number).into());
        args
    }

    fn tell_news(
        &self,
        number: usize,
        news: Option<News>,
        watch: &Watch,
        meeting: Meeting,
        console: &mut Console<'_>,
    ) {
        let lang = console.lang();
        match news {
            Some(News::Begun) if !self.demo.json => {
                let players = u64::from(self.plan.players);
                console.say(match found_by(watch, meeting) {
                    "mdns" => m::demo_found_mdns(lang, players),
                    _ => m::demo_found_beacon(lang, players),
                });
            }
            Some(News::Hand { hand, ms, winners }) if !self.demo.json => {
                let winners: Vec<String> = winners
                    .into_iter()
                    .map(|(name, won)| m::wins(lang, printable(&name), won))
                    .collect();
                console.say(m::demo_hand(lang, hand, ms, winners.join(", ")));
            }
            Some(News::Trouble { message, advice }) => {
                let said = m::ev_error(lang, printable(&message), printable(&advice));
                console.note(m::ev_say(lang, self.name(number), said));
            }
            _ => {}
        }
    }

    /// Tells what came of it. True if all is well.
    fn report(
        &self,
        verdict: &Verdict,
        watch: &Watch,
        meeting: Meeting,
        console: &mut Console<'_>,
    ) -> bool {
        let lang = console.lang();
        let expected = u64::from(self.plan.players).saturating_mul(self.plan.hands);
        let whole = verdict.hands >= self.plan.hands;
        let verified =
            verdict.verified == verdict.transcripts.len() as u64 && verdict.verified >= expected;
        for fault in &verdict.faults {
            console.note(fault.clone());
        }
        if self.demo.json {
            console.json(&Summary {
                players: self.plan.players,
                hands: verdict.hands,
                agree: verdict.agree,
                stacks: &verdict.stacks,
                transcripts: &verdict.transcripts,
                verified: verdict.verified,
                deal_ms: &watch.deal_ms,
                found_by: found_by(watch, meeting),
                met: &verdict.met,
            });
            return verdict.agree && whole && verified;
        }
        let list = |parts: Vec<String>| parts.join(", ");
        if !whole {
            console.say(m::demo_short(lang, verdict.hands, self.plan.hands));
        }
        if let (Some(least), Some(most)) = (watch.deal_ms.iter().min(), watch.deal_ms.iter().max())
        {
            console.say(m::demo_deal_times(lang, *least, *most));
        }
        let met = verdict.met.counts().into_iter().filter(|(_, count)| *count > 0);
        let met: Vec<String> = met.map(|(kind, count)| m::demo_kind(lang, kind, count)).collect();
        if !met.is_empty() {
            console.say(m::demo_met(lang, list(met)));
        }
        let stacks = verdict.stacks.iter().map(|(name, chips)| m::has(lang, name.clone(), *chips));
        console.say(m::demo_stacks(lang, list(stacks.collect())));
        let all = expected.max(verdict.transcripts.len() as u64);
        console.say(m::demo_verified(lang, verdict.verified, all));
        console.say(if verdict.agree {
            m::demo_agree(lang, self.nodes() as u64)
        } else {
            m::demo_disagree(lang)
        });
        if let Some(dir) = self.home.kept() {
            console.say(m::demo_kept(lang, printable(&dir.display().to_string())));
        }
        verdict.agree && whole && verified
    }
}

/// Why a run is over before its nodes have come to their end.
enum End {
    Signal(Exit),
    NotFound,
    Problem(Problem),
}

impl From<Problem> for End {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

/// How the nodes found each other: by mDNS where one said so. Without beacons and typed addresses
/// there is no other way then.
fn found_by(watch: &Watch, meeting: Meeting) -> &'static str {
    match meeting {
        Meeting::Mdns { .. } if watch.found_by("mdns") => "mdns",
        _ => "beacon",
    }
}

/// The addresses of this machine that others on its network could dial.
fn lan() -> Vec<IpAddr> {
    let all = if_addrs::get_if_addrs().unwrap_or_default();
    let up = |status: &if_addrs::IfOperStatus| {
        matches!(status, if_addrs::IfOperStatus::Up | if_addrs::IfOperStatus::Unknown)
    };
    all.into_iter()
        .filter(|interface| !interface.is_loopback() && up(&interface.oper_status))
        .map(|interface| interface.ip())
        .filter(|ip| match ip {
            IpAddr::V4(_) => true,
            IpAddr::V6(ip) => !ip.is_unicast_link_local(),
        })
        .collect()
}
