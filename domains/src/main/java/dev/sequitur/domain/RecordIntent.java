package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import java.math.BigInteger;
import java.util.Optional;

/** What a transaction of the record domain asks for. */
sealed interface RecordIntent {
  String key();

  /**
   * The value after it.
   *
   * @param current empty if there is no record, or a deleted one
   * @return empty if the record is deleted
   * @throws RuleViolation one that may pass, if it cannot be done to this value
   */
  Optional<JsonNode> apply(Optional<JsonNode> current);

  /** Writes a value, whatever was there. */
  record Set(String key, JsonNode value) implements RecordIntent {
    @Override
    public Optional<JsonNode> apply(Optional<JsonNode> current) {
      return Optional.of(value);
    }
  }

  /** Adds to a whole number; no record counts as 0. */
  record Increment(String key, BigInteger by) implements RecordIntent {
    private static final int MAX_BITS = 256;

    @Override
    public Optional<JsonNode> apply(Optional<JsonNode> current) {
      if (!current.map(JsonNode::isIntegralNumber).orElse(true)) {
        throw RuleViolation.now(
            "Only a record that holds a whole number can be incremented: set it to one first.");
      }
      var sum = current.map(JsonNode::bigIntegerValue).orElse(BigInteger.ZERO).add(by);
      if (sum.bitLength() > MAX_BITS) {
        throw RuleViolation.now("A record counts between -2^256 and 2^256 - 1.");
      }
      return Optional.of(CanonicalJson.normalized(BigIntegerNode.valueOf(sum)));
    }
  }

  /** Removes a value; its key can be set again. */
  record Delete(String key) implements RecordIntent {
    @Override
    public Optional<JsonNode> apply(Optional<JsonNode> current) {
      if (current.isEmpty()) {
        throw RuleViolation.now("There is no record under this key: name one that is set.");
      }
      return Optional.empty();
    }
  }
}
