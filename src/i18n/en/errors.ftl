### English: the names of moves, and errors with what to do about them.

## Moves by name

word-bet = bet
word-dark = dark
word-look = look
word-fold = fold
word-compare = compare
word-redeal = redeal
word-boil = boil
word-accept = accept
word-refuse = refuse
word-split = split
word-no-split = no-split
word-enter = enter
word-stay-out = stay-out
word-cut = cut
word-lift = lift
word-replace = replace
word-ante = ante
word-omit = omit
word-keep = keep
word-expose = expose
word-pool = pool
word-pact = pact

## Errors: the problem, and what to do. Typed at the table

err-unknown-word = I do not know “{ $word }”.
    .advice = Type “help” for the list of commands.
err-too-many-words = There is “{ $word }” too much at the end.
    .advice = Nothing was done. Type the command without it.
err-needs-amount = “{ $word }” needs a number of chips.
    .advice = For example: { $word } 7
err-not-a-number = “{ $text }” is not a whole number.
    .advice = Write it in digits, such as 7.
err-needs-text = “{ $word }” needs some words after it.
    .advice = For example: { $word } good evening
err-text-too-long = The text is too long.
    .advice = Keep it under { $most } bytes.
err-needs-player = “{ $word }” needs the name or the seat number of a player.
    .advice = Type “who” to see them.
err-no-such-player = Nobody here is called “{ $name }”.
    .advice = Type “who” to see the names and seat numbers.
err-several-players = Several here are called “{ $name }”.
    .advice = Use the seat number instead; “who” shows it.
err-pool-form = A pool is names and chips in turn, whoever holds the cards first.
    .advice = For example: pool Anna 13 Boris 8
err-tens-form = The answer to the three-tens question is yes or no.
    .advice = Type “tens yes” or “tens no”.
err-propose-form = A proposal of house rules is switches with their values.
    .advice = For example: propose dark=off ante=2. “trinka rules --toml” lists them all.
err-not-your-word = It is not your turn.
    .advice = Wait for “Your word?”; “who” shows whose turn it is.
err-nothing-proposed = Nothing is proposed that waits for your answer.
    .advice = You can propose other house rules yourself: propose SWITCH=VALUE
err-no-tens = You do not hold three tens.
    .advice = A redeal takes three tens in your own hand.
err-move-not-open = “{ $word }” is not possible now.
    .advice = Possible are: { $choices }
err-below-price = { $amount } is less than the price of { $price }.
    .advice = Pay { $price } or more, or fold.
err-above-most = { $amount } is more than you may pay at once.
    .advice = The most is { $most }.
err-not-a-raise = { $price } is just the price, not a raise.
    .advice = Type “call” to pay it, or raise to more.
err-place-outside = There is no place { $place } here.
    .advice = Choose from { $min } to { $max }.

## The command line

err-full-screen-missing = The full screen needs a terminal.
    .advice = Run it in a terminal window, or use --ui plain, or --ui json for scripts.
err-bot-missing = There is no “{ $bot }” bot.
    .advice = Use --bot careful, --bot bold or --bot random.
err-bad-set = “{ $text }” sets nothing.
    .advice = Write it as SWITCH=VALUE, such as --set ceiling=50.
err-no-such-preset = There are no rules called “{ $name }”.
    .advice = Use trinka-classic, trinka-online or seka.
err-option-range = { $option } cannot be { $given }.
    .advice = Choose from { $min } to { $max }.
err-options-clash = { $one } and { $other } do not go together.
    .advice = Leave one of them out.
err-bad-name = This name cannot be shown.
    .advice = Use 1 to { $most } letters or digits.
err-no-data-dir = There is no home directory to keep data in.
    .advice = Name a directory with --data or TRINKA_DATA.
err-unknown-argument = There is no “{ $argument }” here.
    .advice = Add --help to see what there is.
err-unknown-command = There is no command “{ $command }”.
    .advice = trinka --help lists the commands.
err-missing-argument = { $argument } is missing.
    .advice = Add --help to see how it is written.
err-bad-value = { $argument } cannot be “{ $value }”.
    .advice = Add --help to see what it can be.
err-usage = The command line is not understood: { $text }
    .advice = Add --help to see how it is written.

err-config-syntax = This is no TOML.
    .advice = A line is written KEY = VALUE, with words in quotes: name = "Anna". Every key comes once.
err-config-key = There is no setting “{ $key }”.
    .advice = There are: { $known }
err-config-binding = Under [keys], “{ $what }” is neither a command nor a key.
    .advice = A line is such as fold = "f" or start = "F5". The names are those of the moves and commands, such as call, raise, compare, chat, hint, leave.
err-config-value = “{ $key }” cannot have this value.
    .advice = { $key ->
        [lang] It is "ru" or "en".
        [ui] It is "full", "plain" or "json".
        [pace] It is a number of milliseconds, such as 700.
        [listen] It is an address such as "0.0.0.0:24336".
        [peer] It is a list of addresses, such as ["192.168.1.5"].
        [set] It is a table of switches: [set], and below it lines such as ceiling = 50.
        [keys] It is a table of keys: [keys], and below it lines such as fold = "f".
        [color] It is true or false.
        [no-mdns] It is true or false.
       *[other] It is a text in quotes.
    }

## The node

err-table-not-seen = “{ $name }” is not to be seen yet. There is: { $tables }.
    .advice = The search goes on; if you mean one of these, stop it (Ctrl-C) and join that one.
err-going-back = “{ $name }” is not to be seen, but you have sat at a table of that name: going back to it.
    .advice = It goes on as soon as enough of the others come back like this. For a new table: trinka host.
err-left-before = You said last time that you leave “{ $name }”, and only now could the others hear it: that seat is given up, its chips went with you.
    .advice = You take another seat here, with new chips, as soon as one is free.
err-table-left = A table “{ $name }” that you have sat at is stored here; this is a new one, with new chips.
    .advice = To go on with that one: trinka join { $table }
err-no-table-seen = “{ $name }” is not to be seen yet, nor is any other table.
    .advice = The search goes on. Is the table open, and on the same network? trinka join ADDRESS works without finding.
err-nobody-hears = Nobody hears you yet: the table has not begun.
    .advice = Say it again as soon as it has.
err-needs-key = “{ $key }” does not say whom.
    .advice = Type at least { $least } of the digits in which the fingerprint begins.
err-nobody-at-the-door = Nobody whose fingerprint begins with “{ $key }” wants to sit down.
    .advice = Compare it with what the request says.
err-several-at-the-door = Several who want to sit down have a fingerprint that begins with “{ $key }”.
    .advice = Type more of its digits.
err-bot-ended = The bot { $name } is gone.
    .advice = The table goes on without it.
err-friends-spoilt = { $file } is damaged: it is no list of friends.
    .advice = It was moved to { $aside }. Friends have to be let in once more; then they are remembered again.
err-table-damaged = { $file } is damaged and cannot be used.
    .advice = It was moved to { $aside }. What the others at the table know of it comes from them, and the seat and its chips are kept; until then this node does not vote. If it happens again, check the disk.
err-party-spoilt = { $file } is damaged: how the bots play that you brought to this table is not known any more.
    .advice = It was moved to { $aside }. They come back all the same, and may play otherwise.
err-log-lost = { $file } is gone: the log of this table.
    .advice = What it held comes from the others at the table, and the seat and its chips are kept; until then this node does not vote. If nobody removed it, check the disk.
err-log-removed = { $file } was removed while the table is played.
    .advice = It was written anew and is whole. Leave the files of the data directory alone while the program runs; if nobody touched them, check the disk.
err-log-changed = { $file } was changed while the table is played, and not by this program.
    .advice = What was found there is now { $aside }, and the log was written anew. Leave the files of the data directory alone while the program runs; if nobody touched them, check the disk.
err-hand-key-lost = The key of this hand is gone: { $file }. Its cards cannot be seen any more.
    .advice = The others play on, and without this key the seat may be taken for lost in this hand; the next hand is yours again. If nobody touched the file, check the disk.
err-no-directory = { $dir } is no directory, but has to be one.
    .advice = Move it away, then start the program again.
err-no-plain-file = { $file } is no plain file but a directory or something special.
    .advice = Move it away, then start the program again.
err-not-a-file = { $file } is no file but something special, such as a pipe or a device.
    .advice = Write the transcript to a file first.

err-no-tables = There is no table nearby.
    .advice = Open one with “trinka host”, or name an address: trinka join 192.168.1.5:24336
err-several-tables = There are several tables nearby: { $tables }.
    .advice = Say which: trinka join NAME
err-table-not-found = There is no table “{ $name }” nearby.
    .advice = trinka tables shows what there is; an address works too.
err-cannot-reach = { $reason ->
    [refused] Nothing listens at { $address }.
    [timeout] Nothing answers at { $address }.
    [unreachable] There is no way to { $address } from here.
    [self] { $address } is this program itself.
    [other] What answers at { $address } is no trinka.
   *[unknown] { $address } cannot be reached.
}
    .advice = { $reason ->
        [refused] Is the table open there? The host’s program shows its address and port.
        [timeout] Check the address, and that a firewall there lets TCP port 24336 through.
        [unreachable] Are both on the same network? A VPN can be in the way.
        [self] Type the address that the other program shows.
        [other] The host’s program shows its address and port.
       *[unknown] Check the address; the log file says more.
    }
err-cannot-listen = { $reason ->
    [taken] Another program listens on { $address } already.
    [foreign] { $address } is no address of this machine.
    [denied] The system does not let us listen on { $address }.
   *[unknown] { $address } cannot be listened on.
}
    .advice = { $reason ->
        [taken] Choose another port with --listen, or 0 for any that is free.
        [foreign] Choose one of its own with --listen, or 0.0.0.0 for all of them.
        [denied] Choose a port above 1023 with --listen.
       *[unknown] Choose another address or port with --listen; the log file says more.
    }
err-data-locked = { $dir } is in use by another trinka.
    .advice = Close that one, or name another directory with --data.
err-data-unusable = { $dir } cannot be used: { $reason }.
    .advice = Check the directory and its permissions, or name another with --data.
err-identity-unusable = The key in { $file } cannot be used: { $reason }.
    .advice = Restore it from a backup. Moving it away makes you a new player with a new key.
err-identity-length = The key in { $file } cannot be used: the file has { $bytes ->
    [one] { $bytes } byte
   *[other] { $bytes } bytes
} instead of 32.
    .advice = Put it back from a copy. Moving it away, and what stands beside it as identity.pub, makes you a new player with a new key.
err-identity-open = The key in { $file } cannot be used: others may read it (permissions { $mode }).
    .advice = Take that from them: chmod 600 { $file }
err-identity-erased = The key in { $file } is gone: the file is filled with one and the same byte.
    .advice = Put it back from a copy. To play with a new key, as somebody new, remove it, and { $noted } too.
err-identity-other = The key in { $file } does not fit { $noted }: one of the two was changed.
    .advice = Put { $file } back from a copy. If it was never touched, it is { $noted } that is wrong: remove that, play on as who you are, and compare the fingerprint (trinka id) with the one that the others know.
err-identity-lost = The key of this player is gone: { $file }.
    .advice = Put the file back from a copy. To play with a new key, as somebody new, remove { $noted }.
err-identity-note-spoilt = { $file } is damaged: it holds no public key.
    .advice = It was moved to { $aside } and written anew. Compare the fingerprint (trinka id show) with the one that the others know.
err-identity-copied = Somebody else signs with this key: the data directory was copied.
    .advice = Use each directory on one machine only; this one signs nothing more.
err-other-version = They speak version { $theirs }, this is { $ours }.
    .advice = Install the same version everywhere.
err-table-full = No seat is free at “{ $name }”.
    .advice = Try again later, or choose another table.
err-not-seated = “{ $name }” began without this seat.
    .advice = Join again to be let in between hands.
err-host-only = Only the host can do that.
    .advice = Ask the host.
err-too-few-seated = { $seated ->
    [one] Only { $seated } player sits here
   *[other] Only { $seated } players sit here
}, { $least } are needed.
    .advice = Wait for more.
err-stale = Too late: the table has moved on.
    .advice = Look at what happened and decide anew.
err-not-yet = This version cannot do that yet: { $what }.
    .advice = Nothing was done.
err-rebuy-closed = Chips cannot be bought now.
    .advice = Try again when the hand is over.
err-rebuy-too-much = That is more than the table allows.
    .advice = Buy { $most } at most.
err-too-fast = Too much at once.
    .advice = Wait a moment.
err-engine-differs = The program of { $player } has another result of entry { $entry } than this one.
    .advice = One of the two plays by other rules: compare the versions (trinka --version) and update the older one.
err-engine-refuses = The table decided something that this program refuses: { $reason }.
    .advice = Compare the versions with the other players, update, and join again.
err-forked = Two different entries were decided as number { $entry }: somebody voted both ways.
    .advice = The table has ended before it, and the bank is divided. The proof is beside the transcripts.
err-not-closable = There are enough players for the table to go on.
    .advice = Close it when it waits for too many; to go away, leave.
err-other-key = { $name } was known with another key.
    .advice = Ask over another way whether it is really them: compare the fingerprints (trinka id show).
err-broken-off = The table was broken off: { $reason }.
    .advice = What was played is in the transcripts.
err-file-unreadable = { $file } cannot be read: { $reason }.
    .advice = Check the name and the permissions.
err-file-exists = { $file } is there already, and nothing is overwritten.
    .advice = Choose another name, or remove it first.
err-file-unwritable = { $file } cannot be written: { $reason }.
    .advice = Check the permissions and the free space.
err-no-transcripts = There is no transcript in { $dir }.
    .advice = Transcripts end in .trinka and lie in “transcripts” of the data directory.
err-only-unfinished = There is no transcript in { $dir }, only { $hands ->
    [one] { $hands } hand
   *[other] { $hands } hands
} without an end: their table was closed.
    .advice = To check one as far as it went: trinka verify { $file }
err-dir-not-empty = { $dir } is not empty.
    .advice = Name a directory that does not exist yet.
err-demo-node-ended = The node of { $name } ended too early ({ $status }).
    .advice = What it said stands above. --keep DIR keeps everything that the nodes wrote.
err-demo-too-slow = The nodes did not come to an end within { $seconds } seconds.
    .advice = Try fewer players or hands; --keep DIR keeps everything that the nodes wrote.
err-internal = Something went wrong inside: { $reason }.
    .advice = Please report it, with the log file.

## Rules files, scripts of the referee, hands

err-file-too-long = { $file } is too long.
    .advice = It may have { $most } bytes at most.
err-not-text = This is no UTF-8 text.
    .advice = Save the file as UTF-8.
err-toml-syntax = This is no TOML.
    .advice = A line is written SWITCH = VALUE, with words in quotes: dark = "on". Every switch comes once.
err-toml-shape = { $switch } takes one plain value.
    .advice = For example: ante = 2, or dark = "on"
err-not-a-card = “{ $text }” is no card.
    .advice = Write a rank (6 7 8 9 T J Q K A) and a suit (c d h s), such as As, or JK.
err-not-three = A hand is three cards, not { $cards }.
    .advice = For example: As Ts 9s
err-script-line = No line begins with “{ $word }”.
    .advice = A line is a command such as hand, or a seat and what it does: A bet 5
err-script-move = There is no move “{ $word }”.
    .advice = The moves are bet, dark, look, fold, compare, redeal, boil, accept, refuse, split, no-split, enter, stay-out, ante, omit, keep, replace, and besides newcomer, rebuy, away, lost, expose.
err-script-expect = “{ $word }” cannot be expected.
    .advice = Expect stacks, bank, turn, active, phase or price.
err-script-form = The line is not complete.
    .advice = It is written like this: { $form }
err-script-points = No hand is worth “{ $text }” here.
    .advice = Write its points, or three of one rank such as AAA, 666 or TTT.
err-script-name = “{ $name }” cannot be a seat’s name.
    .advice = A name is one word of at most 24 letters and digits, and no command.
err-script-name-twice = There is a seat “{ $name }” already.
    .advice = Give every seat a name of its own.
err-script-nobody = Nobody here is called “{ $name }”.
    .advice = Seats are named by lines such as: seat A 100
err-script-seats = More than { $most } seats are too many.
    .advice = Leave out who does not play.
err-script-late = “{ $word }” comes too late.
    .advice = Rules come before cards, and seats before the first hand; who sits down later is written: D newcomer 80
err-script-no-move = “{ $word }” is nothing that could be refused.
    .advice = After “!” comes a move.
err-script-no-tens = { $name } does not hold three tens.
    .advice = If it does, say so before: points { $name } TTT
err-script-allowed = This should be refused, but the rules allow it.
    .advice = Leave out the “!”, or look where the hand took another course.
err-script-cards = The cards of { $name } decide here, and are not given.
    .advice = Add them before the hand, such as: points { $name } 21
err-script-dealer = This deal is dealt by { $name }.
    .advice = Leave out the dealer line.
err-script-no-dealer = Who deals is not decided yet.
    .advice = Add what is lifted or counted, or name the dealer.
err-script-false = Expected { $what } to be { $expected }, but it is { $found }.
    .advice = One of the lines before took another course, or the expectation is wrong.

## Commands of scripts

err-line-too-long = The line is longer than 65536 bytes.
    .advice = Send one command a line.
err-not-json = The line is not JSON.
    .advice = Send one object a line, such as {"{"}"move":"fold"{"}"}
err-not-an-object = A command is one JSON object.
    .advice = Send one object a line, such as {"{"}"move":"fold"{"}"}
err-no-command = The object names no command.
    .advice = Send one such as {"{"}"move":"fold"{"}"} or {"{"}"leave":true{"}"}
err-unknown-field = There is no field “{ $field }” here.
    .advice = Leave it out, or check its spelling.
err-unknown-move = There is no move “{ $name }”.
    .advice = The moves that are open stand in “legal” of the last turn event.
err-missing-field = The field “{ $field }” is missing.
    .advice = Add it.
err-field-twice = The field “{ $field }” is there twice.
    .advice = Leave one of them.
err-wrong-value = The field “{ $field }” takes { $takes }.
    .advice = Correct it and send the command again.
takes-number = a whole number
takes-seat = a seat number
takes-list = a list of two to ten
takes-shares = as many whole numbers as there are seats
takes-text = a text of at most 1000 bytes
takes-true = only true
takes-bool = true or false
takes-object = an object
takes-switches = an object of switches with their values, such as {"{"}"dark":"off"{"}"}

## The rules

err-unknown-switch = There is no switch “{ $switch }”.
    .advice = Check its spelling, such as ante, ceiling, dark, svara.
err-bad-switch-value = { $switch } cannot be “{ $value }”.
    .advice = It is one of: { $choices }
err-sum-out-of-range = { $switch } cannot be { $chips }.
    .advice = Choose from 1 to { $most } chips.
err-switches-clash = “{ $one }” and “{ $other }” do not go together.
    .advice = { $why ->
        [wild-deck] Shaha is the six of clubs, and that deck has no sixes.
        [top_hand-deck] That deck has no sixes.
        [ceiling-opening_minimum] The ceiling may not be below the least first bet.
        [ceiling-dark] The ceiling must be at least twice the least dark bet, and one more with open_pass = 2x.
        [open_pass-compare_price] 1x goes with floor or fixed, 2x with pass.
        [open_pass-knock_out] Where all pay the same there is nothing to knock out.
        [svara_dark-dark] Without dark play there is none in a svara.
       *[other] Without svara it means nothing.
    } Change one of the two.
err-not-in-deck = { $card } is not in the deck of { $size } cards.
    .advice = Use a card of this deck.
err-card-twice = { $card } comes twice.
    .advice = Name three different cards.
err-too-few-players = At least two players are needed.
    .advice = Wait for another.
err-too-many-players = { $players } players are too many: a deck of { $deck } cards serves { $most }.
    .advice = Play with { $most } at most, or with a larger deck.
err-seat-taken = { $name } sits there already.
    .advice = Take another seat.
err-no-such-seat = Nobody sits on { $name }.
    .advice = Type “who” to see the seats.
err-bad-buy-in = { $chips ->
    [one] { $chips } chip cannot be bought.
   *[other] { $chips } chips cannot be bought.
}
    .advice = From 1, and { $most } in all at one table.
err-frozen = The stack of { $name } is frozen.
    .advice = All voting seats together can unfreeze it.
err-not-frozen = The stack of { $name } is not frozen.
    .advice = There is nothing to do.
err-in-hand = { $name } is still in the hand.
    .advice = Try again when the hand is over.
err-seat-twice = { $name } is named twice.
    .advice = Name each once.
err-dealer-not-playing = { $name } deals but does not play.
    .advice = The dealer has to be dealt in.
err-cannot-ante = { $name } has { $stack }, the ante is { $ante }.
    .advice = Buy more chips: rebuy 100
err-hand-running = The hand is not over yet.
    .advice = Try again when it is.
err-no-deal-awaited = No deal is awaited.
    .advice = There is nothing to do.
err-no-comparison = No comparison is awaited.
    .advice = There is nothing to do.
err-no-cards-out = No cards have been dealt.
    .advice = Wait for the deal.
err-no-move-awaited = No move is awaited now.
    .advice = Wait for “Your word?”.
err-not-your-turn = It is not your turn: { $name } is to act.
    .advice = Wait for “Your word?”.
err-not-open = “{ $word }” is not possible now.
    .advice = Choose one of the moves that the question lists.
err-above-ceiling = { $amount } is above the ceiling.
    .advice = No payment may be more than { $ceiling }.
err-above-stack = { $amount } is more than you have.
    .advice = You have { $stack ->
        [one] { $stack } chip left.
       *[other] { $stack } chips left.
    }
err-compare-before-bet = Nobody has bet yet.
    .advice = Comparing opens after the first bet.
err-compare-before-neighbour = { $name } has not acted yet.
    .advice = One compares with a neighbour who has.
err-compare-before-circle = Not everybody has acted yet.
    .advice = Comparing opens after the first circle.
err-compare-before-last-two = { $active } are still in.
    .advice = Only the last two compare.
err-looked-already = { $name } has looked already.
    .advice = One looks once a deal.
err-look-before-circle = Who plays dark does not look yet.
    .advice = Look when everybody has acted once.
err-dark-closed = The right to go dark has passed.
    .advice = Choose one of the moves that the question lists.
err-dark-above-half = { $amount } is too much for dark play.
    .advice = It goes up to { $most } here, so that double prices stay below the ceiling.
err-above-double = { $amount } would lift the double price above the ceiling.
    .advice = Pay { $most } at most.
err-look-first = { $name } has not looked yet.
    .advice = Look first.
err-asked-already = That was refused already.
    .advice = It can be asked again on your next turn.
err-boil-before-last-two = { $active } are still in.
    .advice = Only the last two boil.
err-answered-already = { $name } has answered already.
    .advice = There is nothing to do.
err-not-asked = { $name } is not asked.
    .advice = There is nothing to do.
err-initiators-first = The tied players answer first.
    .advice = Wait for them.
err-no-more-places = The deck serves no more than { $most } players.
    .advice = Wait for the next hand.
err-pact-already = { $name } has a pact already.
    .advice = One pact each; ask another.
err-not-in-svara = { $name } does not take part in the svara.
    .advice = Ask one who does.
err-does-not-lift = { $name } does not lift.
    .advice = Wait for those who do.
err-no-showdown = No showdown is awaited.
    .advice = There is nothing to do.
err-no-dealer-choice = No dealer is being found.
    .advice = There is nothing to do.
err-bad-lift = { $cards } cards cannot be lifted.
    .advice = Lift from 1 to { $most }.
err-other-packet = These are not the cards that { $name } has lifted.
    .advice = Name the cards of the packet, its bottom card first.
err-other-choice = The first dealer is not found like this here.
    .advice = The rules say: first_dealer = { $method }
err-exposed-already = { $name } has had a card turned up already.
    .advice = One card a player.
err-no-such-place = There is no place { $place } in the rest.
    .advice = It has { $rest ->
        [one] { $rest } card
       *[other] { $rest } cards
    }; places are counted from 0.
err-no-pools = Everybody enters a svara alone here.
    .advice = Pools need the rule pool = on.
err-in-pool = { $name } is in a pool.
    .advice = A pool plays one hand.
err-empty-part = { $name } puts nothing into the pool.
    .advice = Everybody in it puts in 1 at least.
err-pool-sum = The parts make { $sum }, but the entry is { $price }.
    .advice = They have to add up exactly.
err-refused = The rules refuse that: { $text }.
    .advice = Nothing was done.
