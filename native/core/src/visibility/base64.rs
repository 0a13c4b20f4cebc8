//! Base64 with the standard alphabet. Padding may be left out but not cut in half, and surplus
//! bits at the end are ignored, as Java's decoder has it.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub(super) fn encode(raw: &[u8], out: &mut Vec<u8>) {
    for chunk in raw.chunks(3) {
        let bits = chunk
            .iter()
            .fold(0u32, |bits, &byte| bits << 8 | u32::from(byte));
        let bits = bits << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let sextet = bits >> (18 - 6 * place) & 0x3f;
            out.push(if place > chunk.len() {
                b'='
            } else {
                ALPHABET[sextet as usize]
            });
        }
    }
}

/// Returns nothing for text that is not base64.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let unpadded = match text {
        [head @ .., b'=', b'='] if head.len() % 4 == 2 => head,
        [head @ .., b'='] if head.len() % 4 == 3 => head,
        whole => whole,
    };
    let mut out = Vec::with_capacity(unpadded.len() / 4 * 3 + 2);
    for chunk in unpadded.chunks(4) {
        if chunk.len() == 1 {
            return None;
        }
        let mut bits = 0u32;
        for &symbol in chunk {
            bits = bits << 6 | sextet(symbol)?;
        }
        let [_, bytes @ ..] = (bits << (6 * (4 - chunk.len()))).to_be_bytes();
        out.extend(bytes.iter().take(chunk.len() - 1));
    }
    Some(out)
}

fn sextet(symbol: u8) -> Option<u32> {
    let value = match symbol {
        b'A'..=b'Z' => symbol - b'A',
        b'a'..=b'z' => symbol - b'a' + 26,
        b'0'..=b'9' => symbol - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_reads_back_with_and_without_padding() {
        for length in 0..20u8 {
            let raw: Vec<u8> = (0..length).map(|byte| byte.wrapping_mul(37)).collect();
            let mut text = Vec::new();
            encode(&raw, &mut text);
            assert_eq!(text.len() % 4, 0);
            assert_eq!(decode(&text).as_deref(), Some(&raw[..]));
            text.retain(|&symbol| symbol != b'=');
            assert_eq!(decode(&text).as_deref(), Some(&raw[..]));
        }
    }

    #[test]
    fn half_padding_stray_padding_and_foreign_symbols_are_refused() {
        for text in [
            "Q", "QQ=", "QQ===", "====", "=", "QUI==", "QQ==QQ==", "QQ= =", "Q*==",
        ] {
            assert_eq!(decode(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn surplus_bits_at_the_end_are_ignored() {
        assert_eq!(decode(b"QR=="), decode(b"QQ=="));
    }
}
