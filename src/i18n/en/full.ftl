### English. The full screen. A test compares this file with the Russian one.

program-name = Trinka and Seka
too-small = The terminal has { $width } × { $height } cells; { $least_width } × { $least_height } are needed. Make the window larger or the letters smaller. Until then no key but Ctrl-C does anything.
more-below = more below ↓
preset-name = { $preset ->
    [trinka-classic] Trinka, classic
    [trinka-online] Trinka, online
    [seka] Seka
   *[other] { $preset }
}

## The lobby

lobby-head = Trinka and Seka · { $name }
lobby-tables = { $n ->
    [0] Tables nearby
    [one] { $n } table nearby
   *[other] { $n } tables nearby
}
lobby-looking = Looking for tables on this network …
lobby-empty = None yet. Make one, and friends on the same network will see it; or practise against programs. If a friend has a table and it does not show up, type its address.
lobby-more = { $n } more ↓
lobby-actions = What would you like to do?
lobby-nothing-to-join = There is no table to join yet. Make one, practise, or type an address.
lobby-full = All seats at “{ $name }” are taken.
table-seats = { $taken } of { $seats } seats taken
table-playing = playing
table-locked = password
table-left = You are back in the lobby.
about-join = sit down at the table that is marked
about-make = your rules; friends on this network can join
about-practise = against programs on this machine, nothing leaves it
about-address = a table that does not show up here
about-history = past hands, each with its proofs
about-settings = name, language, colours, sounds
about-help = all keys, and how to play
about-quit = end the program
address-text = The address that the host’s program shows, such as 192.168.1.5:24336.

## Forms

form-first = Welcome
form-welcome = Card games for friends on one network: no server, no dealer, and nobody has to be trusted with the cards. Two questions, then you can play.
form-settings = Settings
form-make = A table for friends
form-practise = Practice against programs
form-about = About this
form-go-first = Play
form-go-settings = Keep these
form-go-make = Open the table
form-go-practise = Begin
field-name = { $field ->
    [name] Your name
    [lang] Language
    [table] The table’s name
    [preset] Game
    [seats] Seats
    [begin] Begin with so many players
    [buy-in] Chips for each
    [think] Seconds for a turn
    [bots] Opponents
    [pace] Opponents think for (ms)
    [letters] Letters instead of ♠♥♦♣
    [four] A colour for each suit
    [light] Light terminal
    [bell] Sound when it is my turn
   *[other] { $field }
}
explain-preset = { $preset ->
    [trinka-classic] Trinka as it is played with cards on a table: 24 cards, dark play, svara with pools and pacts, three tens on demand. The switches below change single rules.
    [trinka-online] Trinka as an online room played it: 24 cards, who looks pays double against dark play, comparisons are hidden, three sixes beat three aces.
   *[seka] Seka: 36 cards, two aces count 22, only the last two compare, hands are shown. The simplest to begin with.
}
explain-field = { $field ->
    [table] What it is called in your friends’ lobby.
    [lang] ←→ or the space bar changes it, Enter goes on.
    [lang-kept] ←→, Enter or the space bar changes it; the button below keeps it.
    [name] How others see you. A label only: your key says who you are, and it stays the same when the name changes.
    [seats] The most who can sit. Later players sit down between hands.
    [begin] The first hand begins by itself when so many sit; you can also begin with F5.
    [buy-in] What each sits down with. Chips are just numbers; what they stand for is agreed among you.
    [think] Who thinks longer folds. “More time” gives 15 seconds more.
    [pace] For how many milliseconds they seem to think before each move: 0 is at once, 3000 leaves time to read.
    [bots] Programs that play by the same protocol, each with its own key and its own proofs.
    [letters] For fonts that have no suit signs, or show them two cells wide.
    [four] Spades plain, hearts red, diamonds blue, clubs green. Otherwise red and plain.
    [light] Colours that can be read on a light background.
   *[bell] The terminal’s bell, or a notification (OSC 9) where the terminal shows them.
}
switch-name = { $switch ->
    [preset] Game
    [deck] Cards in the deck
    [top_hand] Highest hand
    [two_aces] Two aces count
    [triples] Other three of a kind
    [three_tens] Three tens
    [wild] Wild card
    [wild_copy] Wild card may double a held card
    [ante] Ante
    [opening_minimum] Least first bet
    [ceiling] Ceiling of one payment
    [missing_ante] Antes
    [dark] Dark play
    [dark_chain] How many may go dark in a row
    [open_pass] Against dark, who looked pays
    [compare_price] Price to compare against dark
    [knock_out] High open bet ends dark play
    [look] A dark player may look
    [compare_from] Comparing opens
    [reveal] Who sees compared hands
    [compare_tie] Equal when compared
    [svara] Svara
    [boil] Boiling (agreed svara)
    [pool] Pools for the entry
    [pact] Pacts
    [svara_dark] Dark play in a svara
    [entry_played] Entry for who played
    [entry_newcomer] Entry for newcomers
    [first_dealer] First dealer
    [next_dealer] Next dealer
    [exposed_card] Exposed cards
   *[other] { $switch }
}
value-name = { $value ->
    [on] yes
    [off] no
    [yes] yes
    [no] no
    [trinka-classic] Trinka, classic
    [trinka-online] Trinka, online
    [seka] Seka
    [aces] three aces
    [sixes] three sixes
    [none] none
    [sum] their sum
    [above] above every suit
    [on_demand] redeal on demand
    [on_compare] redeal when compared
    [joker] joker
    [shaha] six of clubs
    [ante] as the ante
    [automatic] taken by the program
    [dealer_pays] asked; the dealer pays what is missing
    [unlimited] as many as like
    [two] two
    [same] the same
    [double] double
    [floor] at least double the dark bet
    [fixed] who went dark: just the dark bet
    [pass] the price to stay
    [after_first_circle] after the first circle
    [any_time] at any time
    [circle_one] when the neighbour has acted
    [circle_two] when everybody has acted
    [last_two] between the last two
    [neighbours] the two of them
    [sealed] nobody
    [open] everybody
    [both_stay] both stay
    [caller_loses] the caller is out
    [half] half the bank
    [third] a third of the bank
    [share] the bank by the tied players
    [full] the whole bank
    [host] the host
    [lift] lifting for the highest card
    [count] counting to the first ace
    [random] by lot
    [winner] the winner
    [rotate] the next on the left
    [bell] bell
    [osc9] notification
   *[other] { $value }
}
value-antes = { $n } antes

## Past hands

history-hand = Hand { $hand } · { $names }
history-practice = practice
ago-minutes = { $n ->
    [0] just now
    [one] { $n } minute ago
   *[other] { $n } minutes ago
}
ago-hours = { $n ->
    [one] { $n } hour ago
   *[other] { $n } hours ago
}
ago-days = { $n ->
    [one] { $n } day ago
   *[other] { $n } days ago
}
history-title = Past hands
history-detail = This hand
history-reading = Reading …
history-none = No hand has been played to its end yet.

## The table

head-hand = hand { $hand }
head-you-deal = you deal
head-unread = { $n ->
    [one] { $n } new message
   *[other] { $n } new messages
} [{ $key }]
head-muted = muted
head-sitting-out = sitting out
wait-start = Starting …
wait-invite = Friends on this network see the table in their lobby. Where they do not, they type:
wait-begin = [{ $key }] begins with those who are here.
wait-fingerprint = Your key’s fingerprint: { $fingerprint }
between-hands = Between hands.
badge-dealer = (D)
seat-chips = { $n ->
    [one] { $n } chip
   *[other] { $n } chips
}
seat-away = gone
seat-unheard = no connection
seat-dark = plays dark
seat-out = out
seat-watching = not in this hand
bank-word = BANK
price-is = price { $price }
ceiling-is = ceiling { $ceiling }
ceiling-none = no ceiling
word-is-yours = Your word!
word-is-of = { $name } is to act
seconds-left = { $n } s
deal-shuffles = { $name } shuffles …
deal-deals = All have shuffled. Dealing …
deal-proved = proved { $done } of { $all }
your-word = Your word?
your-word-with = { $n ->
    [one] Your word? You have { $n } chip.
   *[other] Your word? You have { $n } chips.
}
ask-lift = Who deals? Each lifts some cards off the deck; the highest card at the bottom deals. Any number is as good.
ask-cut = Your cut: how many cards go from the top to the bottom? Any number is as good.
ask-enter = A svara: the tied bank is played for once more. Are you in?
newcomer = [{ $help }] explains game and keys, [{ $hint }] what beats what.
wait-ready-full = Waiting for the others to be ready.
wait-quorum-full = The table waits for { $names }. In the chat “/close” ends it as it stands; once they are back, “/divide” ends the hand.
own-stack = { $name }: { $n ->
    [one] { $n } chip
   *[other] { $n } chips
}
own-paid = In this bank: { $n } of yours
own-out = You are out of this hand.
own-watching = You play from the next hand on.
own-absent = You were taken for absent: press [{ $key }] (ready) to play again from the next hand.
own-returning = You play again from the next hand on.
log-absent = You were taken for absent.
own-looking-on = You are looking on.
own-dark = You play dark.
own-unseen = Not looked at yet.
hand-name = { $hand ->
    [three-aces] three aces
    [three-sixes] three sixes
    [triple] three of a kind
    [two-aces] two aces
    [three-tens] three tens
    [trinka] three of one suit
    [suit] two of one suit
   *[high] the highest card
}
log-title = What happened
mute-on = Chat is muted: no marks for what is said.
mute-off = Chat is marked again.
sitting-out = You sit out from the next hand on.
sitting-in = You play again.
leaving = Leaving when the hand is over …

## What is chosen beforehand

ahead-fold = Beforehand: fold. The same key takes it back.
ahead-call = Beforehand: stay for { $price }. The same key takes it back.
ahead-compare = Beforehand: compare. The same key takes it back.
ahead-hint = Choose beforehand: [{ $fold }] fold · [{ $call }] stay · [{ $compare }] compare
ahead-dropped = The price is { $price } now: what you had chosen is not done. Choose again.

## What was done last

la-call = calls { $amount }
la-raise = raises to { $amount }
la-dark = dark { $amount }
la-overdark = overdark { $amount }
la-compare = compares for { $amount }
la-enter = enters for { $amount }
la-other = { $kind ->
    [look] looks
    [fold] folds
    [redeal] redeal!
    [boil] shall we boil?
    [accept] yes
    [refuse] no
    [split] split
    [no-split] no split
    [enter] takes part
    [stay-out] stays out
    [cut] cuts
    [lift] lifts
    [replace] replaced
    [ante] ante
    [omit] no ante
    [keep] keeps
    [expose] turns a card up
    [pool] pool?
    [pact] pact?
   *[other] { $kind }
}
show-out = { $caller } compared with { $target }: { $out } is out.
show-tie = { $caller } compared with { $target }: equal, both stay.
show-hand = { $name }: { $cards }, { $points }
show-over = Hand { $hand } is over: { $winners }.
show-lifted = Lifted for the deal: { $cards }
hold-hint = [{ $key }] next hand (it comes by itself in { $n } s)

## What may be done

do-call = Stay for { $amount }
do-raise = Raise to { $min }–{ $max }
do-dark = Go dark for { $min }–{ $max }
do-compare = Compare for { $amount }{ $with ->
    [none] {""}
   *[other] {" "}with { $with }
}
do-fold = Fold
do-look = Look at my cards
do-redeal = Show three tens: redeal
do-boil = Ask: shall we boil?
do-yes = Yes
do-no = No
do-not-now = Not now
do-split = Divide the bank
do-no-split = Play it out
do-enter = { $price ->
    [0] Take part in the svara
   *[other] Enter the svara for { $price }
}
do-stay-out = Stay out
do-ante = Put in the ante: { $amount }
do-omit = Leave the ante out
do-keep = Keep the card
do-replace = Have it replaced by one of the { $n } not dealt
do-cut = Cut the deck ({ $min }–{ $max })
do-lift = Lift a packet ({ $min }–{ $max })
do-expose = { $whose ->
    [mine] Have my first card face up
   *[theirs] Turn up the first card of …
}
do-pool = Enter together with …
do-pact = Propose a pact to …
then-paid = leaves you { $stack }, bank { $bank }
then-raise = then the others pay that
then-dark = without having looked
then-fold = { $paid ->
    [0] your cards stay closed
    [one] the { $paid } you put in is gone
   *[other] the { $paid } you put in are gone
}
then-free = free
q-admit = { $name } has sat down, with the key { $fingerprint }. Is that { $name }? Then the newcomer may decide with the others.

## Asking first

sure-title = Are you sure?
sure-pay = { $amount } is more than half of your { $stack } chips.
key-closed = [{ $key }] only closed the page. Press it again for what it does.
keys-collide = [{ $key }] was given to “{ $one }” in the settings, but it means “{ $two }” as well. Change one of them below [keys].
form-not-typed = Nothing can be typed here: ←→ or the space bar changes it.
form-clash = “{ $one }” and “{ $other }” do not go together. Change one of them.
form-no-name = Type a name.
address-bad = “{ $text }” is no address. One looks like 192.168.1.5:24336.
wait-reach = Reaching { $target } …
wait-back = [{ $key }] goes back.
wait-come = { $come } of { $all } have come.
search-goes-on = The search goes on; [{ $key }] ends it.
explain-boil = Both throw their cards in, and the bank is played for again.
then-boil = new deal, same bank
then-pact = halve what either takes
dealt-asked = The cards are dealt.
proof-deal-asked = The deal is signed by all and complete.
lobby-friends = { $mark } you have played together
sure-look = Look? Whoever looks first gives up the right to play dark in this deal.
too-soon = It has only just become your turn. Press again to do what is marked.
bought = You have bought { $n }: you have { $stack } now.
just-closed = The line was only just closed: that key made no move. Press it again.
sure-leave = Leave the table?
sure-leave-with = You would go with { $n ->
    [one] { $n } chip
   *[other] { $n } chips
}, and if you come again, begin anew with a buy-in. For a break there is [{ $key }] sit out.
sure-leave-hand = Leave the table? You are in a hand: it is folded on your turn, and { $paid ->
    [one] the { $paid } you put in is
   *[other] the { $paid } you put in are
} gone.
ctrl-c-lobby = Ctrl-C once more ends the program.
ctrl-c-table = Ctrl-C once more leaves the table.
ctrl-c-hand = You are in a hand, with { $paid } of yours in the bank. Ctrl-C once more leaves; the hand is folded on your turn.
ctrl-c-leaving = Leaving. Ctrl-C a third time ends the program at once.

## Why something is not possible now

not-now = Nothing can be done just now.
not-your-turn = It is the word of { $name }, not yours.
only-these = Not now. Possible: { $choices }
why-no-dark = Dark play is closed to you: who looks, bets or folds ends it for all who follow.
why-no-redeal = For a redeal you need three tens, and have to have looked.

## Dialogs

amount-how-much = How many?
amount-which = Which of the { $n } cards that were not dealt?
exposed-card = { $n ->
    [0] Your { $card } lies face up.
   *[other] Your { $card } lies face up. Keep it, or have it replaced? You would be asked which of the { $n } cards that were not dealt takes its place: any number is as good.
}
amount-limits = { $min } to { $max }
amount-not = Outside the limits.
amount-pool = { $name } pays the other { $rest }.
amount-preset = { $key ->
    [p] price
    [x] twice
    [h] half bank
   *[m] most
}
button-ok = do it
button-back = back
chat-title = Chat
help-title = How to play, and all keys
help-intro =
    Arrows choose, Enter does it; or press the key in brackets. Each in turn pays the price to stay, raises it, folds, or compares with the neighbour on the right: fewer points are out. Points are the best sum within one suit.
    A Russian keyboard layout works with the same keys.
help-typed = Typed, after [{ $key }]: /divide ends the hand and divides its bank, if all agree; /close ends a table whose others do not come back; /who, /propose ante=2.
help-keys = Other keys: in the settings file, { $file }, below [keys] lines such as fold = "F8". The names are the English ones of the moves and commands.
group-move = Your word (only what is possible is offered)
group-table = At the table
group-lobby = In the lobby
group-everywhere = Everywhere
house-title = The rules of this table (* differs from the game as it is)
house-propose = To propose other rules: { $key }, then for example “/propose ante=2” or “/propose seka”. They hold from the next hand on, if everybody agrees.
hint-title = What beats what, and your chances
proofs-title = Fairness: the proofs of this hand
proofs-intro = Your program has checked every line itself; nobody had to be believed. The times are from the request until the proof held here.
proofs-none = This hand has no proofs yet.
proofs-next = { $n ->
    [one] { $n } more for the next deal, which is prepared early.
   *[other] { $n } more for the next deal, which is prepared early.
}
proofs-table = Table: { $id }
proofs-file = Transcript: { $file }
proof-shuffle = { $name } shuffled; proved: no card added, doubled or dropped. { $ms } ms
proof-deal = The deal is signed by all and complete. { $ms } ms in all
proof-shares = Your cards: the others’ layers came off, each with a proof. { $ms } ms
proof-compared = { $caller } and { $target } proved whose hand is higher. { $ms } ms
proof-lifted = The card that { $name } lifted is the card that lies there in the deck. { $ms } ms
proof-opened = The cards that { $name } showed are the cards that were dealt. { $ms } ms
proofs-keys = Key fingerprints, to be read to each other:

## Hints at the bottom

hint-form = ↑↓ choose · ←→ change · type · Enter on the button · Esc back
hint-first = ↑↓ choose · type · ←→ change · Enter goes on
hint-history = ↑↓ choose · PgUp PgDn scroll this hand · Esc back
hint-amount = Digits or ↑↓ PgUp PgDn · Enter does it · Esc back
hint-players = ↑↓ choose · Enter does it · Esc back
hint-sure = Enter yes · Esc no
hint-text = Enter sends · Esc back
hint-chat = Enter sends · “/” begins a command: /hint /rebuy 100 /divide /close · Esc back
hint-scroll = ↑↓ PgUp PgDn scroll · any other key closes

## What commands are called

key-call = stay
key-raise = raise
key-dark = go dark
key-look = look
key-compare = compare
key-fold = fold
key-redeal = redeal (three tens)
key-boil = boil
key-accept = yes
key-refuse = no
key-split = divide the bank
key-no-split = play it out
key-enter = enter the svara
key-stay-out = stay out
key-pool = enter together
key-pact = pact
key-cut = cut
key-lift = lift
key-expose = turn a card up
key-keep = keep the card
key-replace = replace the card
key-ante = put in the ante
key-omit = leave the ante out
key-chat = chat
key-log = log
key-proofs = proofs
key-house = rules
key-hint = hint
key-mute = mute chat
key-more-time = more time
key-rebuy = buy chips
key-sit-out = sit out
key-start = begin now
key-leave = leave
key-join = join
key-make = new table
key-practise = practise
key-address = by address
key-history = history
key-settings = settings
key-quit = quit
key-help = help
key-ctrl-c = twice leaves
