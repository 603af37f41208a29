package dev.sequitur.ethereum;

/**
 * How values of an ABI are written as JSON, where a caller may say so.
 *
 * @param structure of what has several values
 * @param number of whole numbers
 * @param bytes of byte strings
 * @param address of addresses
 */
public record ValueFormat(Structure structure, Digits number, Digits bytes, Digits address) {
  /** Objects by name, decimal digits, and {@code 0x} with digits. */
  public static final ValueFormat STANDARD =
      new ValueFormat(Structure.OBJECT, Digits.DECIMAL, Digits.HEX, Digits.HEX);

  /** What has several values: the parameters of an entry, and each tuple. */
  public enum Structure {
    /** An object by name; what has no name is called by its place. */
    OBJECT,
    /** The values in their order. */
    ARRAY,
    /** An array of objects with name, type and value. */
    SELF_DESCRIBING
  }

  /** How a value is written; not each kind of values has each way. */
  public enum Digits {
    /** A string of decimal digits. */
    DECIMAL,
    /** A number of JSON, however large: not every reader takes it. */
    JSON_NUMBER,
    /** A string of {@code 0x} and hexadecimal digits. */
    HEX,
    /** A string of hexadecimal digits alone. */
    HEX_PLAIN,
    /** A string by RFC 4648. */
    BASE64,
    /** {@link #HEX} with letters in either case, which check the address (ERC-55). */
    CHECKSUM
  }

  public ValueFormat withStructure(Structure other) {
    return new ValueFormat(other, number, bytes, address);
  }

  public ValueFormat withNumber(Digits other) {
    return new ValueFormat(structure, other, bytes, address);
  }

  public ValueFormat withBytes(Digits other) {
    return new ValueFormat(structure, number, other, address);
  }

  public ValueFormat withAddress(Digits other) {
    return new ValueFormat(structure, number, bytes, other);
  }
}
