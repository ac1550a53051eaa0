//! S0: the key matrix.

use curve25519_dalek::{ristretto::RistrettoPoint, scalar::Scalar};

use super::{Deal, ID, changes, join, rng};
use crate::{
    DealId, DealKeys, Error, KeyMessage, Params, PublicKey, SecretKey,
    context::ProofTranscript,
    error::Members,
    keys::{generate, possession, prove, verify},
    wire::Element,
};

#[test]
fn every_change_of_a_message_is_refused() {
    let (_, message) = generate(&ID, 3, &mut rng(1));
    assert!(verify(&ID, 3, &message).is_ok());
    let bytes = message.to_bytes();
    let changed = changes(&bytes, |word| word < 2);
    assert_eq!(changed.len(), 4 + 4 + 3 + 1);
    for (what, bytes) in changed {
        if let Ok(message) = KeyMessage::from_bytes(&bytes) {
            let error = verify(&ID, 3, &message).unwrap_err();
            assert_eq!(error, Error::KeyProof { participant: 3 }, "{what}");
            assert_eq!(error.guilty(), Some(3));
        }
    }
}

#[test]
fn a_proof_is_bound_to_deal_and_seat() {
    let (_, message) = generate(&ID, 3, &mut rng(1));
    // replayed in another seat, at a new table, in a new attempt
    assert!(verify(&ID, 4, &message).is_err());
    assert!(verify(&DealId([43; 32]), 3, &message).is_err());
    for byte in 0..32 {
        let mut id = ID;
        id.0[byte] ^= 1;
        assert!(verify(&id, 3, &message).is_err());
    }
}

#[test]
fn a_rogue_key_cannot_be_proved() {
    let mut rng = rng(2);
    let honest = [generate(&ID, 0, &mut rng), generate(&ID, 1, &mut rng)];
    let own = SecretKey::generate(&mut rng);
    // X − ΣP_i, so that the sum of all keys would be X alone
    let rogue =
        honest.iter().fold(*own.public().element().point(), |x, p| x - p.1.key().element().point());
    let rogue = PublicKey::from_bytes(Element::new(rogue).as_bytes()).unwrap();
    let mut message = prove(&ID, 2, &own, &mut rng);
    message.key = rogue;
    assert_eq!(verify(&ID, 2, &message), Err(Error::KeyProof { participant: 2 }));
    // reflected: another's key and proof as one's own
    assert_eq!(verify(&ID, 2, &honest[0].1), Err(Error::KeyProof { participant: 2 }));
}

#[test]
fn the_identity_is_no_key() {
    let zero = Element::identity();
    assert!(PublicKey::from_bytes(zero.as_bytes()).is_err());
    assert!(SecretKey::from_bytes(&[0; 32]).is_err());
    // with x = 0 the equation itself would hold
    let k = Scalar::from(5_u8);
    let mut bytes = zero.as_bytes().to_vec();
    bytes.extend(Element::new(RistrettoPoint::mul_base(&k)).as_bytes());
    bytes.extend(k.to_bytes());
    assert!(KeyMessage::from_bytes(&bytes).is_err());
    let message =
        KeyMessage { key: PublicKey(zero), t: Element::new(RistrettoPoint::mul_base(&k)), s: k };
    assert_eq!(verify(&ID, 2, &message), Err(Error::KeyProof { participant: 2 }));
}

#[test]
fn keys_are_added_up_only_as_verified() {
    let mut rng = rng(3);
    let params = Params::new(24).unwrap();
    let secret = SecretKey::generate(&mut rng);
    let [a, b, twin, foreign] = [
        (ID, 0, &secret),
        (ID, 1, &SecretKey::generate(&mut rng)),
        (ID, 1, &secret),
        (DealId([1; 32]), 1, &SecretKey::generate(&mut rng)),
    ]
    .map(|(id, seat, secret)| {
        verify(&id, seat, &prove(&id, seat, secret, &mut super::rng(4))).unwrap()
    });
    let new = |keys| DealKeys::new(ID, params.clone(), keys).map(|_| ());
    assert_eq!(new(vec![a, b]), Ok(()));
    assert_eq!(new(vec![b, a]), Err(Error::ForeignKey { participant: 0 }));
    assert_eq!(new(vec![a, foreign]), Err(Error::ForeignKey { participant: 1 }));
    assert_eq!(new(vec![a, twin]), Err(Error::EqualKeys { first: 0, second: 1 }));
    assert_eq!(new(vec![a]), Err(Error::Participants { participants: 1 }));
    assert_eq!(new(vec![a; 17]), Err(Error::Participants { participants: 17 }));
}

#[test]
fn the_key_is_hashed_before_its_challenge() {
    // else the key could be computed from t, s and the challenge, with nobody knowing its secret
    let [one, two] = [1, 2].map(|seed| {
        let key = SecretKey::generate(&mut rng(seed)).public();
        possession(&ID, 0, &key).challenge_scalar(b"c")
    });
    assert_ne!(one, two);
}

/// A message for a key that nobody knows, made from a challenge in which `t` is not hashed.
pub(super) fn forged(id: &DealId, seat: u8, key: PublicKey) -> KeyMessage {
    let c = possession(id, seat, &key).challenge_scalar(b"c");
    let s = Scalar::from(5_u8);
    let t = Element::new(RistrettoPoint::mul_base(&s) - c * key.element().point());
    KeyMessage { key, t, s }
}

#[test]
fn the_commitment_is_hashed_before_its_challenge() {
    let key = SecretKey::generate(&mut rng(1)).public();
    let message = forged(&ID, 2, key);
    assert_eq!(verify(&ID, 2, &message), Err(Error::KeyProof { participant: 2 }));
}

#[test]
fn parameters_and_every_key_are_in_the_context() {
    let deal = Deal::new(4, 3, 8);
    let mut secrets = deal.secrets.clone();
    let tags = [
        *join(ID, 4, &secrets).tag(),
        *join(ID, 5, &secrets).tag(),
        *join(DealId([0; 32]), 4, &secrets).tag(),
        *join(ID, 4, &secrets[..2]).tag(),
    ];
    secrets.swap(0, 1);
    let swapped = *join(ID, 4, &secrets).tag();
    assert_eq!(tags[0], *deal.keys.tag());
    for (index, tag) in tags.iter().enumerate() {
        assert!(!tags[..index].contains(tag) && *tag != swapped);
    }
}

#[test]
fn keys_that_cancel_out_are_refused() {
    let x = Scalar::from(77_u8);
    let keys = [(0, x), (1, -x)].map(|(seat, x)| {
        let secret = SecretKey::from_bytes(x.as_bytes()).unwrap();
        verify(&ID, seat, &prove(&ID, seat, &secret, &mut rng(5))).unwrap()
    });
    assert_eq!(
        DealKeys::new(ID, Params::new(24).unwrap(), keys.to_vec()).map(|_| ()),
        Err(Error::CancellingKeys { members: Members(0b11) })
    );
}

#[test]
fn keys_of_some_that_cancel_out_are_refused_and_all_of_them_named() {
    let honest = SecretKey::generate(&mut rng(8));
    let new = |scalars: &[i64]| {
        let keys = (0..).zip(scalars).map(|(seat, x)| {
            let scalar = match *x {
                0 => *honest.scalar(),
                x if x < 0 => -Scalar::from(x.unsigned_abs()),
                x => Scalar::from(x.unsigned_abs()),
            };
            let secret = SecretKey::from_bytes(scalar.as_bytes()).unwrap();
            verify(&ID, seat, &prove(&ID, seat, &secret, &mut rng(5))).unwrap()
        });
        DealKeys::new(ID, Params::new(24).unwrap(), keys.collect()).map(|_| ())
    };
    let refused = |scalars: &[i64], members: &[u8]| {
        let error = new(scalars).unwrap_err();
        assert!(matches!(error, Error::CancellingKeys { .. }), "{error}");
        assert_eq!(error.colluders().iter().collect::<Vec<_>>(), members, "{scalars:?}");
        assert_eq!((error.colluders().len(), error.guilty()), (members.len(), None));
    };
    // two of three, wherever they sit; three of four; all but one of six
    refused(&[0, 7, -7], &[1, 2]);
    refused(&[7, 0, -7], &[0, 2]);
    refused(&[7, -7, 0], &[0, 1]);
    refused(&[1, 2, 0, -3], &[0, 1, 3]);
    refused(&[1, 0, 2, 5, 4, -12], &[0, 2, 3, 4, 5]);
    // the smallest set is told: nobody honest is named for being in a larger one
    refused(&[3, 4, -7, -3], &[0, 3]);
    refused(&[1, 2, 4, -4, -3], &[2, 3]);
    // of all that there may be, sixteen
    let mut most: Vec<i64> = (0..15).map(|power| 1 << power).collect();
    most.push(0);
    assert_eq!(new(&most), Ok(()));
    most[14] = -(1 + 2 + 4096);
    refused(&most, &[0, 1, 12, 14]);
    most.push(99_999);
    assert_eq!(new(&most), Err(Error::Participants { participants: 17 }));
    // three of three, and what is told of it
    refused(&[1, 2, -3], &[0, 1, 2]);
    let told = new(&[1, 2, -3]).unwrap_err().to_string();
    assert_eq!(told, "the keys of participants 0, 1, 2 cancel out");
    assert!(Error::NoPositions.colluders().is_empty());
    assert_eq!(new(&[5, 0, 5]), Err(Error::EqualKeys { first: 0, second: 2 }));
    let equal = Error::EqualKeys { first: 0, second: 2 }.colluders();
    assert_eq!(equal.iter().collect::<Vec<_>>(), [0, 2]);
}

#[test]
fn the_joint_key_is_the_sum() {
    let deal = Deal::new(4, 3, 6);
    let x: Scalar = deal.secrets.iter().map(SecretKey::scalar).sum();
    assert_eq!(*deal.keys.joint().point(), RistrettoPoint::mul_base(&x));
    assert_eq!(deal.keys.mul_joint(&x), x * deal.keys.joint().point());
    assert_eq!(deal.keys.key(3), Err(Error::NoSuchParticipant { participant: 3 }));
}

#[test]
fn a_secret_key_survives_the_disk_and_is_never_shown() {
    let secret = SecretKey::generate(&mut rng(7));
    let read = SecretKey::from_bytes(secret.to_bytes().as_slice()).unwrap();
    assert_eq!(read.public(), secret.public());
    assert_eq!(format!("{secret:?}"), "SecretKey(…)");
}

#[test]
fn nonces_differ_even_when_the_random_numbers_repeat() {
    let secrets = [0, 1].map(|seed| SecretKey::generate(&mut rng(seed)));
    let t = |id, seat, secret: &SecretKey| prove(&id, seat, secret, &mut rng(9)).t;
    let base = t(ID, 0, &secrets[0]);
    assert_eq!(base, t(ID, 0, &secrets[0]));
    assert_ne!(base, t(ID, 1, &secrets[0]));
    assert_ne!(base, t(DealId([0; 32]), 0, &secrets[0]));
    assert_ne!(base, t(ID, 0, &secrets[1]));
}
