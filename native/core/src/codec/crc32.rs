//! The checksum CRC-32 of ISO 3309, as zlib has it.

const TABLE: [u32; 256] = table();

/// Gives the checksum of some bytes.
pub fn crc32(data: &[u8]) -> u32 {
    let next = |sum: u32, &byte: &u8| {
        let place = (sum ^ u32::from(byte)) & 0xff;
        sum >> 8 ^ TABLE.get(place as usize).copied().unwrap_or_default()
    };
    !data.iter().fold(u32::MAX, next)
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut place = 0;
    while place < 256 {
        let mut sum = place as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = sum >> 1 ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 };
            bit += 1;
        }
        table[place] = sum;
        place += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
    }
}
