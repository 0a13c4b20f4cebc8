//! Sums and products of integers of any size, and of decimals without rounding.

use num_bigint::BigInt;

use crate::codec::{integer, Codec, Decimal, Integer, Value};
use crate::{Error, Result};

/// The longest exact decimal sum: 1E+900000000 and 1E-900000000 together would fill the memory.
const MAX_DECIMAL_DIGITS: i64 = 1_000_000;

/// The longest exact integer product; its digits double with every merge of equal parts.
const MAX_PRODUCT_BITS: u64 = 1 << 20;

/// An integer sum; costs no allocation within 128 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Total {
    Small(i128),
    Large(Box<BigInt>),
}

impl Total {
    /// Reads the value form of an integer.
    pub(crate) fn read(data: &[u8]) -> Result<Total> {
        if let Some(small) = integer::read_small(data) {
            return Ok(Total::Small(small.into()));
        }
        match Codec::Int.decode_value(data)? {
            Value::Int(number) => Ok(Total::from(number)),
            _ => Err(Error::InvalidBytes("the sum is not an integer".into())),
        }
    }

    pub(crate) fn add(&mut self, other: &Total) {
        if let (Total::Small(a), Total::Small(b)) = (&*self, other) {
            if let Some(sum) = a.checked_add(*b) {
                *self = Total::Small(sum);
                return;
            }
        }
        let sum = self.to_bigint() + other.to_bigint();
        *self = Total::from(Integer::from(sum));
    }

    pub(crate) fn multiply(&mut self, other: &Total) -> Result<()> {
        if let (Total::Small(a), Total::Small(b)) = (&*self, other) {
            if let Some(product) = a.checked_mul(*b) {
                *self = Total::Small(product);
                return Ok(());
            }
        }
        let (a, b) = (self.to_bigint(), other.to_bigint());
        if a.bits() + b.bits() > MAX_PRODUCT_BITS {
            return Err(Error::InvalidValue(format!(
                "a product has at most {MAX_PRODUCT_BITS} bits"
            )));
        }
        *self = Total::from(Integer::from(a * b));
        Ok(())
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Total::Small(sum) => match i64::try_from(*sum) {
                Ok(small) => {
                    integer::write_small(small, out);
                    Ok(())
                }
                Err(_) => integer::write(&Integer::from(BigInt::from(*sum)), out),
            },
            Total::Large(sum) => integer::write(&Integer::from((**sum).clone()), out),
        }
    }

    pub(crate) fn to_integer(&self) -> Integer {
        match self {
            Total::Small(sum) => match i64::try_from(*sum) {
                Ok(small) => Integer::from(small),
                Err(_) => Integer::from(BigInt::from(*sum)),
            },
            Total::Large(sum) => Integer::from((**sum).clone()),
        }
    }

    fn to_bigint(&self) -> BigInt {
        match self {
            Total::Small(sum) => BigInt::from(*sum),
            Total::Large(sum) => (**sum).clone(),
        }
    }
}

// Whatever fits is Small: equality of the derived kind rests on it.
impl From<Integer> for Total {
    fn from(number: Integer) -> Self {
        if let Some(small) = number.to_i64() {
            return Total::Small(small.into());
        }
        let large = number.to_bigint();
        match i128::try_from(&large) {
            Ok(small) => Total::Small(small),
            Err(_) => Total::Large(Box::new(large)),
        }
    }
}

pub(crate) fn add_decimals(a: &mut Decimal, b: &Decimal) -> Result<()> {
    *a = a.exact_sum(b, MAX_DECIMAL_DIGITS)?;
    Ok(())
}

pub(crate) fn multiply_decimals(a: &mut Decimal, b: &Decimal) -> Result<()> {
    *a = a.exact_product(b, MAX_DECIMAL_DIGITS)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_leaves_128_bits_and_comes_back() {
        let mut total = Total::Small(i128::MAX);
        total.add(&Total::Small(1));
        assert!(matches!(total, Total::Large(_)));
        total.add(&Total::Small(-1));
        assert_eq!(total, Total::Small(i128::MAX));
    }

    #[test]
    fn both_readers_of_integers_agree() {
        let numbers = [0, 1, -1, 127, 128, -256, 65_536, i64::MAX, i64::MIN];
        for number in numbers {
            let mut bytes = Vec::new();
            integer::write_small(number, &mut bytes);
            assert_eq!(integer::read_small(&bytes), Some(number));
            bytes.push(0);
            assert_eq!(integer::read_small(&bytes), None);
        }
        for garbage in [&[][..], &[0x7f], &[0x81, 0], &[0x7e, 0xff], &[0x82, 1]] {
            assert_eq!(integer::read_small(garbage), None);
            assert!(Total::read(garbage).is_err());
        }
    }
}
