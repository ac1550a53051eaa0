### English. Every key is a function in messages.rs, a code in problem.rs, or a help text of the
### command line; a test compares this file with the Russian one.

## Names and lists

you = { $name } (you)
somebody = seat { $seat }
points = { $n ->
    [one] { $n } point
   *[other] { $n } points
}
chips = { $n ->
    [one] { $n } chip
   *[other] { $n } chips
}

## What happens

ev-hello = Your fingerprint is { $fingerprint }. Listening on { $listen }.
ev-found = Found a node { $by ->
    [mdns] by mDNS
    [beacon] by its beacon
   *[address] at its address
}: { $address }.
ev-table = Table “{ $name }”: { $preset }, ante { $ante }. { $seats }.
ev-table-more = “trinka rules { $rules }” or “rules” here tells these rules in plain words.
three-players = Three players: when one is gone the other two play on, but one lying program can tell the other two different stories{ $dark ->
    [on] , and whoever plays dark could look at its own cards if one of the others helped with a changed program
   *[off] {""}
}. Nobody can see another’s cards. Of four or more no single program can do that.
ev-hand = Hand { $hand }. { $dealer } deals. { $seats }. Bank { $bank }.
ev-shuffled = { $name } has shuffled ({ $ms } ms).
ev-dealt = Dealt in { $ms } ms.
ev-cards = Your cards: { $cards }, { $points ->
    [one] { $points } point
   *[other] { $points } points
}.
ev-turn = { $name } is to act ({ $seconds } s).
ev-compared-out = { $caller } compares with { $target }: { $out } is out.
ev-compared-tie = { $caller } compares with { $target }: equal, both stay.
ev-shown = { $name } shows { $cards }.
ev-shown-to = { $name } shows { $cards } to { $to }.
ev-svara = Svara between { $seats }. Bank { $bank }; { $entry ->
    [0] you are in for free
   *[other] to enter costs { $entry }
}.
ev-redeal = { $name } lays three tens open: a redeal, the bank stays.
ev-redeal-layer = A layer of the deck is lost: a redeal, the bank stays.
ev-settled = Hand { $hand } is over: { $winners }. Stacks: { $stacks }.
ev-saved = Transcript: { $file }
ev-again-missing = Hand { $hand } is dealt again: somebody’s part did not come in time.
ev-again-false = Hand { $hand } is dealt again: somebody’s part was false.
ev-again-lost-layer = Hand { $hand } is dealt again: a layer of the deck is lost. The bank stays.
ev-again-tied = Hand { $hand } is shuffled again: the lifted cards are equal.
ev-fault-two-votes = { $name } voted twice, differently. The proof is kept.
ev-fault-two-messages = { $name } sent two different parts for one place of the deal. The proof is kept.
ev-fault-false-proof = { $name } sent a false proof. It is kept.
ev-fault-absent = { $name } did not answer in time.
ev-away = { $name } is gone.
ev-absent = You did not answer in time and are out for now: type “ready” to play again.
ev-left = You have left the table with { $n ->
    [one] { $n } chip
   *[other] { $n } chips
}.
ev-back = { $name } is back.
ev-cut = { $name } cuts the deck at { $at }.
ev-lifted = { $name } lifts { $cards }.
ev-counted = Counted for the first ace: { $cards }. { $dealer } deals.
ev-exposed = { $name } has { $card } face up.
ev-pool = { $name } holds the cards of a pool: { $shares }.
ev-pact = A pact: { $names } will halve what either takes.
ev-advice = { $name } advises: { $text }
ev-closed = { $name } closes the table. The bank of { $bank } waits until you meet again.
ev-say = { $name }: { $text }
ev-error = { $message } { $advice }
wins = { $name } takes { $amount }
has = { $name } { $amount }

## What the table waits for

wait-players = Waiting for more players.
wait-host = Waiting for the host to begin.
wait-founding = Waiting for signatures under the founding of the table.
wait-ready = Waiting for players to say that they play: type “ready” or “sit-out”.
wait-dealer = Waiting for the dealer.
wait-deal = Waiting for the deal.
wait-shares = Waiting for shares of a card.
wait-quorum = Nothing can be decided without the others. The table waits for them: they come back with “trinka join”. Or “close” it as it stands; once they are back, “divide” ends the hand.
wait-unheard = No connection to { $names }. In half a minute the table goes on without them; seats and chips are kept.
wait-heard = All at the table are heard again.
wait-table = Looking for the table.
wait-leaving = Waiting until the others have everything.
wait-for = (For: { $names }.)

## What is proposed

of-boil = { $name } asks: shall we boil?
of-three-tens = Does anybody lay three tens open?
of-split = Shall the tied bank be divided?
of-pool = { $name } proposes to enter together: { $shares }.
of-pact = { $name } proposes a pact: to halve what either takes.
of-expose = Whoever wants its first card dealt face up may say so now.
of-exposed = Keep the card that lies face up, or have it replaced?
of-admit = { $name } has sat down, with the key { $fingerprint }, and plays from the next hand on. If that is { $name }, let the newcomer decide with the others: admit { $short }
of-unfreeze = May { $name } play again?
of-rules = { $name } proposes other house rules: { $changes }. To agree: agree-rules; if not: refuse-rules
of-rules-agreed = { $name } agrees to other house rules: { $changes }. { $waiting ->
    [0] All agree: they hold from the next hand on
   *[other] Yet to answer: { $names }
}.
of-rules-adopted = Other house rules hold from the next hand on: { $changes } (proposed by { $name }).
of-rules-refused = { $name } does not want other house rules ({ $changes }): those in force stay.
of-rules-lapsed = What { $name } proposed as house rules ({ $changes }) is void.
of-divide = { $name } proposes to end the hand here and to divide the bank of { $bank } in equal parts among those still in it. It needs everybody. To agree: divide; if not: no-divide
of-divide-agreed = { $name } agrees to divide the bank. { $waiting ->
    [0] All agree
   *[other] Yet to answer: { $names }
}.
of-divide-refused = { $name } does not want the bank divided: the hand goes on.

## What was done

mv-call = { $name } calls { $amount }. Bank { $bank }.
mv-raise = { $name } raises to { $amount }. Bank { $bank }.
mv-dark = { $name } plays dark for { $amount }. Bank { $bank }.
mv-overdark = { $name } plays overdark for { $amount }. Bank { $bank }.
mv-look = { $name } looks.
mv-fold = { $name } folds.
mv-compare = { $name } pays { $amount } to compare. Bank { $bank }.
mv-redeal = { $name } demands a redeal.
mv-boil = { $name } asks to boil.
mv-accept = { $name } accepts.
mv-refuse = { $name } refuses.
mv-split = { $name } would divide the bank.
mv-no-split = { $name } will not divide the bank.
mv-enter = { $name } enters the svara for { $amount }. Bank { $bank }.
mv-stay-out = { $name } stays out.
mv-cut = { $name } cuts.
mv-lift = { $name } lifts.
mv-replace = { $name } has the card replaced.
mv-ante = { $name } puts in the ante of { $amount }. Bank { $bank }.
mv-omit = { $name } leaves the ante out.
mv-keep = { $name } keeps the card.
mv-expose = { $name } turns a card up.
mv-pool = { $name } proposes a pool.
mv-pact = { $name } proposes a pact.

## My turn. The words are those that can be typed.

ask = Your word? { $choices } ({ $seconds } s)
ch-call = call { $amount }
ch-raise = raise { $min }–{ $max }
ch-raise-one = raise { $amount }
ch-dark = dark { $min }–{ $max }
ch-dark-one = dark { $amount }
ch-look = look
ch-fold = fold
ch-compare = compare { $amount }
ch-compare-free = compare
ch-redeal = redeal
ch-boil = boil
ch-accept = accept
ch-refuse = refuse
ch-split = split
ch-no-split = no-split
ch-enter = enter
ch-stay-out = stay-out
ch-cut = cut { $min }–{ $max }
ch-lift = lift { $min }–{ $max }
ch-replace = replace { $min }–{ $max }
ch-ante = ante
ch-omit = omit
ch-keep = keep
ch-expose = expose NAME
ch-pool = pool NAME CHIPS NAME CHIPS …
ch-pact = pact NAME

## The table as it stands

st-nothing = No table yet.
st-table = Table “{ $name }”, between hands.
st-hand = Hand { $hand }, { $dealer } deals, bank { $bank }.
st-seat = { $name }: { $stack ->
    [one] { $stack } chip
   *[other] { $stack } chips
}
st-turn = is to act
st-out = out of the hand
st-watching = not in this hand
st-dark = plays dark
st-away = gone
st-unheard = no connection
st-cards = Your cards: { $cards }, { $points ->
    [one] { $points } point
   *[other] { $points } points
}.
ht-turn =
    When it is your word:
      call              pay the price and stay
      raise 7           pay more than the price (bet 7: exactly 7)
ht-dark = {"  "}dark 2            bet without having looked; look ends that
ht-look = {"  "}look              look at your cards
ht-compare = {"  "}compare           pay and compare with the neighbour on your right
ht-fold = {"  "}fold              throw the hand away
ht-cut = cut 7
ht-lift = lift 3
ht-replace = replace 5
ht-any =
    At any time:
      hint              what beats what, and how good your chances are
      who               who sits here, stacks, bank, whose turn
      say TEXT          say something to the table
      ready · sit-out   play the next hand, or not
      rebuy 100         buy chips
      more-time         15 more seconds for this turn
      rules             the rules of this table in plain words
      divide            end the hand here and divide its bank, if all agree
      close             end a table whose others do not come back, as it stands
      propose dark=off  other house rules from the next hand on, if all agree
      start             the host: begin with who is here
      leave             leave when the hand is over
      help              this list
    Russian words do as well, and so does a keyboard left in the other layout.

## Hints and receipts

hint-cards = You hold { $cards }: { $points ->
    [one] { $points } point
   *[other] { $points } points
}.
hint-unseen = You have not seen your cards: they are as good as anybody’s.
hint-chance = Against { $others ->
    [one] one other
   *[other] { $others } others
} you are ahead in about { $percent } of 100 cases.
hint-price = To stay costs { $price }, and there are { $bank } in the bank: it pays in the long run from { $percent } of 100 on.
hint-compare = To compare is with { $name }, and only your two hands count then.
hint-alone = Nobody is left against you.
hint-none = No cards are dealt yet.
ack-time = 15 more seconds are asked for.
ack-leave = You leave when the hand is over, with the chips you have then (now { $n }). Whoever comes again begins anew with a buy-in; for a break there is “sit-out”.
ack-ready = You play the next hand.
ack-admit = Noted: { $name } may decide with the others.
ack-rebuy-waits = Noted: { $n } are bought when the hand is over.
ack-sit-out = You sit out from the next hand on; “ready” brings you back.

## Commands that report

demo-begin = { $players ->
    [one] { $players } player
   *[other] { $players } players
}, { $hands ->
    [one] { $hands } hand
   *[other] { $hands } hands
}: each player is a process of its own.
demo-found-mdns = The { $players } nodes found each other by mDNS.
demo-found-beacon = The { $players } nodes found each other by the loopback beacon.
demo-hand = Hand { $hand }, dealt in { $ms } ms: { $winners }.
demo-names = Anna, Boris, Vera, Gleb, Dasha, Egor, Zhanna, Ilya, Katya, Lev
demo-no-lan = This machine has no network: the nodes look for each other by the loopback beacon.
demo-not-found = Not all were found by mDNS within { $seconds } seconds. Once more, by the loopback beacon.
demo-differ = The nodes tell different things about hand { $hand }.
demo-chips = Chips appeared or vanished in hand { $hand }.
demo-kind = { $kind ->
    [dark] dark bets
    [overdark] overdark bets
    [knock_out] dark play knocked out
    [tie] ties
    [svara] svaras
    [boil] boiled
    [split] divided banks
    [entry] entries
    [newcomer] newcomers
    [pool] pools
    [pact] pacts
    [redeal] redeals
    [short_stack] short stacks
    [compare] comparisons
    [exposed] exposed cards
    [lift] cards lifted
   *[other] { $kind }
} { $count }
demo-stacks = Stacks: { $stacks }.
demo-agree = All { $players } nodes hold the same log.
demo-disagree = The nodes do not agree.
demo-verified = { $verified } of { $all ->
    [one] { $all } transcript
   *[other] { $all } transcripts
} verified.
demo-deal-times = A deal took { $least }–{ $most } ms.
demo-met = Met on the way: { $kinds }.
demo-kept = The data directories are kept in { $dir }.
demo-short = Only { $hands } of { $asked ->
    [one] { $asked } hand
   *[other] { $asked } hands
} came to an end.
verify-ok = { $file }: everything in hand { $hand } holds.
verify-counts = { $messages ->
    [one] { $messages } message
   *[other] { $messages } messages
}, { $shuffles ->
    [one] { $shuffles } shuffle
   *[other] { $shuffles } shuffles
}, { $shares ->
    [one] { $shares } share
   *[other] { $shares } shares
}, { $hand_proofs ->
    [one] { $hand_proofs } hand proof
   *[other] { $hand_proofs } hand proofs
}, { $signatures ->
    [one] { $signatures } signature
   *[other] { $signatures } signatures
}.
verify-result = Result: { $winners }.
verify-rejected = { $file }: REJECTED, { $part }.
verify-where-entry = Entry { $height }.
verify-where-message = Message { $message }.
verify-where-seat = Author: seat { $seat }.
verify-reason = Reason: { $reason }
verify-seat = Seat { $seat }: { $name }, key { $fingerprint }, chips { $before } before, { $after } after
verify-seat-left = Seat { $seat }: { $name }, key { $fingerprint }, chips { $before } before; has left the table with { $after }
rank-named = { $points } · { $hand }: level { $level } (the higher level wins; of most hands it is the points)
verify-skipped = The table certified that the turn of { $name } was passed over (entry { $height }).
verify-split = divided between { $names }, { $amount } in all
verify-summary = { $good } of { $all ->
    [one] { $all } transcript holds.
   *[other] { $all } transcripts hold.
}
part-header = in the opening state
part-founding = in the founding of the table
part-deal = in a message of the deal
part-entry = in an entry of the log
part-certificate = in a certificate
part-signature = in the signature of who wrote the file
part-private = in the private part
part-end = behind the end
why-damaged = its bytes were changed
why-short = the file ends in the middle of it, or its length was changed
why-kind = something else stands in its place
why-signature = the signature does not fit
why-end = something was added
why-not-after = it does not continue the hand before
why-not-before = the hand after does not continue it
why-not-one = this is not a transcript; they end in .trinka and lie in “transcripts” of the data directory
verify-forked = { $file }: two entries were decided at height { $height }. The table ended there.
verify-two-ways = { $name } voted both ways.
verify-suspended = The table was closed here; { $bank } in the bank belong to nobody until the hand goes on.
verify-evidence = { $file }: it holds, and proves that { $name } cheated.
verify-named-votes = { $name } cheated: two different votes in one round (proved in entry { $height }).
verify-named-messages = { $name } cheated: two different parts for one place of the deal (proved in entry { $height }).
verify-named-proof = { $name } cheated: a false proof (shown in entry { $height }).
verify-unfinished = { $file }: hand { $hand } has no end here.
export-short = The script ends before the hand does; its last line says why.
verify-keys-only = This proves that these keys agreed, not who holds them.
tables-none = No table was found within { $seconds ->
    [one] { $seconds } second
   *[other] { $seconds } seconds
}.
tables-some = { $n ->
    [one] { $n } table nearby:
   *[other] { $n } tables nearby:
}
tables-line = “{ $name }”: { $rules }. Players: { $players }. Free seats: { $free } of { $seats }.
tables-playing = (playing)
tables-join = { "  " }trinka join { $id }    at { $addresses }
id-show =
    Fingerprint: { $fingerprint }
    Key: { $key }
    Kept in: { $dir }
short-help =
    trinka: Trinka and Seka, card games for friends on one network.

      trinka host Kitchen    open a table
      trinka join            take a seat at the only table nearby
      trinka practice        play against bots on this machine
      trinka demo            watch bots play, and check every transcript

    trinka --help lists everything.
practice-table = Practice
bot-name = { $name }-bot
verify-missing = Of the hands that { $owner } wrote down, these are not here: { $hands }.
man-name = Name
man-synopsis = Synopsis
man-exit = Exit codes
man-exit-codes =
    0: everything went well
    1: something failed
    2: the command line was wrong
    3: a proof or transcript was rejected
    4: the table was broken off
    130, 143: ended by a signal
usage-heading = Usage:
commands-heading = Commands
arguments-heading = Arguments
options-heading = Options
global-heading = Options of every command
examples-heading = Examples:
