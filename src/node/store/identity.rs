//! Who plays with this data directory: a secret key, and beside it the public one to know it by.

use std::fs;
use std::io;
use std::path::Path;

use zeroize::Zeroizing;

use super::files::{
    move_beside, private_dir, read_bounded, unreadable, unusable, unwritable, write_atomic,
    write_new,
};
use crate::i18n::Problem;
use crate::identity::{Identity, PublicKey};
use crate::wire;

/// What stands beside the secret key.
enum Note {
    None,
    Key(PublicKey),
    Spoilt,
}

/// Loads the key of a data directory, or makes one at the first start; with what has to be told besides.
///
/// # Errors
/// The directory or the file cannot be used, the file is not a key, or not the one that was used here before.
/// It is never overwritten.
pub fn identity(dir: &Path) -> Result<(Identity, Option<Problem>), Problem> {
    private_dir(dir).map_err(|e| unusable(dir, &e))?;
    let (file, beside) = (dir.join("identity"), dir.join("identity.pub"));
    let noted = || beside.display().to_string();
    let note = read_note(&beside);
    let (key, told) = match (load(&file, &beside)?, note) {
        (Some(key), Note::Key(public)) if public == key.public() => return Ok((key, None)),
        (Some(_), Note::Key(_)) => {
            return Err(Problem::IdentityOther {
                file: file.display().to_string(),
                noted: noted(),
            });
        }
        // Made by a program that ended before it noted it.
        (Some(key), Note::None) => (key, None),
        (Some(key), Note::Spoilt) => {
            let aside = move_beside(&beside, "damaged")?.display().to_string();
            (key, Some(Problem::IdentityNoteSpoilt { file: noted(), aside }))
        }
        (None, Note::None) => (make(&file, &beside)?, None),
        (None, Note::Key(_) | Note::Spoilt) => {
            return Err(Problem::IdentityLost { file: file.display().to_string(), noted: noted() });
        }
    };
    // After the key: with one that is not noted one can play, but not the other way round.
    let line = format!("{}\n", key.public().hex());
    if let Err(e) = write_atomic(&beside, line.as_bytes()) {
        // It may be read on a disk that cannot be written; a node that plays there would not come so far.
        tracing::warn!("{}: {e}", beside.display());
    }
    Ok((key, told))
}

/// The public key that was noted. 65 bytes: its hex and a newline.
fn read_note(beside: &Path) -> Note {
    match read_bounded(beside, 1_000) {
        Ok(bytes) => {
            let text = String::from_utf8(bytes).unwrap_or_default();
            wire::unhex(text.trim_end()).map_or(Note::Spoilt, |key| Note::Key(PublicKey(key)))
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => Note::None,
        Err(_) => Note::Spoilt,
    }
}

/// The public key that is noted in a data directory, which may be another node's.
pub(super) fn noted_key(dir: &Path) -> Option<PublicKey> {
    match read_note(&dir.join("identity.pub")) {
        Note::Key(key) => Some(key),
        Note::None | Note::Spoilt => None,
    }
}

/// The key in a file, where there is one.
fn load(file: &Path, beside: &Path) -> Result<Option<Identity>, Problem> {
    let named = || file.display().to_string();
    let bad = |reason: String| Problem::IdentityUnusable { file: named(), reason };
    let bytes = match read_bounded(file, 1_000) {
        Ok(bytes) => Zeroizing::new(bytes),
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => {
            return Err(match unreadable(file, &e) {
                Problem::FileUnreadable { reason, .. } => bad(reason),
                other => other,
            });
        }
    };
    let seed: &[u8; 32] = bytes
        .as_slice()
        .try_into()
        .map_err(|_| Problem::IdentityLength { file: named(), bytes: bytes.len() as u64 })?;
    // What a disk gives back for what it has lost.
    if seed.iter().all(|byte| Some(byte) == seed.first()) {
        return Err(Problem::IdentityErased { file: named(), noted: beside.display().to_string() });
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(file).map_err(|e| bad(e.to_string()))?.permissions().mode();
        if mode & 0o077 != 0 {
            let mode = format!("{:o}", mode & 0o777);
            return Err(Problem::IdentityOpen { file: named(), mode });
        }
    }
    Ok(Some(Identity::from_seed(seed)))
}

/// Makes a key. Where another process has made one meanwhile, it is that one.
fn make(file: &Path, beside: &Path) -> Result<Identity, Problem> {
    let mut seed = Zeroizing::new([0u8; 32]);
    getrandom::fill(seed.as_mut_slice()).map_err(|e| unwritable(file, &e))?;
    if write_new(file, seed.as_slice()).map_err(|e| unwritable(file, &e))? {
        return Ok(Identity::from_seed(&seed));
    }
    load(file, beside)?.ok_or_else(|| unreadable(file, &io::Error::from(io::ErrorKind::NotFound)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// A directory with a key, the two files' contents and the key.
    fn made(dir: &Path) -> (Vec<u8>, Vec<u8>, PublicKey) {
        let (key, told) = identity(dir).unwrap();
        assert_eq!(told, None);
        let (secret, note) = (dir.join("identity"), dir.join("identity.pub"));
        let (secret, note) = (fs::read(secret).unwrap(), fs::read(note).unwrap());
        assert_eq!(secret, key.seed().as_slice());
        assert_eq!(note, format!("{}\n", key.public().hex()).into_bytes());
        (secret, note, key.public())
    }

    #[test]
    fn a_key_that_is_not_the_one_that_was_noted_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path();
        let (file, beside) = (dir.join("identity"), dir.join("identity.pub"));
        let (secret, note, key) = made(dir);
        let (named, noted) = (file.display().to_string(), beside.display().to_string());
        let mut flipped = secret.clone();
        *flipped.first_mut().unwrap() ^= 8;
        let other = || Problem::IdentityOther { file: named.clone(), noted: noted.clone() };
        let lost = || Problem::IdentityLost { file: named.clone(), noted: noted.clone() };
        let erased = || Problem::IdentityErased { file: named.clone(), noted: noted.clone() };
        let cases = [
            (Some(flipped), other()),
            (Some((0..32).collect()), other()),
            (Some(vec![0; 32]), erased()),
            (Some(vec![255; 32]), erased()),
            (None, lost()),
        ];
        for (bytes, problem) in cases {
            match &bytes {
                Some(bytes) => fs::write(&file, bytes).unwrap(),
                None => fs::remove_file(&file).unwrap(),
            }
            for _ in 0..2 {
                assert_eq!(identity(dir).err(), Some(problem.clone()));
                assert_eq!(fs::read(&file).ok(), bytes);
                assert_eq!(fs::read(&beside).unwrap(), note);
            }
            // Put back, it is the same player.
            write_atomic(&file, &secret).unwrap();
            assert_eq!(identity(dir).unwrap().0.public(), key);
        }
        for bytes in [vec![], secret.get(..20).unwrap().to_vec(), vec![7; 33]] {
            fs::write(&file, &bytes).unwrap();
            let problem =
                Problem::IdentityLength { file: named.clone(), bytes: bytes.len() as u64 };
            assert_eq!(identity(dir).err(), Some(problem));
        }
        write_atomic(&file, &secret).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            mode(0o644);
            let problem = Problem::IdentityOpen { file: named.clone(), mode: "644".to_owned() };
            assert_eq!(identity(dir).err(), Some(problem));
            mode(0o600);
        }
        // Whoever removes the note plays with what is there; but not with what is no key.
        fs::remove_file(&beside).unwrap();
        fs::write(&file, [0; 32]).unwrap();
        assert_eq!(identity(dir).err(), Some(erased()));
        assert!(!beside.exists());
        fs::remove_file(&file).unwrap();
        assert_ne!(made(dir).2, key);
    }

    #[test]
    fn a_key_without_its_note_is_noted() {
        let place = tempfile::tempdir().unwrap();
        let dir = place.path();
        let beside = dir.join("identity.pub");
        let (_, note, key) = made(dir);
        // A program that ended between the two, or an older one.
        fs::remove_file(&beside).unwrap();
        assert_eq!(made(dir).2, key);
        let mut long = note.clone();
        long.extend([b'a'; 2_000]);
        let spoilt = [vec![], vec![0; 65], b"nonsense".to_vec(), vec![255; 65], long];
        for (number, bytes) in (1..).zip(spoilt) {
            fs::write(&beside, &bytes).unwrap();
            let (again, told) = identity(dir).unwrap();
            assert_eq!(again.public(), key);
            let aside = dir.join(format!("identity.pub.damaged-{number}"));
            let (file, aside_named) = (beside.display().to_string(), aside.display().to_string());
            assert_eq!(told, Some(Problem::IdentityNoteSpoilt { file, aside: aside_named }));
            assert_eq!(fs::read(aside).unwrap(), bytes);
            assert_eq!(made(dir).2, key);
        }
    }

    #[test]
    fn a_key_that_another_process_makes_meanwhile_stays() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("identity");
        assert!(write_new(&file, &[1; 32]).unwrap());
        assert!(!write_new(&file, &[2; 32]).unwrap());
        assert_eq!(fs::read(&file).unwrap(), [1; 32]);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
