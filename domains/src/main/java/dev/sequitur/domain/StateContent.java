package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.List;

/**
 * How the content of a state becomes its id: SHA-256 over the length-prefixed fields {@code
 * sequitur state}, contract, schema, lookup, data; data is {@linkplain CanonicalJson canonical
 * JSON}. Nobody who sees the id can guess the content, since data holds a salt.
 */
public final class StateContent {
  /** More than any state these domains make. */
  private static final int MAX_DATA_BYTES = 70_000;

  private StateContent() {}

  static PrivateState seal(PrivacyGroup group, String schema, String lookup, ObjectNode data) {
    var content = CanonicalJson.write(data);
    return new PrivateState(
        id(group.contract(), schema, lookup, content),
        group.contract(),
        schema,
        lookup,
        content,
        group.committee().identities());
  }

  /**
   * Whether an endorser would take it for what it says: locks come from other nodes, and a state
   * that nobody endorses must not stand in the way of one's own. One that was made before the
   * committee changed has the members of then on its list.
   */
  public static boolean isUsable(PrivacyGroup group, PrivateState state) {
    return group.committees().hasHad(state.distribution()) && isGenuine(group, state);
  }

  /** Whether the id is that of the content, and the content of this group. */
  static boolean isGenuine(PrivacyGroup group, PrivateState state) {
    return state.contract().equals(group.contract())
        && state.data().size() <= MAX_DATA_BYTES
        && state.id().equals(id(group.contract(), state.schema(), state.lookup(), state.data()));
  }

  /**
   * The fields of a state of {@code schema}.
   *
   * @throws RuleViolation if it is of another schema or not in canonical form
   */
  public static JsonFields open(PrivateState state, String schema, List<String> fields) {
    RuleViolation.unless(state.schema().equals(schema), "A state is not of the schema it must be.");
    return new JsonFields(read(state), "The contents of a state", fields);
  }

  /**
   * @throws RuleViolation if it is not in canonical form
   */
  public static JsonNode read(PrivateState state) {
    var data = CanonicalJson.read(state.data(), MAX_DATA_BYTES, "The contents of a state");
    RuleViolation.unless(
        CanonicalJson.write(data).equals(state.data()), "A state is not in canonical form.");
    return data;
  }

  private static StateId id(ContractAddress contract, String schema, String lookup, Bytes data) {
    return new StateId(
        new CanonicalDigest()
            .add("sequitur state")
            .add(contract.value())
            .add(schema)
            .add(lookup)
            .add(data)
            .finish());
  }
}
