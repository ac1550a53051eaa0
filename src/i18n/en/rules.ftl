### English: the rules in force in plain words, and the comments of a rules file.

## Headings

rules-title = { $game ->
    [trinka] Trinka
   *[seka] Seka
}: the rules
rules-h-aim = The game
rules-h-cards = Cards and points
rules-h-hand = A hand
rules-h-dark = Playing dark
rules-h-compare = Comparing
rules-h-tens = Three tens
rules-h-svara = Svara: a tie is played again
rules-h-deal = Dealing
rules-h-switches = The switches

## The game

rules-aim = Two to { $players } players, each for themselves. Before a hand everybody puts the ante, a small fixed sum, into the bank and is dealt three cards, which nobody else sees. Then all in turn either pay into the bank to stay in, or fold, that is give up the hand. Whoever wants to know whose hand is better pays and compares with the neighbour on the right: the hand with fewer points is out. Whoever is left last takes the whole bank.

## Cards and points

rules-deck = { $deck ->
    [24] There are 24 cards: 6, 7, 8, 9, 10 and ace in four suits.
    [32] There are 32 cards: 7, 8, 9, 10, jack, queen, king and ace in four suits.
   *[36] There are 36 cards: 6, 7, 8, 9, 10, jack, queen, king and ace in four suits.
}
rules-values = { $pictures ->
    [yes] An ace counts 11, a king, a queen, a jack and a ten 10 each, any other card its number.
   *[no] An ace counts 11, any other card its number.
}
rules-suits = Only cards of one suit are added up, and the best such sum is what the hand is worth. Ace and ten of spades with any third card of another suit are 21; seven and eight of spades are 15. With three different suits the highest card alone counts. No suit is better than another.
rules-trinka = Three cards of one suit are called a trinka; the largest, ace, ten and nine, makes 30.
rules-top = { $order ->
    [aces-sixes] Three aces (33) are the highest hand. Three sixes beat everything but three aces.
    [sixes-aces] Three sixes (34) are the highest hand. Three aces (33) beat everything but three sixes.
   *[aces] Three aces (33) are the highest hand.
}
rules-two-aces = { $value ->
    [22] Two aces always count 22, whatever their suits.
   *[11] Two aces of different suits count no more than one: 11.
}
rules-triples = { $triples ->
    [sum] Three cards of one rank count their sum, suits or not: three nines are 27.
    [above] Three cards of one rank beat every sum of a suit; among themselves the higher rank wins: 6, 7, 8, 9, 10, jack, queen, king.
   *[none] Any other three cards of one rank are worth no more than their suits make of them.
}
rules-tens-points = Three tens are worth only 10 points.
rules-wild = { $wild ->
    [joker] There is a joker in the deck as well. It takes by itself whatever value is best for its holder.
   *[shaha] The six of clubs is wild (“shaha”): it takes by itself whatever value is best for its holder.
}
rules-wild-copy = { $copy ->
    [yes] It may stand for any card, even one that the hand already holds: ace and ten of spades with it are 32.
   *[no] It may not stand for a card that the hand already holds: ace and ten of spades with it are 31 at most.
}

## A hand

rules-stakes = { $ante ->
    [one] The ante is { $ante } chip.
   *[other] The ante is { $ante } chips.
} { $opening ->
    [one] The first bet of a deal is { $opening } chip or more.
   *[other] The first bet of a deal is { $opening } chips or more.
}
rules-ceiling = No single payment may be above the ceiling of { $ceiling ->
    [one] { $ceiling } chip
   *[other] { $ceiling } chips
}, antes and svara entries apart.
rules-no-ceiling = There is no ceiling: one may bet all one has.
rules-turns = The player on the dealer’s left speaks first, then the others clockwise. One action a turn. When it is your turn, you may:
rules-move-fold = fold: throw the cards away unseen. What you have put in is lost.
rules-move-call = call: pay the price, which is as much as the last bet (or the least first bet, if nobody has bet yet).
rules-move-raise = raise: pay more than the price; that is the price for the others from then on.
rules-move-compare = compare: pay and compare hands with your right-hand neighbour.
rules-flat = At every turn the whole price is paid again, whatever you have paid before; nobody may pass for nothing. Calling does not end the hand: it goes round until comparisons and folds leave one.
rules-last = The last one left takes the bank at once and shows nothing. If everybody before the dealer folds, the dealer takes the antes.
rules-short = Whoever has too few chips for even the cheapest way to stay in when their turn comes is out by themselves: they lose what they put in and keep the rest. There are no side pots. Whoever cannot pay the ante is not dealt in.
rules-time = Whoever thinks too long folds.
rules-missing-ante = { $value ->
    [dealer_pays] Each puts in the ante personally, the dealer first, then clockwise. Whoever forgets is reminded; the dealer pays for those who still do not, and they play and owe nothing. If the dealer cannot, they are not dealt in.
   *[automatic] The program takes the ante from everybody.
}

## Playing dark

rules-dark-off = Nobody plays dark: all look at their cards at once.
rules-dark = Whoever speaks first may play dark: bet without having looked at the cards. { $chain ->
    [two] The next in turn may then overdark, that is bet dark more than the first; there it ends.
   *[unlimited] The next in turn may then overdark, that is bet dark more than the one before, and so on.
} The first who folds, bets after a look or compares closes the right for everybody after.
rules-dark-least = A dark bet is { $least } or more.
rules-dark-most = A dark bet is { $most } or less, so that double prices stay below the ceiling.
rules-dark-same = Everybody pays the same to stay, dark or not. The gain is in comparing: whoever never went dark pays at least twice the last dark bet for it; { $value ->
    [fixed] whoever did pays just that bet, also after a look.
   *[floor] whoever did pays only the price of staying, also after a look.
}
rules-dark-double = Whoever has looked pays twice what a dark player pays, for staying and for comparing alike: a look ends the discount. What limits a dark bet limits every payment of a dark player.
rules-dark-knock = { $value ->
    [on] A bet of more than twice a dark player’s price, by somebody who has looked, knocks dark play out: from then on everybody pays it in full.
   *[off] A bet of more than twice a dark player’s price, by somebody who has looked, lifts what dark players pay to its half, rounded up.
} When no dark player is left, the price is twice what they last had to pay.
rules-dark-look = { $value ->
    [any_time] A dark player may look at any time, on or off turn, for nothing.
   *[after_first_circle] A dark player may look, on or off turn and for nothing, only when all who are still in have acted once.
} Whoever looks before the first action gives up the right to play dark.

## Comparing

rules-compare-from = { $value ->
    [circle_one] You may compare as soon as somebody has bet and your right-hand neighbour has acted.
    [circle_two] You may compare from the second circle on, when all who are still in have acted once.
   *[last_two] Only the last two compare, once somebody has bet.
} The right-hand neighbour is the nearest player still in on your right, so the one who acted just before you.
rules-compare-price = The price of comparing is the price of staying{ $dark ->
    [yes] {" "}(more against dark play, see above)
   *[no] {""}
}; it stays in the bank. A comparison does not change the price for the others, and the turn goes on after the one who called it.
rules-compare-tie = { $value ->
    [caller_loses] The hand with fewer points is out; with equal points it is the one who called the comparison.
   *[both_stay] The hand with fewer points is out. With equal points both stay in and are tied; they may compare again later, for the price again.
}
rules-reveal = { $value ->
    [neighbours] The two see each other’s cards; the others learn only who is out.
    [sealed] Nobody sees any cards; all learn only who is out.
   *[open] Both hands are opened for all to see.
} Folded hands stay hidden for ever.

## Three tens

rules-tens-off = Three tens give no special right.
rules-tens-demand = Whoever holds three tens (and has looked) may lay them open on their turn, or in a comparison, and demand a redeal. Nobody has to; the tens count as usual then.
rules-tens-compare = When somebody with three tens compares or is compared with, they are opened and a redeal follows by itself.
rules-redeal = In a redeal the bank stays, nobody pays an ante, betting begins anew, and the same dealer deals. Only those still in take part; whoever folded or was beaten before is out. The holder of the tens speaks first.
rules-redeal-dark = Dark play is possible in it only if somebody had played dark before; the holder then has the right.

## Svara

rules-svara-off = When all who are left have equal points, they divide the bank; odd chips go one each clockwise from the dealer’s left.
rules-svara = When all who are left are tied, there is a svara: the bank stays and is played for again. First the tied are asked whether they divide the bank; it takes all of them to agree (odd chips go one each clockwise from the dealer’s left). One refusal, and it is played.
rules-svara-no-ties = Nobody is ever tied here: with equal points whoever called the comparison is out.
rules-svara-boil = The last two may also agree on a svara without comparing: on their turn one asks “shall we boil?”, and if the other accepts, both throw their cards in unseen. There is no dividing then.
rules-svara-entry = Those who brought it about take part for nothing, or give up; if only one of them is left, that one takes the bank. The others may buy themselves in. Whoever was dealt cards in this hand pays { $played ->
    [third] a third of the bank
    [share] the bank divided by the number of the tied
   *[half] half the bank
}, anybody else { $newcomer ->
    [full] the whole bank
   *[half] half the bank
}; rounded up, and counted before anybody pays.
rules-svara-pool = Several may put the entry together. The first named holds the cards and decides, the others see them and advise; payments and winnings are shared as the entry was.
rules-svara-pact = Before the svara is dealt, two who take part may make a pact: whatever either takes of this bank, the other gets half of it.
rules-svara-deal = Those who brought it about lift for high, each some cards off the deck: the highest bottom card deals. Nobody pays an ante; then it is played like any hand. { $dark ->
    [on] Dark play is possible as in any hand.
   *[off] Nobody may play dark.
} Another tie is another svara, with a new entry.
rules-svara-poor = If fewer than two who take part could pay a single bet, all hands are opened at once: the best takes the bank, equal ones divide it.

## Dealing

rules-first-dealer = { $value ->
    [host] The host deals first.
    [lift] The first dealer is found by lifting: each lifts some cards off the deck, and whose bottom card is the highest (ace, king, queen, jack, 10 down to 6) deals. Equal ones go a card deeper.
    [count] The first dealer is found by counting: cards are opened one by one to “table, host, you, he …”; whoever gets the first ace deals. An ace on the table does not count.
   *[random] The first dealer is drawn by lot.
}
rules-next-dealer = { $value ->
    [rotate] The next hand is dealt by the player on the left of whoever dealt this one.
   *[winner] Whoever wins a hand deals the next one; after a divided bank the winners lift for it.
}
rules-cut = Everybody shuffles, the player on the dealer’s right cuts, and cards are dealt one by one clockwise. Nobody touches the rest until the next deal.
rules-exposed = Before a card is dealt, its receiver may ask to get it face up. If the dealer turns a card up, the receiver says whether to keep or to replace it: a new one is drawn from the rest, the old one goes to the bottom. At most one card a player, and only before anybody has looked; to see it does not count as a look.

## At the end

rules-switch-line = { $switch } = { $value }
rules-hash = Fingerprint of these rules, which everybody at a table signs:
rules-more = “trinka rules --toml” writes them as a file to edit; “trinka host --rules FILE.toml” plays by it.

## The referee, and places in texts

in-file = { $file }, line { $line }, column { $column }: { $text }
ref-lines = { $n ->
    [one] { $n } line holds.
   *[other] All { $n } lines hold.
}
ref-phase = Phase { $phase }, bank { $bank }.
ref-turn = It is the turn of { $name }.
ref-stacks = Stacks: { $stacks }.
ref-win = { $names } won { $amount }.
ref-split = { $names } divided { $amount }.

## Comments of a rules file

toml-head = House rules of Trinka and Seka. Change what you like, then: trinka host --rules FILE.toml. “trinka rules FILE.toml” tells in plain words what they come to. What is left out stays as the preset has it.
toml-preset = The rules that all others change: trinka-classic (as played with cards on a table), trinka-online (as an online room plays it), seka. It also tells Trinka from Seka, which read three sixes and three tens differently.
toml-deck = The cards, without a joker. 24: 6 7 8 9 10 A. 36: also jack, queen and king. 32: like 36, without sixes.
toml-top-hand = The highest hand. aces: three aces beat three sixes. sixes: the other way round (needs a deck with sixes).
toml-two-aces = What two aces of different suits count: 11 (like one) or 22.
toml-triples = Three of one rank other than the named hands. none: only their suits count. sum: three nines are 27. above: they beat every suit, the higher rank wins.
toml-three-tens = Three tens. off: no right. on_demand: the holder may demand a redeal. on_compare: a comparison with them is a redeal by itself.
toml-wild = A wild card, which takes the value best for its holder. none, joker (added to the deck), shaha (the six of clubs; needs a deck with sixes).
toml-wild-copy = May the wild card double a card that the hand holds? yes or no.
toml-ante = What each puts into the bank before the deal, in chips.
toml-opening-minimum = The least first bet of a deal: ante (as much as the ante), or a number of chips.
toml-ceiling = The most that one payment may be: none, a number of chips, or a number of antes such as 100x.
toml-missing-ante = automatic: antes are taken by themselves. dealer_pays: each is asked, and the dealer pays for whoever does not.
toml-dark = Betting without having looked: on or off.
toml-dark-chain = How many may go dark one after another: 2, or unlimited.
toml-open-pass = What who has looked pays to stay against dark play: 1x (the same; with compare_price floor or fixed, knock_out off) or 2x (twice as much; with compare_price pass).
toml-compare-price = What comparing costs where dark play counts. floor: the price, but at least twice the last dark bet for who never went dark. fixed: like floor, but who went dark pays just the last dark bet. pass: the price of staying.
toml-knock-out = With open_pass 2x: does an open bet above twice the dark level end dark play? on or off.
toml-look = When a dark player may look: after_first_circle (when all have acted once) or any_time.
toml-compare-from = From when one may compare. circle_one: when the neighbour has acted. circle_two: when all have acted once. last_two: only the last two.
toml-reveal = Who sees the cards of a comparison. neighbours: the two. sealed: nobody. open: everybody.
toml-compare-tie = Equal points in a comparison. both_stay: nobody is out, the two are tied. caller_loses: who called it is out (then only boiling leads to a svara).
toml-svara = Playing again for a tied bank: on; off: the tied divide it (boil, pool, pact and svara_dark must be off then).
toml-boil = May the last two agree on a svara without comparing? on or off.
toml-pool = May several pay the entry of a svara together? on or off.
toml-pact = May two agree to share a svara’s bank? on or off.
toml-svara-dark = Dark play in a svara: on or off.
toml-entry-played = What entering a svara costs who played the hand: half or third of the bank, or share (the bank divided by the number of the tied).
toml-entry-newcomer = What it costs who did not play: half or full.
toml-first-dealer = The first dealer: host, lift (for the highest card), count (to the first ace), random.
toml-next-dealer = The next dealer: winner, or rotate (the player on the left).
toml-exposed-card = Questions about a card turned up in dealing: on or off.
