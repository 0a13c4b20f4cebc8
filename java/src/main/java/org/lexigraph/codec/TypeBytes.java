package org.lexigraph.codec;

/** The type bytes of self-describing values. Stored: never renumbered, never reused; their order is that of types. */
public final class TypeBytes {

  public static final int END = 0x00;
  public static final int NULL = 0x10;
  public static final int BOOL = 0x20;
  public static final int INT = 0x30;
  public static final int INT8 = 0x31;
  public static final int INT16 = 0x32;
  public static final int INT32 = 0x33;
  public static final int INT64 = 0x34;
  public static final int BIGINT = 0x35;
  public static final int FLOAT = 0x38;
  public static final int FLOAT32 = 0x39;
  public static final int DECIMAL = 0x40;
  public static final int STR = 0x48;
  public static final int BYTES = 0x50;
  public static final int DATE = 0x58;
  public static final int TIME = 0x60;
  public static final int NAIVE_DATETIME = 0x68;
  public static final int DATETIME = 0x70;
  public static final int TIMEDELTA = 0x78;
  public static final int UUID = 0x80;
  public static final int IP = 0x88;
  public static final int GEO = 0x90;
  public static final int TUPLE = 0x98;
  public static final int LIST = 0x99;

  private TypeBytes() {}
}
