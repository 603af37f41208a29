package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;

/** How the chain's JSON says numbers, hashes and blocks. Pure. */
final class ChainJson {
  private ChainJson() {}

  static String hex(long number) {
    return "0x" + Long.toHexString(number);
  }

  /**
   * @throws LedgerUnreachableException if it is not there
   */
  static String text(JsonNode object, String name) {
    var value = object.path(name);
    if (!value.isTextual()) {
      throw new LedgerUnreachableException(
          "What the chain's node answers has no '" + name + "': it is read again.");
    }
    return value.textValue();
  }

  static Bytes bytes(JsonNode object, String name) {
    return Bytes.hex(text(object, name));
  }

  static Hash hash(JsonNode object, String name) {
    return Hash.hex(text(object, name));
  }

  static long number(JsonNode object, String name) {
    return number(text(object, name));
  }

  static long number(JsonNode value) {
    return number(value.asText());
  }

  static BigInteger amount(JsonNode object, String name) {
    return amount(text(object, name));
  }

  /** Of money: all of it. */
  static BigInteger amount(JsonNode value) {
    return amount(value.asText());
  }

  /** Some nodes write nothing behind 0x for zero. */
  static BigInteger amount(String digits) {
    return digits.equals("0x") ? BigInteger.ZERO : new BigInteger(digits.substring(2), 16);
  }

  /** What does not fit, a price of somebody else's say, is the largest number. */
  private static long number(String digits) {
    var number = amount(digits);
    return number.bitLength() < Long.SIZE ? number.longValue() : Long.MAX_VALUE;
  }

  static Block block(JsonNode block, List<LedgerReceipt> receipts) {
    return new Block(
        new BlockHeight(number(block, "number")),
        hash(block, "hash"),
        hash(block, "parentHash"),
        Instant.ofEpochSecond(number(block, "timestamp")),
        receipts);
  }
}
