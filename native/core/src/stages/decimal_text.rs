//! Decimal numbers of any size as Java's BigDecimal reads, adds and writes them.
//!
//! Numbers keep their scale: 1.0 + 1.00 is 2.00. Digits are bounded, because a short text such as
//! 1E+999999999 would else fill the memory. Everything here takes time linear in the digits.

use std::cmp::Ordering;

use super::java_text::Charset;
use crate::codec::counters::decimal_digit;
use crate::{Error, Result};

/// The most digits that a sum may have.
const MAX_DIGITS: i64 = 1_000_000;
const MAX_SCALE: i64 = i32::MAX as i64;

/// Digits x 10^exponent; the digits (0 to 9 each) have no leading zero, zero itself is one digit and
/// never negative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecimalText {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl DecimalText {
    /// Reads what `new BigDecimal(String)` reads.
    pub fn read(data: &[u8]) -> Result<DecimalText> {
        let text = Charset::Utf8.decode(data);
        let refused = |why: &str| {
            let start: String = text.chars().take(40).collect();
            Error::InvalidBytes(format!("{start:?} {why}"))
        };
        let (negative, rest) = match text.strip_prefix(['+', '-']) {
            Some(rest) => (text.starts_with('-'), rest),
            None => (false, text.as_ref()),
        };
        let (mantissa, power) = match rest.split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, read_power(power)),
            None => (rest, Some(0)),
        };
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: Option<Vec<u8>> = whole.chars().chain(part.chars()).map(digit).collect();
        let (Some(digits), Some(power)) = (digits.filter(|digits| !digits.is_empty()), power)
        else {
            return Err(refused("is not a decimal number"));
        };
        let exponent = power.saturating_sub(part.chars().count() as i64);
        let number = DecimalText::new(negative, digits, exponent);
        if !(-MAX_SCALE..=MAX_SCALE).contains(&exponent) {
            return Err(refused("has an exponent out of bounds"));
        }
        if number.digits.len() as i64 >= MAX_DIGITS {
            return Err(refused("has too many digits"));
        }
        Ok(number)
    }

    fn new(negative: bool, mut digits: Vec<u8>, exponent: i64) -> DecimalText {
        let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
        digits.drain(..zeros.min(digits.len().saturating_sub(1)));
        DecimalText {
            negative: negative && digits != [0],
            digits,
            exponent,
        }
    }

    fn is_zero(&self) -> bool {
        self.digits == [0]
    }

    /// The place behind the first digit, as a power of ten.
    fn top(&self) -> i64 {
        self.exponent + self.digits.len() as i64
    }

    /// Adds exactly; the result has the larger scale of the two.
    pub fn add(&self, other: &DecimalText) -> Result<DecimalText> {
        let low = self.exponent.min(other.exponent);
        let nonzero = [self, other].into_iter().filter(|number| !number.is_zero());
        let top = nonzero.map(DecimalText::top).max().unwrap_or(low);
        let width = top - low;
        if width >= MAX_DIGITS {
            return Err(Error::InvalidBytes(
                "a sum of decimal numbers has too many digits".to_owned(),
            ));
        }
        let width = usize::try_from(width).unwrap_or_default();
        let (left, right) = (self.aligned(low, width), other.aligned(low, width));
        let (negative, digits) = if self.negative == other.negative {
            (self.negative, add_digits(&left, &right))
        } else if left >= right {
            (self.negative, subtract_digits(&left, &right))
        } else {
            (other.negative, subtract_digits(&right, &left))
        };
        Ok(DecimalText::new(negative, digits, low))
    }

    /// The digits down to the power `low`, filled up with zeros in front to one more than `width`.
    fn aligned(&self, low: i64, width: usize) -> Vec<u8> {
        let mut digits = vec![0; width + 1];
        if !self.is_zero() {
            let shift = usize::try_from(self.exponent - low).unwrap_or_default();
            let places = digits.iter_mut().rev().skip(shift);
            for (place, digit) in places.zip(self.digits.iter().rev()) {
                *place = *digit;
            }
        }
        digits
    }

    fn magnitude_cmp(&self, other: &DecimalText) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => return Ordering::Equal,
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
        self.top().cmp(&other.top()).then_with(|| {
            let most = self.digits.len().max(other.digits.len());
            let filled = |digits: &'_ [u8]| {
                let mut filled = digits.to_vec();
                filled.resize(most, 0);
                filled
            };
            filled(&self.digits).cmp(&filled(&other.digits))
        })
    }

    /// Compares the numbers; 1.0 and 1.00 are equal.
    pub fn compare(&self, other: &DecimalText) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude_cmp(other),
            (true, true) => other.magnitude_cmp(self),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }

    /// Appends the text as `BigDecimal.toString` writes it.
    pub fn write(&self, out: &mut Vec<u8>) {
        if self.negative {
            out.push(b'-');
        }
        let adjusted = self.top() - 1;
        let text: Vec<u8> = self.digits.iter().map(|digit| b'0' + digit).collect();
        if self.exponent > 0 || adjusted < -6 {
            let (first, rest) = text.split_at(1);
            out.extend_from_slice(first);
            if !rest.is_empty() {
                out.push(b'.');
                out.extend_from_slice(rest);
            }
            out.extend_from_slice(format!("E{adjusted:+}").as_bytes());
            return;
        }
        let scale = usize::try_from(-self.exponent).unwrap_or_default();
        // Not more than six zeros go in front: the first digit stands at most there.
        let mut padded = vec![b'0'; (scale + 1).saturating_sub(text.len())];
        padded.extend_from_slice(&text);
        let (whole, part) = padded.split_at(padded.len() - scale);
        out.extend_from_slice(whole);
        if !part.is_empty() {
            out.push(b'.');
            out.extend_from_slice(part);
        }
    }
}

fn digit(letter: char) -> Option<u8> {
    decimal_digit(letter).and_then(|value| u8::try_from(value).ok())
}

/// Reads an exponent; one that is far out of bounds stays out of bounds.
fn read_power(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix(['+', '-']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    let limit = i64::MAX / 4;
    let power = digits.chars().try_fold(0i64, |power, letter| {
        let next = power
            .saturating_mul(10)
            .saturating_add(decimal_digit(letter)?);
        Some(next.min(limit))
    })?;
    Some(if negative { -power } else { power })
}

fn add_digits(left: &[u8], right: &[u8]) -> Vec<u8> {
    let mut carry = 0;
    let mut sum: Vec<u8> = left
        .iter()
        .zip(right)
        .rev()
        .map(|(left, right)| {
            let total = left + right + carry;
            carry = total / 10;
            total % 10
        })
        .collect();
    sum.reverse();
    sum
}

/// Subtracts; the left one is not the smaller.
fn subtract_digits(left: &[u8], right: &[u8]) -> Vec<u8> {
    let mut borrow = 0;
    let mut rest: Vec<u8> = left
        .iter()
        .zip(right)
        .rev()
        .map(|(left, right)| {
            let total = left + 10 - right - borrow;
            borrow = u8::from(total < 10);
            total % 10
        })
        .collect();
    rest.reverse();
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(number: &DecimalText) -> String {
        let mut out = Vec::new();
        number.write(&mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn text_comes_back_as_java_writes_it() -> Result<()> {
        for (given, expected) in [
            ("00.50", "0.50"),
            ("-0", "0"),
            ("3e3", "3E+3"),
            ("0.0000001", "1E-7"),
            ("0.000001", "0.000001"),
            ("-12.5E-10", "-1.25E-9"),
            (".5", "0.5"),
            ("5.", "5"),
            ("0E-7", "0E-7"),
        ] {
            assert_eq!(written(&DecimalText::read(given.as_bytes())?), expected);
        }
        Ok(())
    }

    #[test]
    fn sums_keep_the_larger_scale() -> Result<()> {
        for (left, right, expected) in [
            ("1.0", "2.00", "3.00"),
            ("99", "1", "100"),
            ("1", "-1.0", "0.0"),
            ("-5", "3", "-2"),
            ("1E+3", "0", "1000"),
        ] {
            let sum =
                DecimalText::read(left.as_bytes())?.add(&DecimalText::read(right.as_bytes())?)?;
            assert_eq!(written(&sum), expected, "{left} + {right}");
        }
        Ok(())
    }
}
