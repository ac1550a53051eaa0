### English: help of the command line.

## Help of the command line: help-COMMAND-about, -examples, and one for every argument

help-about = Trinka and Seka, card games for friends on one network: no server, nobody to trust.
help-examples =
    {"  "}trinka host Kitchen --rules trinka-classic    open a table
    {"  "}trinka join Kitchen                           take a seat
help-data = where key, tables and transcripts are kept (or TRINKA_DATA; else the system’s place)
help-config = a file with settings (or TRINKA_CONFIG; else trinka/config.toml in the system’s place for settings)
help-name = your nickname
help-lang = language: ru or en (else the locale’s)
help-ui = screen: full (the whole terminal), plain (one line an event), json (for scripts); without it by the terminal
help-bot = this seat plays by itself: careful (usual), bold or random
help-listen = address to listen on, with or without port
help-peer = address of a node to reach, besides those that are found; may be repeated
help-no-mdns = do not look for others by mDNS
help-beacon = beacons besides mDNS: off, auto (usual), loopback or broadcast
help-bot-seed = seed of the bot
help-pace = milliseconds for which bots seem to think (700 where they play with you, else 0)
help-leash = end as soon as stdin ends
help-no-color = write without colours (as NO_COLOR does)
help-verbose = log more; twice for even more
help-help = this help
help-version = the version
help-host-about = Opens a table.
help-host-examples =
    {"  "}trinka host Kitchen
    {"  "}trinka host Attic --rules seka --ante 2 --set ceiling=50 --min-players 4
help-host-table = the table’s name
help-host-preset = rules: trinka-classic (usual), trinka-online, seka, or a file of “trinka rules --toml”
help-host-set = a house rule that differs, such as ceiling=50; may be repeated
help-host-seats = how many may sit (usually as many as the deck serves)
help-host-buy-in = chips that each sits down with (usually 100 antes)
help-host-ante = what each puts in before the deal (usually 1)
help-host-think = seconds for a turn (usually 60)
help-host-hands = stop after so many hands
help-host-min-players = begin when so many sit, bots included (usually 2; with bots, when all of them sit)
help-host-bots = so many bots of this machine sit down too (usually 0)
help-join-about = Takes a seat at a table.
help-join-examples =
    {"  "}trinka join
    {"  "}trinka join Kitchen --name Anna
help-join-table = name, id or address of the table; without it the only one there is
help-practice-about = Plays against bots on this machine; nothing is sent to the network.
help-practice-examples =
    {"  "}trinka practice
    {"  "}trinka practice --bots 5 --rules seka --pace 1500
help-practice-bots = how many bots (usually 3)
help-practice-preset = rules: trinka-classic (usual), trinka-online, seka, or a file of “trinka rules --toml”
help-practice-set = a house rule that differs, such as ceiling=50; may be repeated
help-practice-buy-in = chips that each sits down with (usually 100 antes)
help-practice-ante = what each puts in before the deal (usually 1)
help-practice-think = seconds for a turn (usually 300)
help-practice-hands = stop after so many hands
help-tables-about = Shows the tables nearby.
help-tables-examples =
    {"  "}trinka tables
    {"  "}trinka tables --wait 10 --json
help-tables-wait = seconds to look (usually 3)
help-tables-json = as JSON
help-demo-about = Lets bots play, each in a process of its own, and checks every transcript.
help-demo-examples =
    {"  "}trinka demo
    {"  "}trinka demo --players 6 --hands 10 --local --json
help-demo-players = how many players, 2 to 10 (usually 4)
help-demo-hands = how many hands (usually 3)
help-demo-late = so many more sit down after the first hand (usually 0)
help-demo-preset = rules: trinka-classic (usual), trinka-online, seka, or a file of “trinka rules --toml”
help-demo-set = a house rule that differs, such as ceiling=50; may be repeated
help-demo-local = stay on this machine: nothing is sent to the network
help-demo-json = one JSON object at the end instead of lines
help-demo-keep = keep the data directories here
help-demo-seed = seed of the bots
help-verify-about = Replays transcripts from nothing and says whether everything in them holds.
help-verify-examples =
    {"  "}trinka verify hand-7.trinka
    {"  "}trinka verify --json transcripts/*.trinka
help-verify-files = transcripts
help-verify-json = one JSON object a file
help-history-about = Past hands.
help-history-examples =
    {"  "}trinka history export hand-7.trinka
    {"  "}trinka history export --public --out hand-7.txt hand-7.trinka
help-history-export-about = Writes a hand down as a script that “trinka referee” replays, after verifying it.
help-history-export-examples =
    {"  "}trinka history export --format referee hand-7.trinka
    {"  "}trinka history export --public --out hand-7.txt hand-7.trinka
help-history-export-file = the transcript
help-history-export-format = referee (usual): a script for “trinka referee”
help-history-export-public = only what all could see; your own cards stay out of it
help-history-export-expect = say after every move how things stand
help-history-export-out = write it to this file
help-rules-about = Tells the rules in plain words.
help-rules-examples =
    {"  "}trinka rules trinka-online
    {"  "}trinka rules seka --set deck=32 --toml
help-rules-preset = trinka-classic (usual), trinka-online, seka, or a rules file
help-rules-rules = the same as the argument before, for who is used to --rules
help-rules-set = a house rule that differs, such as ceiling=50; may be repeated
help-rules-toml = as a TOML file to edit, for --rules
help-rank-about = Tells what a hand is worth.
help-rank-examples =
    {"  "}trinka rank As Ts 9s
    {"  "}trinka rank --rules seka --json Kh Kd Ks
help-rank-cards = three cards, such as As Ts 9s
help-rank-preset = rules: trinka-classic (usual), trinka-online, seka, or a file of “trinka rules --toml”
help-rank-set = a house rule that differs, such as triples=sum; may be repeated
help-rank-json = one JSON object a hand
help-rank-stdin = read hands from stdin, one a line, and answer each on a line
help-referee-about = Settles a dispute: replays a hand from a script and checks what it expects.
help-referee-examples =
    {"  "}trinka referee dispute.txt
    {"  "}trinka referee --json dispute.txt
help-referee-file = the script; - is stdin
help-referee-json = the last state as one JSON object
help-completions-about = Writes completions for a shell, to be read by it.
help-completions-examples =
    {"  "}trinka completions bash   > ~/.local/share/bash-completion/completions/trinka
    {"  "}trinka completions fish   > ~/.config/fish/completions/trinka.fish
help-completions-shell = bash, zsh or fish
help-man-about = Writes the manual page.
help-man-examples =
    {"  "}trinka man   > trinka.1
    {"  "}trinka man --lang ru   | man -l -
help-id-about = Shows your key’s fingerprint.
help-id-examples =
    {"  "}trinka id
    {"  "}trinka id show
help-id-show-about = Shows your key’s fingerprint.
help-id-show-examples =
    {"  "}trinka id show
    {"  "}trinka id show --data DIR
