//! Decimals of any precision.
//!
//! Keys are sign, exponent of the first digit, digits in pairs: 1.0 and 1.00 are one key. Values
//! keep exponent and sign of zero. Exponents stay within +-10^9, in both forms.

use std::fmt;
use std::str::FromStr;

use num_bigint::{BigInt, BigUint, Sign};

use super::escape::complement_from;
use super::integer;
use super::reader::Reader;
use crate::{Error, Result};

/// The largest exponent, of the last and of the first digit.
pub const EXPONENT_LIMIT: i64 = 1_000_000_000;

const NAME: &str = "decimal";

/// A decimal number: coefficient x 10^exponent, or one of the three special values.
///
/// ```
/// use lexigraph_core::codec::Decimal;
/// let price: Decimal = "100E-2".parse().unwrap();
/// assert_eq!(price.to_string(), "100E-2");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decimal {
    Finite(Finite),
    Infinity { negative: bool },
    Nan,
}

/// A finite decimal. The digits (0 to 9 each) have no leading zero; zero itself is one digit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finite {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

impl Finite {
    fn new(negative: bool, digits: &[u8], exponent: i64) -> Self {
        let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
        let digits = digits
            .get(zeros..)
            .filter(|rest| !rest.is_empty())
            .unwrap_or(&[0]);
        Finite {
            negative,
            digits: digits.to_vec(),
            exponent,
        }
    }

    fn leading(&self) -> i64 {
        self.exponent.saturating_add(self.digits.len() as i64 - 1)
    }

    /// The coefficient for a smaller exponent.
    fn scaled(&self, exponent: i64) -> BigUint {
        let mut digits = self.digits.clone();
        let zeros = usize::try_from(self.exponent - exponent).unwrap_or_default();
        // Zero stays zero, whatever its exponent.
        if digits != [0] {
            digits.resize(digits.len() + zeros, 0);
        }
        BigUint::from_radix_be(&digits, 10).unwrap_or_default()
    }

    fn check(&self) -> std::result::Result<(), String> {
        if self.exponent >= -EXPONENT_LIMIT && self.leading() <= EXPONENT_LIMIT {
            return Ok(());
        }
        Err("the exponent of a decimal lies outside -10**9 to 10**9".into())
    }
}

impl Decimal {
    /// A whole number in little-endian bytes, with its sign, divided by 10^scale.
    pub(crate) fn from_unscaled(number: &[u8], scale: i32) -> Decimal {
        let (sign, digits) = BigInt::from_signed_bytes_le(number).to_radix_be(10);
        Decimal::Finite(Finite {
            negative: sign == Sign::Minus,
            digits,
            exponent: -i64::from(scale),
        })
    }

    /// The exact sum, with the smaller exponent of the two; refused beyond `max_digits` digits.
    pub(crate) fn exact_sum(&self, other: &Decimal, max_digits: i64) -> Result<Decimal> {
        let (a, b) = match (self, other) {
            (Decimal::Nan, _) | (_, Decimal::Nan) => return Ok(Decimal::Nan),
            (Decimal::Infinity { negative: a }, Decimal::Infinity { negative: b }) if a != b => {
                return Ok(Decimal::Nan)
            }
            (infinite @ Decimal::Infinity { .. }, _) | (_, infinite @ Decimal::Infinity { .. }) => {
                return Ok(infinite.clone())
            }
            (Decimal::Finite(a), Decimal::Finite(b)) => (a, b),
        };
        let exponent = a.exponent.min(b.exponent);
        let digits = a.leading().max(b.leading()).saturating_sub(exponent) + 2;
        if digits > max_digits {
            return Err(Error::InvalidValue(format!(
                "the exact sum of two decimals needs {digits} digits; at most {max_digits} are kept"
            )));
        }
        let (left, right) = (a.scaled(exponent), b.scaled(exponent));
        let sum = if a.negative == b.negative {
            Finite::new(a.negative, &digits_of(left + right), exponent)
        } else if left == right {
            Finite::new(false, &[0], exponent)
        } else if left > right {
            Finite::new(a.negative, &digits_of(left - right), exponent)
        } else {
            Finite::new(b.negative, &digits_of(right - left), exponent)
        };
        Ok(Decimal::Finite(sum))
    }

    /// Sign and digits of the number times 10^scale; none if that is not a whole number of at most so many digits.
    pub(crate) fn at_scale(&self, digits: usize, scale: usize) -> Option<(bool, Vec<u8>)> {
        let Decimal::Finite(number) = self else {
            return None;
        };
        if number.digits == [0] {
            return Some((false, vec![0]));
        }
        let mut found = number.digits.clone();
        let shift = number.exponent.checked_add(i64::try_from(scale).ok()?)?;
        if shift >= 0 {
            let len = found.len().checked_add(usize::try_from(shift).ok()?)?;
            if len > digits {
                return None;
            }
            found.resize(len, 0);
        } else {
            let zeros = found.iter().rev().take_while(|&&digit| digit == 0).count();
            let gone = usize::try_from(shift.unsigned_abs()).ok()?;
            if gone > zeros {
                return None;
            }
            found.truncate(found.len() - gone);
        }
        (found.len() <= digits).then_some((number.negative, found))
    }

    /// The exact product, with the sum of the exponents; refused beyond `max_digits` digits.
    pub(crate) fn exact_product(&self, other: &Decimal, max_digits: i64) -> Result<Decimal> {
        let (a, b) = match (self, other) {
            (Decimal::Nan, _) | (_, Decimal::Nan) => return Ok(Decimal::Nan),
            (Decimal::Infinity { negative: a }, Decimal::Infinity { negative: b }) => {
                return Ok(Decimal::Infinity { negative: a != b })
            }
            (Decimal::Infinity { negative }, Decimal::Finite(number))
            | (Decimal::Finite(number), Decimal::Infinity { negative }) => {
                return Ok(match number.digits.as_slice() {
                    [0] => Decimal::Nan,
                    _ => Decimal::Infinity {
                        negative: *negative != number.negative,
                    },
                })
            }
            (Decimal::Finite(a), Decimal::Finite(b)) => (a, b),
        };
        let digits = (a.digits.len() + b.digits.len()) as i64;
        if digits > max_digits {
            return Err(Error::InvalidValue(format!(
                "the exact product of two decimals needs {digits} digits; at most {max_digits} \
                 are kept"
            )));
        }
        let product = a.scaled(a.exponent) * b.scaled(b.exponent);
        let exponent = a.exponent.saturating_add(b.exponent);
        let negative = a.negative != b.negative;
        Ok(Decimal::Finite(Finite::new(
            negative,
            &digits_of(product),
            exponent,
        )))
    }
}

fn digits_of(number: BigUint) -> Vec<u8> {
    number.to_radix_be(10)
}

impl FromStr for Decimal {
    type Err = Error;

    /// Reads `[-]digits[E exponent]`, `inf`, `-inf` or `nan`.
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "inf" => return Ok(Decimal::Infinity { negative: false }),
            "-inf" => return Ok(Decimal::Infinity { negative: true }),
            "nan" => return Ok(Decimal::Nan),
            _ => {}
        }
        let (negative, rest) = text
            .strip_prefix('-')
            .map_or((false, text), |rest| (true, rest));
        let (coefficient, exponent) = rest.split_once('E').unwrap_or((rest, "0"));
        let digits: Option<Vec<u8>> = coefficient
            .bytes()
            .map(|byte| byte.is_ascii_digit().then(|| byte - b'0'))
            .collect();
        match (digits, exponent.trim_start().parse()) {
            (Some(digits), Ok(exponent)) if !digits.is_empty() => {
                Ok(Decimal::Finite(Finite::new(negative, &digits, exponent)))
            }
            _ => Err(Error::InvalidValue(
                "the text is not a decimal like -123E-2".into(),
            )),
        }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = match self {
            Decimal::Infinity { negative } => {
                return f.write_str(if *negative { "-inf" } else { "inf" })
            }
            Decimal::Nan => return f.write_str("nan"),
            Decimal::Finite(number) => number,
        };
        if number.negative {
            f.write_str("-")?;
        }
        let text: String = number
            .digits
            .iter()
            .map(|digit| char::from(b'0' + digit))
            .collect();
        f.write_str(&text)?;
        if number.exponent == 0 {
            return Ok(());
        }
        write!(f, "E{}", number.exponent)
    }
}

pub(crate) fn write_key(value: &Decimal, out: &mut Vec<u8>) -> Result<()> {
    let number = match value {
        Decimal::Infinity { negative } => {
            out.push(if *negative { 0 } else { 4 });
            return Ok(());
        }
        Decimal::Nan => {
            out.push(5);
            return Ok(());
        }
        Decimal::Finite(number) => number,
    };
    number.check().map_err(Error::InvalidValue)?;
    let Some(last) = number.digits.iter().rposition(|&digit| digit != 0) else {
        out.push(2);
        return Ok(());
    };
    out.push(if number.negative { 1 } else { 3 });
    let start = out.len();
    integer::write_small(number.leading(), out);
    for pair in number.digits.get(..=last).unwrap_or_default().chunks(2) {
        let tens = pair.first().copied().unwrap_or(0);
        out.push(tens * 10 + pair.get(1).copied().unwrap_or(0) + 1);
    }
    out.push(0);
    if number.negative {
        complement_from(out, start);
    }
    Ok(())
}

pub(crate) fn read_key(reader: &mut Reader<'_>) -> Result<Decimal> {
    match reader.byte(NAME)? {
        0 => Ok(Decimal::Infinity { negative: true }),
        1 => {
            reader.flip();
            let number = read_body(reader, true);
            reader.flip();
            number
        }
        2 => Ok(Decimal::Finite(Finite::new(false, &[0], 0))),
        3 => read_body(reader, false),
        4 => Ok(Decimal::Infinity { negative: false }),
        5 => Ok(Decimal::Nan),
        other => Err(Error::InvalidBytes(format!(
            "no key of a decimal starts with {other:02x}"
        ))),
    }
}

fn read_body(reader: &mut Reader<'_>, negative: bool) -> Result<Decimal> {
    let leading = read_exponent(reader)?;
    let at = reader.position();
    let pairs = reader.until_zero(NAME)?;
    let well_formed = pairs.first().is_some_and(|&first| first >= 11)
        && pairs.last().is_some_and(|&last| last > 1)
        && pairs.iter().all(|&pair| pair <= 100);
    if !well_formed {
        return Err(Error::InvalidBytes(format!(
            "codec 'decimal' does not write the digits at byte {at}"
        )));
    }
    let mut digits: Vec<u8> = pairs
        .iter()
        .flat_map(|pair| [(pair - 1) / 10, (pair - 1) % 10])
        .collect();
    if digits.last() == Some(&0) {
        digits.pop();
    }
    let exponent = leading - (digits.len() as i64 - 1);
    finish(Finite {
        negative,
        digits,
        exponent,
    })
}

pub(crate) fn write_value(value: &Decimal, out: &mut Vec<u8>) -> Result<()> {
    let number = match value {
        Decimal::Infinity { negative } => {
            out.push(if *negative { 3 } else { 2 });
            return Ok(());
        }
        Decimal::Nan => {
            out.push(4);
            return Ok(());
        }
        Decimal::Finite(number) => number,
    };
    number.check().map_err(Error::InvalidValue)?;
    out.push(u8::from(number.negative));
    integer::write_small(number.exponent, out);
    if number.digits != [0] {
        let coefficient = BigUint::from_radix_be(&number.digits, 10).unwrap_or_default();
        out.extend_from_slice(&coefficient.to_bytes_be());
    }
    Ok(())
}

/// Appends the stored form of a whole number divided by 10^scale.
pub(crate) fn write_unscaled(number: i128, scale: i32, out: &mut Vec<u8>) {
    out.push(u8::from(number < 0));
    integer::write_small(-i64::from(scale), out);
    let magnitude = number.unsigned_abs().to_be_bytes();
    let zeros = magnitude.iter().take_while(|&&byte| byte == 0).count();
    out.extend_from_slice(magnitude.get(zeros..).unwrap_or_default());
}

pub(crate) fn read_value(reader: &mut Reader<'_>) -> Result<Decimal> {
    let negative = match reader.byte(NAME)? {
        0 => false,
        1 => true,
        2 => return Ok(Decimal::Infinity { negative: false }),
        3 => return Ok(Decimal::Infinity { negative: true }),
        4 => return Ok(Decimal::Nan),
        other => {
            return Err(Error::InvalidBytes(format!(
                "codec 'decimal' does not know the kind of value {other:02x}"
            )))
        }
    };
    let exponent = read_exponent(reader)?;
    let magnitude = reader.rest();
    if magnitude.first() == Some(&0) {
        return Err(Error::InvalidBytes(
            "the coefficient of a decimal starts with a zero byte".into(),
        ));
    }
    let digits = BigUint::from_bytes_be(&magnitude).to_radix_be(10);
    finish(Finite {
        negative,
        digits,
        exponent,
    })
}

fn read_exponent(reader: &mut Reader<'_>) -> Result<i64> {
    let exponent = integer::read(reader, NAME)?.to_i64();
    // Far beyond the limit there is nothing left to tell apart, and sums stay within 64 bits.
    Ok(exponent
        .unwrap_or(i64::MAX)
        .clamp(-2 * EXPONENT_LIMIT, 2 * EXPONENT_LIMIT))
}

fn finish(number: Finite) -> Result<Decimal> {
    number.check().map_err(Error::InvalidBytes)?;
    Ok(Decimal::Finite(number))
}
