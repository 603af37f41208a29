package dev.sequitur.simulation;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Coins that are owned, records under hot keys, and intents that fail on purpose. One instance
 * serves a whole network; what it is told to refuse it refuses until it is told otherwise.
 */
final class SimulatedDomain implements Domain {
  static final String NAME = "simulated";

  /** What an intent of this domain does; its inputs are one word. */
  enum Function {
    /** Makes a coin for {@code from}. */
    MINT,
    /** Spends the oldest coin of {@code from}, makes one for the identity in the inputs. */
    PAY,
    /** Replaces the record under the key in the inputs, or makes the first one. */
    WRITE,
    /** Needs the record under the key in the inputs unspent, makes a note. */
    READ
  }

  private static final String COIN = "coin";
  private static final String RECORD = "record";
  private static final String NOTE = "note";

  private final Map<TransactionId, Assembly> scripted = new HashMap<>();
  private BiPredicate<NodeName, TransactionId> refuses = (node, transaction) -> false;

  /** The first version of a record is one state whoever makes it, also under another committee. */
  private final Map<StateId, List<PrivateState>> made = new HashMap<>();

  private final Set<Hash> drafted = new HashSet<>();
  private long salt;

  /** Until {@link #unscript}, every assembly of {@code transaction} ends so. */
  void script(TransactionId transaction, Assembly result) {
    scripted.put(transaction, result);
  }

  void unscript(TransactionId transaction) {
    scripted.remove(transaction);
  }

  void refuseWhere(BiPredicate<NodeName, TransactionId> refused) {
    refuses = refused;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<String> checkConfiguration(Bytes configuration) {
    return Optional.empty();
  }

  @Override
  public Optional<Objection> validate(
      PrivacyGroup group, PrivateTransaction transaction, States states) {
    return Optional.empty();
  }

  @Override
  public Assembly assemble(
      PrivacyGroup group, PrivateTransaction transaction, States states, Keys keys) {
    if (scripted.containsKey(transaction.id())) {
      return scripted.get(transaction.id());
    }
    String argument = transaction.inputs().toUtf8();
    var draft = new Draft(group, transaction);
    switch (Function.valueOf(transaction.function())) {
      case MINT -> draft.make(COIN, transaction.from().toString());
      case PAY -> {
        var coins = states.available(COIN, transaction.from().toString()).iterator();
        if (!coins.hasNext()) {
          return new Assembly.Insufficient("There is no coin to pay with.");
        }
        draft.inputs.add(coins.next());
        draft.make(COIN, argument);
      }
      case WRITE -> {
        var records = states.available(RECORD, argument).iterator();
        if (!records.hasNext() && states.isTaken(RECORD, argument)) {
          return new Assembly.Taken("Another changes the record.");
        } else if (!records.hasNext()) {
          draft.makeFirst(argument);
        } else {
          draft.inputs.add(records.next());
          draft.make(RECORD, argument);
        }
      }
      case READ -> {
        var records = states.available(RECORD, argument).iterator();
        if (!records.hasNext() && states.isTaken(RECORD, argument)) {
          return new Assembly.Taken("Another changes the record.");
        } else if (!records.hasNext()) {
          return new Assembly.Failed("There is no record to read.");
        }
        draft.reads.add(records.next());
        draft.make(NOTE, argument);
      }
    }
    return new Assembly.Assembled(draft.assembly());
  }

  /** A state that is just what its id stands for, on the ledger never, and for that party alone. */
  PrivateState secretOf(Identity party, ContractAddress contract) {
    var id = new CanonicalDigest().add(contract.value()).add("secret of " + party).finish();
    var data = Bytes.utf8("secret");
    var secret =
        new PrivateState(new StateId(id), contract, NOTE, party.toString(), data, List.of(party));
    remember(secret);
    return secret;
  }

  private void remember(PrivateState state) {
    var alike = made.computeIfAbsent(state.id(), id -> new ArrayList<>());
    if (!alike.contains(state)) {
      alike.add(state);
    }
  }

  /** Assembled by somebody else than its sender, with nothing in it that the domain can find. */
  EndorsementRequest.Item assembledAgain(PrivacyGroup group, EndorsementRequest.Item item) {
    var draft = new Draft(group, item.transaction());
    draft.inputs.addAll(item.inputStates());
    draft.reads.addAll(item.readStates());
    item.outputStates().forEach(state -> draft.make(state.schema(), state.lookup()));
    return new EndorsementRequest.Item(
        item.transaction(),
        item.transactionSpecification(),
        item.verifiers(),
        item.proof(),
        item.inputStates(),
        item.readStates(),
        draft.assembly().outputs(),
        item.infoStates(),
        item.delegationId());
  }

  /** An assembly in the making. */
  private final class Draft {
    private final PrivacyGroup group;
    private final PrivateTransaction transaction;
    private final List<PrivateState> inputs = new ArrayList<>();
    private final List<PrivateState> reads = new ArrayList<>();
    private final List<PrivateState> outputs = new ArrayList<>();

    Draft(PrivacyGroup group, PrivateTransaction transaction) {
      this.group = group;
      this.transaction = transaction;
    }

    void make(String schema, String lookup) {
      var id = new CanonicalDigest().add(transaction.id().toString()).add(salt++).finish();
      add(new StateId(id), schema, lookup);
    }

    /** Whoever makes it: two of them conflict. */
    void makeFirst(String key) {
      var id = new CanonicalDigest().add(group.contract().value()).add(key).finish();
      add(new StateId(id), RECORD, key);
    }

    private void add(StateId id, String schema, String lookup) {
      var everybody = group.committee().identities();
      var data = Bytes.utf8(schema + " " + lookup);
      var state = new PrivateState(id, group.contract(), schema, lookup, data, everybody);
      remember(state);
      outputs.add(state);
    }

    PostAssembly assembly() {
      var plan =
          new AttestationRequest(
              "endorse", group.committee().identities(), group.endorsementThreshold());
      var assembly =
          new PostAssembly(
              inputs, reads, outputs, List.of(), Bytes.utf8("claim"), List.of(plan), Proof.NONE);
      drafted.add(assembly.transition(transaction.key()));
      return assembly;
    }
  }

  @Override
  public boolean sharesAllStates(PrivacyGroup group) {
    return true;
  }

  @Override
  public Endorsement endorse(
      PrivacyGroup group, EndorsementRequest request, EndorsementRequest.Item item) {
    if (refuses.test(request.party().node(), item.transaction().id())) {
      return new Endorsement.Refused("It was told to refuse.");
    }
    boolean genuine =
        Stream.of(item.inputStates(), item.readStates(), item.outputStates())
            .flatMap(List::stream)
            .allMatch(state -> isGenuine(group, state));
    if (!genuine || !drafted.contains(item.transition())) {
      return new Endorsement.Refused("The intent makes something else.");
    }
    return new Endorsement.Endorsed();
  }

  /** Whether an assembly had just these states, all of that contract. */
  boolean hasAssembled(LedgerReceipt.Fulfilled done) {
    return drafted.contains(
            Attestation.transition(done.intent(), done.spent(), done.read(), done.created()))
        && done.created().stream()
            .allMatch(id -> made.get(id).getFirst().contract().equals(done.contract()));
  }

  @Override
  public boolean isGenuine(PrivacyGroup group, PrivateState state) {
    return isGenuine(state);
  }

  /** Whether somebody has made it just so. */
  boolean isGenuine(PrivateState state) {
    return made.getOrDefault(state.id(), List.of()).contains(state);
  }

  @Override
  public Bytes call(
      PrivacyGroup group, Identity from, String function, Bytes inputs, States states) {
    throw new UnsupportedOperationException("Nothing calls the simulated domain.");
  }
}
