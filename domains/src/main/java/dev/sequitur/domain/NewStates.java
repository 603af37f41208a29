package dev.sequitur.domain;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.ArrayList;
import java.util.List;

/**
 * The outputs of one assembly while it is made. Salts depend on transaction, inputs and place, so
 * that the same transaction upon other inputs makes other states. Confined to one thread.
 */
public final class NewStates {
  private final PrivacyGroup group;
  private final Hash intent;
  private final Hash seed;
  private final Salts.Secret secret;
  private final List<PrivateState> made = new ArrayList<>();

  public NewStates(Given given, Salts.Secret secret, List<PrivateState> inputs) {
    this.group = given.group();
    this.intent = given.intentHash();
    this.secret = secret;
    var digest = new CanonicalDigest().add(given.transaction().id().toString()).add(intent);
    inputs.forEach(input -> digest.add(input.id().value()));
    this.seed = digest.finish();
  }

  /** Adds a state; gives {@code data} its {@code salt} and {@code intent}. */
  public PrivateState salted(String schema, String lookup, ObjectNode data) {
    data.put("salt", secret.salt(place()).toString()).put("intent", intent.toString());
    var state = StateContent.seal(group, schema, lookup, data);
    made.add(state);
    return state;
  }

  /** Adds a state whose id follows from its content alone. */
  public void add(PrivateState state) {
    made.add(state);
  }

  public PrivacyGroup group() {
    return group;
  }

  public List<PrivateState> made() {
    return List.copyOf(made);
  }

  private Hash place() {
    return new CanonicalDigest().add(seed).add(made.size()).finish();
  }
}
