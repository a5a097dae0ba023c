//! Git object names and the hashing of blobs.

use std::fmt;

use sha1::Digest as _;

/// The hash function that a repository names its objects with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ObjectFormat {
    Sha1,
    Sha256,
}

impl ObjectFormat {
    /// Length of an object name in bytes.
    pub(super) fn len(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 => 32,
        }
    }

    /// The name of the tree without entries, which git knows without storing it.
    pub(super) fn empty_tree(self) -> &'static str {
        match self {
            Self::Sha1 => "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            Self::Sha256 => "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
        }
    }
}

/// An object name of either format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ObjectId {
    bytes: [u8; 32],
    len: u8,
}

impl ObjectId {
    pub(super) fn from_slice(slice: &[u8]) -> Option<Self> {
        let mut bytes = [0; 32];
        bytes.get_mut(..slice.len())?.copy_from_slice(slice);
        Some(Self { bytes, len: u8::try_from(slice.len()).ok()? })
    }

    /// Reads lower-case hexadecimal digits.
    pub(super) fn from_hex(hex: &[u8]) -> Option<Self> {
        if hex.len() != 40 && hex.len() != 64 {
            return None;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let bytes: Option<Vec<u8>> = hex
            .chunks_exact(2)
            .map(|pair| match pair {
                [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
                _ => None,
            })
            .collect();
        Self::from_slice(&bytes?)
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or(&self.bytes)
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Names a blob whose content comes in pieces; its length must be known first.
pub(super) enum BlobHasher {
    Sha1(sha1::Sha1),
    Sha256(sha2::Sha256),
}

impl BlobHasher {
    pub(super) fn new(format: ObjectFormat, len: u64) -> Self {
        let mut hasher = match format {
            ObjectFormat::Sha1 => Self::Sha1(sha1::Sha1::new()),
            ObjectFormat::Sha256 => Self::Sha256(sha2::Sha256::new()),
        };
        hasher.update(format!("blob {len}\0").as_bytes());
        hasher
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha1(hasher) => hasher.update(bytes),
            Self::Sha256(hasher) => hasher.update(bytes),
        }
    }

    pub(super) fn finish(self) -> ObjectId {
        let mut bytes = [0; 32];
        let len = match self {
            Self::Sha1(hasher) => copy_into(&mut bytes, &hasher.finalize()),
            Self::Sha256(hasher) => copy_into(&mut bytes, &hasher.finalize()),
        };
        ObjectId { bytes, len }
    }
}

fn copy_into(bytes: &mut [u8; 32], digest: &[u8]) -> u8 {
    bytes.iter_mut().zip(digest).for_each(|(to, from)| *to = *from);
    u8::try_from(digest.len()).unwrap_or(32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_blobs_as_git_does() {
        let name = |format| {
            let mut hasher = BlobHasher::new(format, 6);
            hasher.update(b"hel");
            hasher.update(b"lo\n");
            hasher.finish()
        };
        let sha1 = ObjectId::from_hex(b"ce013625030ba8dba906f756967f9e9ca394464a").unwrap();
        let sha256 =
            ObjectId::from_hex(b"2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4").unwrap();
        assert_eq!(name(ObjectFormat::Sha1), sha1);
        assert_eq!(name(ObjectFormat::Sha256), sha256);
    }

    #[test]
    fn refuses_what_is_no_object_name() {
        for text in ["", "ce01", "ce013625030ba8dba906f756967f9e9ca394464g"] {
            assert_eq!(ObjectId::from_hex(text.as_bytes()), None, "{text}");
        }
        assert_eq!(ObjectId::from_slice(&[0; 33]), None);
    }
}
