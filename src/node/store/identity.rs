//! Who plays with this data directory.

use std::fs;
use std::io;
use std::path::Path;

use zeroize::Zeroizing;

use super::files::{private_dir, read_bounded, unusable, unwritable, write_atomic};
use crate::i18n::Problem;
use crate::identity::Identity;

/// Loads the key of a data directory, or makes one at the first start.
///
/// # Errors
/// The directory or the file cannot be used, or the file is not a key. It is never overwritten.
pub fn identity(dir: &Path) -> Result<Identity, Problem> {
    private_dir(dir).map_err(|e| unusable(dir, &e))?;
    let file = dir.join("identity");
    let bad =
        |reason: String| Problem::IdentityUnusable { file: file.display().to_string(), reason };
    match read_bounded(&file, 1_000) {
        Ok(bytes) => {
            let bytes = Zeroizing::new(bytes);
            let seed: &[u8; 32] = bytes
                .as_slice()
                .try_into()
                .map_err(|_| bad(format!("{} bytes instead of 32", bytes.len())))?;
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                let mode =
                    fs::metadata(&file).map_err(|e| bad(e.to_string()))?.permissions().mode();
                if mode & 0o077 != 0 {
                    return Err(bad(format!(
                        "others may read it (mode {:o}): chmod 600",
                        mode & 0o777
                    )));
                }
            }
            Ok(Identity::from_seed(seed))
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let mut seed = Zeroizing::new([0u8; 32]);
            getrandom::fill(seed.as_mut_slice()).map_err(|e| bad(e.to_string()))?;
            write_atomic(&file, seed.as_slice()).map_err(|e| unwritable(&file, &e))?;
            Ok(Identity::from_seed(&seed))
        }
        Err(e) => Err(bad(e.to_string())),
    }
}
