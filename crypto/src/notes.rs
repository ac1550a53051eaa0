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
//! only by players who share the secret; they are refused all the same, and both named.
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
//! Folding: equation k of proof j is multiplied by a fresh random number of 128 bits that no prover knows.
//! A false equation then vanishes in the sum with probability 2⁻¹²⁸, and false ones cannot cancel out.
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
//! would leave it open, so it is refused also where the keys of several trustees cancel out. `r_iG = 0` is
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
//! # What is not hidden
//! Multiplications by secrets take constant time, also where π is committed to. But the order in which the
//! prover reads `C_π(i)` and `x^π(i)` from memory follows π; who runs programs on the same processor may learn
//! something from its caches. Copies that the compiler makes on the stack are not wiped.
