package dev.sequitur.domain;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** An endorsement request of which every field can be replaced, and all the ways to falsify one. */
final class Tampering {
  private static final ContractAddress ELSEWHERE = new ContractAddress("0x" + "cd".repeat(20));

  private final EndorsementRequest original;
  AttestationRequest plan;
  ContractAddress contract;
  Identity party;
  PrivateTransaction transaction;
  Bytes specification;
  List<Member> verifiers;
  List<Signature> signatures;
  List<PrivateState> inputs;
  List<PrivateState> reads;
  List<PrivateState> outputs;
  List<PrivateState> info;

  Tampering(EndorsementRequest original) {
    this.original = original;
    plan = original.attestationRequest();
    contract = original.contract();
    party = original.party();
    var item = original.items().get(0);
    transaction = item.transaction();
    specification = item.transactionSpecification();
    verifiers = item.verifiers();
    signatures = item.proof().signatures();
    inputs = new ArrayList<>(item.inputStates());
    reads = new ArrayList<>(item.readStates());
    outputs = new ArrayList<>(item.outputStates());
    info = new ArrayList<>(item.infoStates());
  }

  EndorsementRequest request() {
    var item =
        new EndorsementRequest.Item(
            transaction,
            specification,
            verifiers,
            new Proof(MerklePath.ALONE, signatures),
            inputs,
            reads,
            outputs,
            info,
            original.items().get(0).delegationId());
    return new EndorsementRequest(
        plan,
        original.idempotencyKey(),
        contract,
        party,
        List.of(item),
        original.coordinator(),
        original.blockHeight());
  }

  /** Signs anew as the sender: what a sender that lies would send. */
  Tampering signedBySender() {
    var digest = assembled();
    var from = transaction.from();
    var keys = GroupFixture.keys(from);
    signatures =
        List.of(new Signature(from, keys.verifier(from.name()), keys.sign(from.name(), digest)));
    return this;
  }

  private Hash assembled() {
    var transition =
        Attestation.transition(transaction.key(), ids(inputs), ids(reads), ids(outputs));
    return new Attestation(Purpose.ASSEMBLY, BaseLedger.LOCAL_CHAIN, contract)
        .digest(transition, MerklePath.ALONE);
  }

  private static List<StateId> ids(List<PrivateState> states) {
    return states.stream().map(PrivateState::id).toList();
  }

  void intent(String function, Identity from, String json) {
    transaction =
        new PrivateTransaction(
            transaction.id(),
            transaction.contract(),
            transaction.domain(),
            function,
            from,
            Bytes.utf8(json.replace('\'', '"')),
            transaction.submitMode(),
            transaction.dependsOn(),
            transaction.salt());
  }

  /** Each falsification by name; those of the states come with and without the sender's help. */
  static Map<String, EndorsementRequest> all(EndorsementRequest request) {
    var all = new LinkedHashMap<String, EndorsementRequest>();
    ofTheEnvelope(request, all);
    ofTheIntent(request, all);
    ofStates(request, all);
    ofSignatures(request, all);
    return all;
  }

  private static EndorsementRequest.Item item(EndorsementRequest request) {
    return request.items().get(0);
  }

  private static void ofTheEnvelope(
      EndorsementRequest request, Map<String, EndorsementRequest> all) {
    var parties = request.attestationRequest().parties();
    with(request, all, "contract", t -> t.contract = ELSEWHERE);
    with(request, all, "party", t -> t.party = GroupFixture.STRANGER);
    with(request, all, "plan name", t -> t.plan = new AttestationRequest("x", parties, 3));
    with(
        request,
        all,
        "plan threshold",
        t -> t.plan = new AttestationRequest("endorsement", parties, 1));
    with(
        request,
        all,
        "plan parties",
        t -> t.plan = new AttestationRequest("endorsement", parties.subList(0, 2), 2));
    with(request, all, "specification", t -> t.specification = Bytes.utf8("{}"));
    with(request, all, "no specification", t -> t.specification = Bytes.EMPTY);
    with(
        request,
        all,
        "verifier",
        t ->
            t.verifiers =
                List.of(
                    new Member(
                        item(request).transaction().from(),
                        GroupFixture.keys(GroupFixture.STRANGER).verifier("mallory"))));
    with(request, all, "info", t -> t.info.add(t.outputs.get(0)));
  }

  private static void ofTheIntent(EndorsementRequest request, Map<String, EndorsementRequest> all) {
    var other =
        item(request).transaction().from().equals(GroupFixture.BOB)
            ? GroupFixture.CAROL
            : GroupFixture.BOB;
    var tx = item(request).transaction();
    Map<String, UnaryOperator<PrivateTransaction>> changes = new LinkedHashMap<>();
    changes.put("id", t -> copy(t, new TransactionId(new UUID(9, 9)), t.domain(), t.from()));
    changes.put("domain", t -> copy(t, t.id(), "other", t.from()));
    changes.put("from member", t -> copy(t, t.id(), t.domain(), other));
    changes.put("from stranger", t -> copy(t, t.id(), t.domain(), GroupFixture.STRANGER));
    changes.put("salt", Tampering::salted);
    changes.forEach(
        (name, change) ->
            with(request, all, "intent " + name, t -> t.transaction = change.apply(tx)));
    with(request, all, "intent function", t -> t.intent("steal", tx.from(), tx.inputs().toUtf8()));
    // Says the same in other words: the sender signed these bytes.
    with(
        request,
        all,
        "intent inputs",
        t -> t.intent(tx.function(), tx.from(), " " + tx.inputs().toUtf8()));
  }

  /** The same intent under another commitment, so that the ledger would take it twice. */
  private static PrivateTransaction salted(PrivateTransaction t) {
    return new PrivateTransaction(
        t.id(),
        t.contract(),
        t.domain(),
        t.function(),
        t.from(),
        t.inputs(),
        t.submitMode(),
        t.dependsOn(),
        Hash.sha256(new byte[] {99}));
  }

  private static PrivateTransaction copy(
      PrivateTransaction t, TransactionId id, String domain, Identity from) {
    return new PrivateTransaction(
        id,
        t.contract(),
        domain,
        t.function(),
        from,
        t.inputs(),
        t.submitMode(),
        t.dependsOn(),
        t.salt());
  }

  private static void ofStates(EndorsementRequest request, Map<String, EndorsementRequest> all) {
    ofList(request, all, "inputs", t -> t.inputs, item(request).inputStates().size());
    ofList(request, all, "reads", t -> t.reads, item(request).readStates().size());
    ofList(request, all, "outputs", t -> t.outputs, item(request).outputStates().size());
    withAndWithoutSender(request, all, "output as input", t -> t.inputs.add(t.outputs.get(0)));
    withAndWithoutSender(request, all, "output as read", t -> t.reads.add(t.outputs.get(0)));
  }

  private static void ofList(
      EndorsementRequest request,
      Map<String, EndorsementRequest> all,
      String name,
      Function<Tampering, List<PrivateState>> list,
      int size) {
    for (int i = 0; i < size; i++) {
      int at = i;
      var place = name + "[" + i + "] ";
      withAndWithoutSender(request, all, place + "left out", t -> list.apply(t).remove(at));
      withAndWithoutSender(
          request, all, place + "doubled", t -> list.apply(t).add(list.apply(t).get(at)));
      ofState()
          .forEach(
              (change, operator) ->
                  withAndWithoutSender(
                      request,
                      all,
                      place + change,
                      t -> list.apply(t).set(at, operator.apply(list.apply(t).get(at)))));
    }
  }

  private static Map<String, UnaryOperator<PrivateState>> ofState() {
    var changes = new LinkedHashMap<String, UnaryOperator<PrivateState>>();
    var otherId = new StateId(Hash.sha256(new byte[] {9}));
    changes.put("id", s -> state(s, otherId, s.schema(), s.lookup(), s.data()));
    changes.put("schema", s -> state(s, s.id(), "other", s.lookup(), s.data()));
    changes.put("lookup", s -> state(s, s.id(), s.schema(), "other", s.data()));
    changes.put("data", s -> state(s, s.id(), s.schema(), s.lookup(), flipped(s.data())));
    changes.put("no data", s -> state(s, s.id(), s.schema(), s.lookup(), Bytes.EMPTY));
    changes.put(
        "contract",
        s ->
            new PrivateState(
                s.id(), ELSEWHERE, s.schema(), s.lookup(), s.data(), s.distribution()));
    changes.put("distribution to fewer", s -> distributed(s, s.distribution().subList(0, 2)));
    var more = new ArrayList<>(List.of(GroupFixture.STRANGER));
    changes.put(
        "distribution to more",
        s -> {
          var all = new ArrayList<>(s.distribution());
          all.addAll(more);
          return distributed(s, all);
        });
    return changes;
  }

  private static PrivateState state(
      PrivateState s, StateId id, String schema, String lookup, Bytes data) {
    return new PrivateState(id, s.contract(), schema, lookup, data, s.distribution());
  }

  private static PrivateState distributed(PrivateState s, List<Identity> distribution) {
    return new PrivateState(s.id(), s.contract(), s.schema(), s.lookup(), s.data(), distribution);
  }

  private static Bytes flipped(Bytes data) {
    var bytes = data.toByteArray();
    bytes[bytes.length / 2] ^= 1;
    return Bytes.of(bytes);
  }

  private static void ofSignatures(
      EndorsementRequest request, Map<String, EndorsementRequest> all) {
    var signature = item(request).proof().signatures().get(0);
    with(request, all, "no signature", t -> t.signatures = List.of());
    with(request, all, "two signatures", t -> t.signatures = List.of(signature, signature));
    with(
        request,
        all,
        "signature value",
        t -> t.signatures = List.of(signed(signature, flipped(signature.value()))));
    with(
        request,
        all,
        "signature length",
        t -> t.signatures = List.of(signed(signature, Bytes.EMPTY)));
    with(
        request,
        all,
        "signature party",
        t ->
            t.signatures =
                List.of(
                    new Signature(GroupFixture.STRANGER, signature.verifier(), signature.value())));
    with(
        request,
        all,
        "signature of a stranger's key",
        t -> {
          var keys = GroupFixture.keys(GroupFixture.STRANGER);
          var digest = t.assembled();
          t.signatures =
              List.of(
                  new Signature(
                      signature.party(), keys.verifier("mallory"), keys.sign("mallory", digest)));
        });
  }

  private static Signature signed(Signature signature, Bytes value) {
    return new Signature(signature.party(), signature.verifier(), value);
  }

  private static void withAndWithoutSender(
      EndorsementRequest request,
      Map<String, EndorsementRequest> all,
      String name,
      Consumer<Tampering> change) {
    with(request, all, name, change);
    var tampering = new Tampering(request);
    change.accept(tampering);
    all.put(name + ", signed by the sender", tampering.signedBySender().request());
  }

  private static void with(
      EndorsementRequest request,
      Map<String, EndorsementRequest> all,
      String name,
      Consumer<Tampering> change) {
    var tampering = new Tampering(request);
    change.accept(tampering);
    all.put(name, tampering.request());
  }
}
