package dev.sequitur.domain;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.Domain.States;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.List;
import java.util.Optional;

/**
 * Why no key of a group ever gets two first versions. A first version spends nothing, so the base
 * ledger could not tell two of them apart: it comes with a <i>slot</i>, a state that is the same
 * whoever makes it, which the ledger takes only once. So that outsiders cannot guess keys by the
 * ids of slots, slots are salted by the group's one <i>key space</i>, made together with the first
 * record of all; that there is only one is again due to a slot, the one of no key.
 *
 * <p>Schema {@code keyspace}, lookup {@code keyspace}, data {@code {"intent", "salt"}}; schema
 * {@code slot}, lookup the key, data {@code {"key", "keyspace"}}. Neither is ever spent.
 *
 * @param salt what the slots are salted with
 */
record RecordKeySpace(PrivateState state, Hash salt, Hash intent) {
  static final String SCHEMA = "keyspace";
  static final String LOOKUP = "keyspace";
  static final String SLOT = "slot";

  /** Found in the states this node holds. */
  static Optional<RecordKeySpace> find(PrivacyGroup group, States states) {
    for (var state : states.available(SCHEMA, LOOKUP)) {
      if (StateContent.isUsable(group, state)) {
        try {
          return Optional.of(of(state));
        } catch (RuleViolation e) {
          continue; // no endorser takes it
        }
      }
    }
    return Optional.empty();
  }

  /**
   * @throws RuleViolation if the state is no key space in canonical form
   */
  static RecordKeySpace of(PrivateState state) {
    var fields = StateContent.open(state, SCHEMA, List.of("intent", "salt"));
    RuleViolation.unless(state.lookup().equals(LOOKUP), "A key space is not written as one.");
    return new RecordKeySpace(state, fields.hash("salt"), fields.hash("intent"));
  }

  /** Makes the key space and the slot that makes it the only one. */
  static RecordKeySpace make(NewStates outputs) {
    var state = outputs.salted(SCHEMA, LOOKUP, CanonicalJson.object());
    outputs.add(rootSlot(outputs.group()));
    return of(state);
  }

  static PrivateState rootSlot(PrivacyGroup group) {
    var data = CanonicalJson.object().put("key", "").put("keyspace", "");
    return StateContent.seal(group, SLOT, "", data);
  }

  /**
   * @param key not empty
   */
  PrivateState slot(PrivacyGroup group, String key) {
    var data = CanonicalJson.object().put("key", key).put("keyspace", salt.toString());
    return StateContent.seal(group, SLOT, key, data);
  }
}
