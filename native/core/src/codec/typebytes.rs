//! The type bytes of self-describing values. They are stored: never renumber, never reuse.
//!
//! 00 and ff are never type bytes: 00 ends a tuple's key, ff stays above every key.

pub(crate) const END: u8 = 0x00;
pub(crate) const NULL: u8 = 0x10;
pub(crate) const BOOL: u8 = 0x20;
pub(crate) const INT: u8 = 0x30;
pub(crate) const INT8: u8 = 0x31;
pub(crate) const INT16: u8 = 0x32;
pub(crate) const INT32: u8 = 0x33;
pub(crate) const INT64: u8 = 0x34;
pub(crate) const BIGINT: u8 = 0x35;
pub(crate) const FLOAT: u8 = 0x38;
pub(crate) const FLOAT32: u8 = 0x39;
pub(crate) const DECIMAL: u8 = 0x40;
pub(crate) const STR: u8 = 0x48;
pub(crate) const BYTES: u8 = 0x50;
pub(crate) const DATE: u8 = 0x58;
pub(crate) const TIME: u8 = 0x60;
pub(crate) const NAIVE_DATETIME: u8 = 0x68;
pub(crate) const DATETIME: u8 = 0x70;
pub(crate) const TIMEDELTA: u8 = 0x78;
pub(crate) const UUID: u8 = 0x80;
pub(crate) const IP: u8 = 0x88;
pub(crate) const GEO: u8 = 0x90;
pub(crate) const TUPLE: u8 = 0x98;
pub(crate) const LIST: u8 = 0x99;
pub(crate) const STREAM: u8 = 0xa0;
