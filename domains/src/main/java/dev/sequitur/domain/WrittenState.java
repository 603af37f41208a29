package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.Optional;

/**
 * A state that follows from an intent and from what it spends, but for its salt: made by the
 * sender, and made again by each endorser who compares.
 *
 * @param data without salt and intent
 */
record WrittenState(String schema, String lookup, ObjectNode data) {
  private static final String SALT = "salt";
  private static final String INTENT = "intent";

  void make(NewStates outputs) {
    outputs.salted(schema, lookup, data.deepCopy());
  }

  /** Refuses a state that says something else, or was not made for the intent. */
  void check(Hash intent, PrivateState state) {
    RuleViolation.unless(
        isLike(state) && intentOf(state).equals(Optional.of(intent.toString())),
        "The states that are made do not match the intent.");
  }

  /** Whether a state says just this, whoever has made it. */
  boolean isLike(PrivateState state) {
    if (!state.schema().equals(schema) || !state.lookup().equals(lookup)) {
      return false;
    }
    try {
      var read = StateContent.read(state);
      var salt = read.path(SALT).textValue();
      var intent = read.path(INTENT).textValue();
      return salt != null
          && intent != null
          && JsonFields.isHash(salt)
          && JsonFields.isHash(intent)
          && data.deepCopy().put(SALT, salt).put(INTENT, intent).equals(read);
    } catch (RuleViolation e) {
      return false;
    }
  }

  private static Optional<String> intentOf(PrivateState state) {
    JsonNode read = StateContent.read(state);
    return Optional.ofNullable(read.path(INTENT).textValue());
  }
}
