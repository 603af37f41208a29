package dev.sequitur.protocol.port;

import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the transactions of a kind of privacy group mean. Pure but for the keys it is given; called
 * from several threads at once.
 */
public interface Domain {
  /** As in {@code domain} of a transaction. */
  String name();

  /**
   * Checks the configuration of a group before its contract is made.
   *
   * @return a sentence that says what to do, if it cannot be used
   */
  Optional<String> checkConfiguration(Bytes configuration);

  /**
   * Reads the inputs of a constructor: which group somebody asks for who makes one by a transaction
   * without a contract. The {@linkplain #checkConfiguration configuration} is checked after that,
   * as that of any group.
   *
   * @param inputs UTF-8 JSON
   */
  default Construction construct(Identity from, Bytes inputs) {
    return new Construction.Refused(
        "The domain '" + name() + "' has no constructor: make its groups by pgroup_createGroup.");
  }

  /** What transactions and calls may name as their function, for those who write them. */
  default List<DescribedFunction> functions() {
    return List.of();
  }

  /**
   * A function and what it takes.
   *
   * @param readOnly whether it is for {@link #call}; else transactions call it
   * @param doc what it does, as a sentence
   * @param inputs the name of the schema of its inputs
   * @param schemas UTF-8 JSON: an object with the JSON Schemas of its inputs and of what is within
   *     them, by their names; one refers to another by {@code #/components/schemas/}
   */
  record DescribedFunction(
      String name, boolean readOnly, String doc, String inputs, Bytes schemas) {}

  /**
   * Private functions that clients of other nodes send as public calls of the group's contract,
   * which has them there. A node takes such a call as the private transaction that it stands for.
   */
  default Set<String> calledPublicly() {
    return Set.of();
  }

  /** Which of {@link #calledPublicly} a public call is, if no more is known of it than its data. */
  default Optional<PrivateCall> calledBy(Bytes data) {
    return Optional.empty();
  }

  /**
   * A private function with its inputs.
   *
   * @param inputs UTF-8 JSON
   */
  record PrivateCall(String function, Bytes inputs) {}

  /**
   * Checks an intent before it is accepted: function, types, amounts, balance.
   *
   * @param states as they are, or as they would be if all that is known to be in flight were
   *     confirmed
   * @return what is wrong with it, if it could not be assembled upon them
   */
  Optional<Objection> validate(PrivacyGroup group, PrivateTransaction transaction, States states);

  /**
   * Whether another intent that has not ended could, once confirmed, make the states such that the
   * objection no longer holds. Only asked of an objection that may pass.
   *
   * @param other of the same group
   */
  default boolean mayHelp(
      PrivacyGroup group,
      PrivateTransaction transaction,
      Objection objection,
      PrivateTransaction other) {
    return true;
  }

  /** Chooses the states and signs; called on the node of the transaction's {@code from}. */
  Assembly assemble(PrivacyGroup group, PrivateTransaction transaction, States states, Keys keys);

  /**
   * Checks one of the assemblies of a request; called on the node of the request's party, which
   * signs what it endorses.
   */
  Endorsement endorse(PrivacyGroup group, EndorsementRequest request, EndorsementRequest.Item item);

  /**
   * Answers a read-only call from the confirmed states this node holds.
   *
   * @param inputs UTF-8 JSON
   * @return UTF-8 JSON
   * @throws IllegalArgumentException with a sentence for the caller, if function or inputs are
   *     wrong
   */
  Bytes call(PrivacyGroup group, Identity from, String function, Bytes inputs, States states);

  /**
   * Whether a state is what its id stands for, so that nobody can pass off something else as a
   * state on the base ledger: its content, and its list, with which whoever holds it would spend it
   * in vain. Pure and cheap; called for every state before it is stored, whoever has made it.
   */
  default boolean isGenuine(PrivacyGroup group, PrivateState state) {
    return state.contract().equals(group.contract());
  }

  /**
   * Whether every state of the group is for every member, as endorsers make sure: then a state that
   * the ledger shows and a member lacks concerns it for certain, and it may take nothing for absent
   * (DST-5). The ledger does not show who is on a list.
   */
  default boolean sharesAllStates(PrivacyGroup group) {
    return false;
  }

  /**
   * What a transaction that is confirmed has done, in the domain's own words.
   *
   * @param sender who has sent it, where that is known
   * @return UTF-8 JSON; empty if the domain writes no receipts
   */
  default Optional<Bytes> receipt(PrivacyGroup group, Optional<Identity> sender, Changes changes) {
    return Optional.empty();
  }

  /** The states of one transaction. */
  record Changes(List<PrivateState> spent, List<PrivateState> read, List<PrivateState> made) {
    public Changes {
      spent = List.copyOf(spent);
      read = List.copyOf(read);
      made = List.copyOf(made);
    }
  }

  /**
   * What kinds of states there are, for those who look for them. A kind that is not named here is
   * found by nobody.
   */
  default List<StateSchema> schemas() {
    return List.of();
  }

  /**
   * A kind of states.
   *
   * @param name as states have it
   * @param labels fields of a state's data, UTF-8 JSON, by which it is found
   */
  record StateSchema(String name, List<Label> labels) {
    public StateSchema {
      labels = List.copyOf(labels);
    }

    /** What stands for the schema of this name where an id is asked for. */
    public static Hash id(String domain, String name) {
      return Digests.keccak256(Bytes.utf8(domain + "/" + name));
    }
  }

  /**
   * @param number whether it is a whole number, perhaps in a string, and not a text
   */
  record Label(String name, boolean number) {}

  /** The states that may be spent. */
  interface States {
    /**
     * Unspent states of a schema with this lookup, oldest first. Read only as far as needed: there
     * may be many.
     */
    Iterable<PrivateState> available(String schema, String lookup);

    /**
     * Whether a transaction in flight spends a state of this schema with this lookup: if nothing is
     * available, then because of that, and not because there is none.
     */
    default boolean isTaken(String schema, String lookup) {
      return false;
    }
  }

  /**
   * Why an intent cannot be assembled.
   *
   * @param reason a sentence that says what to do; holds no private data
   * @param mayPass upon other states, which may be on their way, it could be
   */
  record Objection(String reason, boolean mayPass) {}

  /** What came of {@link #construct}. */
  sealed interface Construction {
    /**
     * A group to be made.
     *
     * @param members in their order, each once
     * @param configuration as the domain takes it
     */
    record Wanted(String name, List<Identity> members, Bytes configuration)
        implements Construction {
      public Wanted {
        members = List.copyOf(members);
      }
    }

    /**
     * @param reason a sentence that says what to do
     */
    record Refused(String reason) implements Construction {}
  }

  /** What came of {@link #assemble}. */
  sealed interface Assembly {
    record Assembled(PostAssembly postAssembly) implements Assembly {}

    /** It can never succeed. */
    record Reverted(String reason) implements Assembly {}

    /** It cannot be assembled until a person or time changes something. */
    record Parked(String reason) implements Assembly {}

    /**
     * A transaction in flight has what it needs, and offers nothing for it yet: it waits for that,
     * and has not failed (EXT-4).
     */
    record Taken(String reason) implements Assembly {}

    /** It could not be assembled now: later it may. */
    record Failed(String reason) implements Assembly {}

    /**
     * What its sender has does not suffice now: only what else of it is under way can change that.
     */
    record Insufficient(String reason) implements Assembly {}
  }

  /** What came of {@link #endorse}. */
  sealed interface Endorsement {
    record Endorsed() implements Endorsement {}

    /**
     * @param reason for people; holds no private data
     */
    record Refused(String reason) implements Endorsement {}
  }
}
