//! Why it is sound: notes apart from the protocols, for those who check them.
//!
//! # What is assumed
//! Discrete logarithms in Ristretto255 are hard, also the decisional Diffie–Hellman problem, and the
//! transcript behaves like a random oracle. Nobody knows a linear relation between `G`, `h`, the `h_i` and
//! the `M_c`, because all but `G` are hashed to the group.
//!
//! # S0
//! A Schnorr proof, sound by rewinding. The deal id and the seat are hashed, so neither a proof from another
//! table nor that of another seat fits. A rogue key `X − ΣP_i` would need the discrete logarithm of what
//! others chose. This is why a sum of keys is only made of verified ones. Two equal keys can both be proved
//! only by players who share the secret; they are refused all the same, and both named. So are keys of several that
//! add up to nothing.
//!
//! # S1
//! c_A fixes π before x is known; c_B fixes b after x and before y and z. By check 1 the vector v that is
//! opened is `yπ(i) + b_i − z`. Check 2 ties `p̃` to the running product of v: written in powers of w,
//! `w p̃_{i+1} − p̃_i ṽ_{i+1}` has no term w² exactly if `p_{i+1} = p_i v_{i+1}`, and its other two
//! coefficients are fixed in c_Δ and c_δ before w. So `∏(yπ(i) + b_i − z) = ∏(yk + x^k − z)`, two
//! polynomials in z of degree n with the same value at a random point: the multisets `{yπ(i) + b_i}` and
//! `{yk + x^k}` are equal, and since y is random, so are the pairs: π is a permutation and
//! `b_i = x^π(i)`. Checks 3 and 4 then say `Σ x^k C_k = Σ x^π(i) C'_i` up to a mask, for a random x that was
//! drawn after C' and π were fixed; two polynomials in x, so each `C'_i` is a mask of `C_π(i)`.
//! Every error probability is at most about n/ℓ.
//!
//! Each answer has its own uniform mask (d, δ, α and the blinds), so the proof shows nothing else.
//! `δ_1 = d_1` and `δ_n = 0` make the first and last partial product public, so neither `p̃_1 = ṽ_1` nor
//! `p̃_n` is sent.
//!
//! Folding: equation k of proof j is multiplied by a number of 128 bits, not zero, that no prover knows: a hash over
//! the verifier's own random bytes and over all statements and proofs that are folded. A false equation then vanishes in the sum with probability 2⁻¹²⁸, and false ones cannot cancel out.
//! Ciphertexts have two halves, and each is weighted by its own. When the sum fails, each proof is checked
//! alone with new weights, and the first that is false is named; those after it only say something about
//! decks that were never accepted.
//!
//! # S2
//! `w_k` is drawn after all `d_k` are fixed, so `Σ w_k(d_k − x a_k) = 0` for false `d_k` has probability 1/ℓ.
//! The first check ties the x of the shares to the key. Both halves of each ciphertext and its position are
//! hashed, although `b` is in no equation: a share speaks of one card of one deck. Shares are refused while
//! any participant's shuffle is not in the deck; a share of a chosen ciphertext would open other cards.
//! That there is one last deck only, and not two versions of it, is for the table to see to.
//!
//! # S5 and S6
//! Both rest on the same linear proof. A key, an a and a U have only one x and one r each, so an item is true
//! or has a well-defined error `W_i − x a_i − r_i Z_g`. The weights `w_i` are drawn after all points are fixed;
//! the first check and that of each group pin x and `ρ_g = Σ w_i r_i`, because their bases are G alone, and
//! then the last check says that `Σ w_i` times the errors is zero: false with probability 1/ℓ if any is not.
//! One x serves all groups, and each group has its own ρ, so no error of one makes up for that of another.
//!
//! The ciphertext `V` of S6 is a share masked for the sum of the trustees' keys: all of them are needed. Z = 0
//! would leave it open: nobody to trust is refused here, and a deal in which the keys of any participants cancel out is
//! refused from the start (`DealKeys::new` looks at every set of them, and names the smallest: whoever is in it has
//! proved to know its key, and cannot have made it from a stranger's). `r_iG = 0` is
//! refused as well. A trustee's share of V is S2 with another reason, and V has proved randomness, so it opens
//! nothing but V. What comes out is P's share and no more: the layers of the holder and of all others are
//! still on the card. Who is lost before it gave its share of another's escrow takes that along: the trustees
//! open and escrow anew at once.
//!
//! S5 says `b_i − e_{i,2} = x_A a_i − r_i X_B`, which is that `e_i` under `X_B` and `(a_i, b_i)` under `X_A` have
//! the same card; that is a card of the deck, since every layer was proved. The recipients' seats and keys
//! are hashed, so nobody passes a showing on as made for another. That B does not tell others what it saw
//! cannot be proved.
//!
//! # The whole deal
//! One sum for everything is sound for the same reason as one sum for the shuffles: every equation has a
//! weight of its own that no prover knows. Coefficients of equal points may be added up first, as they are
//! points of the same sum. Keys are added up before their proofs are checked; nothing that follows from them
//! is given out before the sum is zero.
//!
//! # Openings
//! A layer that is missing leaves `M + xa`, which is a card point only if a relation between the bases is
//! known. A verified share remembers the ciphertext it was proved for.
//!
//! # S3
//! Commitments. A and B are fixed before c. `f_{j,i} = σ_{j,i}c + a_{j,i}` for the σ and a that are
//! committed to (i ≥ 1), and `f_{j,0} = c − Σ_{i≥1} f_{j,i}` has `σ_{j,0} = 1 − Σ_{i≥1} σ_{j,i}`. The
//! second half of the first check says that `f(c − f) = σ(1 − σ)c² + …` has no term c²: every σ is 0 or
//! 1, **also** `σ_{j,0}`, and since they add up to one, exactly one of them is 1. If the second half left
//! i = 0 out, a digit like (−1, 1, 1) would pass, and a sum of three hands would count as one
//! (`two_ones_in_a_digit_are_refused`).
//!
//! Claims. So `p_h(c) = δ_{h,h*}c⁴ + lower powers` for one h*, and the second check, in powers of c, has
//! `D_h* = φ(x, r)` at c⁴, where x and r are extracted from the `z_x`, `z_r` of five challenges; everything
//! else is fixed in Q before c. The error is at most 4/ℓ. The three components are not added up: the second
//! pins x to the key, the third r to the masks, and only then the first says something about the hand. φ is
//! injective in (x, r) by its last two components alone.
//!
//! U. With x and r pinned, the first component is `(b − x_A a − S_h*) + e(Σ e₂^{t−1}(u_t.b − y u_t.a) −
//! Λ_h*) = 0` with `Y = yG`. All but h* and Λ are fixed before e, and there are N values of h*: so both
//! brackets are 0 but with probability N/ℓ. All S_h are different, hence h* is A's hand; and since `m_t =
//! u_t.b − y u_t.a` was fixed before e₂, `Σ e₂^{t−1} m_t = Σ_{t≤l} e₂^{t−1} G` makes `m_t = [t ≤ l]G` for
//! every t, but with probability NL/ℓ. Sel is the same with one ciphertext, and with A's u_t in place of
//! powers of e₂.
//!
//! The cards are fixed by others: `(a, b)` is the sum of three ciphertexts of the last deck with all
//! other layers taken off by verified shares, so its owner has no choice in it. Who is at the same time
//! the last to shuffle has none either, since its deck was proved.
//!
//! What shows. Q_k is masked by `φ(ξ_k, ζ_k)`: knowing ξ_kG and ζ_kG, the first component hides behind
//! `ξ_k a` and `eζ_k Y` (decisional Diffie–Hellman; one of them suffices, so B, who knows a part of y,
//! learns nothing either). f, z, z_x, z_r are uniform. A simulator draws them, B and Q_1, Q_2, Q_3, and
//! solves for A and Q_0. Both u_t and Sel are fresh encryptions under Y: B alone and A alone cannot open
//! them, both together can, and what they have then is what they know anyway.
//!
//! A preparation holds masks that are used up with one proof. Two proofs with the same masks and
//! different challenges would reveal σ, that is, the hand. This is why it is consumed, cannot be cloned,
//! and is never stored.
//!
//! Whoever knew a relation between the `h_i` could open A and B in two ways, and whoever knew one between
//! the M_c too could prove any level: the test `known_bases` does it with generators of its own, and
//! fails with those of everybody.
//!
//! # S4
//! `u_l + u_{l+1}` encrypts 2, 1 or 0 as l is below, equal to or above A's level, since u is unary. B's
//! share comes with Sel: A reads the outcome first and may keep it, so who does not answer in time has to
//! lose, which is for the table to see to. A's share of Sel is no oracle, because Sel is proved to be one
//! of the W_l for B's hand; other ciphertexts are not answered. Equations of all messages are weighted
//! and added up as in S1, and when the sum fails, each message is checked alone.
//!
//! A selection is bound to u⃗ and to both hands, not to the bytes of the proof of U: another proof for
//! the same u⃗ would prove the same.
//!
//! # What is not hidden
//! Multiplications by secrets take constant time, also where π is committed to, and nothing is read from
//! memory in an order that follows a secret: who shuffles looks at the whole deck for each `C_π(i)`, at all
//! powers for each `x^π(i)` and at every place that could be swapped where π is drawn; who proves a hand
//! looks at every entry of the table and every card point. How often a number is drawn again for π says
//! nothing about the one that is kept. Its remainder is a division of 32 bits, which takes the same time for
//! all numbers on recent processors, but not on all.
//!
//! One look-up is left: reading one's own cards (`opening::peel`) finds the card by its encoding in a hash
//! map, in variable time. Only who runs programs on the owner's processor could see it, and such a one is
//! near the screen on which the card is shown next. That a hand is not in the table shows, by the refusal
//! to prove. Copies that the compiler makes on the stack are not wiped.
