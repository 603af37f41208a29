package dev.sequitur.laboratory.demo;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.domain.Domains;
import dev.sequitur.ledger.EmbeddedLedger;
import dev.sequitur.protocol.attestation.Attestation.Purpose;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.LedgerTransaction.Call;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.Domain.Assembly.Assembled;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Signature;
import dev.sequitur.sequencer.SequencerNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Puts intents on the ledger one by one, in the order in which they come. */
final class ScriptedSequencer {
  private final EmbeddedLedger ledger;
  private final Signatures signatures;
  private final Keys keys;
  private final Map<String, Domain> domains;
  private final Map<NodeName, ScriptedNode> nodes = new LinkedHashMap<>();
  private final Map<StateId, PrivateState> everMade = new LinkedHashMap<>();
  private final Map<StateId, PrivateState> unspent = new LinkedHashMap<>();
  final List<StoredGroup> groups = new ArrayList<>();

  /** What nodes show of a state. */
  UnaryOperator<PrivateState> shownState = UnaryOperator.identity();

  /** Which intents a node does not accept. */
  Predicate<Intent> refused = intent -> false;

  /** How many more intents are fulfilled: the others wait, as if the process were killed. */
  int mayFulfil = Integer.MAX_VALUE;

  /** Told of each intent that has to wait. */
  Runnable onWaiting = () -> {};

  private final List<Runnable> waiting = new ArrayList<>();

  ScriptedSequencer(EmbeddedLedger ledger, Signatures signatures, Path directory) {
    this.ledger = ledger;
    this.signatures = signatures;
    this.domains = Domains.load().byName();
    try {
      this.keys = FileKeys.open(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized SequencerNode node(NodeName name) {
    return nodes.computeIfAbsent(name, any -> new ScriptedNode(name, this)).asSequencerNode();
  }

  /** Everything that waited is fulfilled, and what comes is too. */
  synchronized void resume() {
    mayFulfil = Integer.MAX_VALUE;
    List.copyOf(waiting).forEach(Runnable::run);
    waiting.clear();
  }

  synchronized List<PrivateState> states(Collection<?> ids) {
    return ids.stream().map(everMade::get).filter(state -> state != null).map(shownState).toList();
  }

  synchronized StoredGroup createGroup(GroupRequest request) {
    var members =
        request.members().stream()
            .map(identity -> new Member(identity, keys.verifier(identity.name())))
            .toList();
    var id = new GroupId(new CanonicalDigest().add(request.request()).finish());
    var committee = new Committee(members);
    var genesis =
        new ContractGenesis(id, request.name(), committee, members.size(), request.configuration());
    var receipt = onLedger(new LedgerTransaction.Deploy(request.domain(), genesis));
    var contract = ((Deployed) receipt.results().get(0)).contract();
    var group =
        new PrivacyGroup(
            id,
            BaseLedger.LOCAL_CHAIN,
            contract,
            request.domain(),
            request.name(),
            committee,
            committee.members().size(),
            request.configuration());
    var stored =
        StoredGroup.of(id, Instant.now())
            .withRequest(request.request())
            .withGroup(Optional.of(group));
    groups.add(stored);
    return stored;
  }

  synchronized void sequence(ScriptedNode node, Intent intent) {
    if (mayFulfil-- > 0) {
      fulfil(node, intent);
    } else {
      waiting.add(() -> fulfil(node, intent));
      onWaiting.run();
    }
  }

  private void fulfil(ScriptedNode node, Intent intent) {
    var transaction = intent.privately().orElseThrow();
    var group = group(transaction.contract());
    var assembly = domains.get(group.domain()).assemble(group, transaction, this::available, keys);
    if (!(assembly instanceof Assembled assembled)) {
      node.end(
          Receipt.reverted(
              transaction.id(), group.contract(), group.domain(), "no", Instant.now()));
      return;
    }
    var post = assembled.postAssembly();
    onLedger(LedgerTransaction.Invoke.of(prepared(group, transaction.key(), post)));
    post.inputIds().forEach(unspent::remove);
    post.outputs().forEach(output -> everMade.put(output.id(), output));
    post.outputs().forEach(output -> unspent.put(output.id(), output));
    node.end(
        new Receipt(
            transaction.id(),
            group.contract(),
            group.domain(),
            true,
            Optional.empty(),
            Optional.empty(),
            Instant.now()));
  }

  private List<PrivateState> available(String schema, String lookup) {
    return unspent.values().stream()
        .filter(state -> state.schema().equals(schema) && state.lookup().equals(lookup))
        .toList();
  }

  private PreparedTransaction prepared(PrivacyGroup group, IntentKey intent, PostAssembly post) {
    var digest =
        group.attestation(Purpose.ENDORSEMENT).digest(post.transition(intent), MerklePath.ALONE);
    var endorsements =
        group.committee().members().stream()
            .map(
                member ->
                    new Signature(
                        member.identity(),
                        member.verifier(),
                        keys.sign(member.identity().name(), digest)))
            .toList();
    return new PreparedTransaction(
        intent,
        group.contract(),
        post.inputIds(),
        post.readIds(),
        post.outputIds(),
        new Proof(MerklePath.ALONE, endorsements));
  }

  private LedgerReceipt onLedger(Call call) {
    var signer = keys.signer("submitter");
    var address = signatures.address(signer.verifier());
    var nonce = ledger.nonce(address).toCompletableFuture().join();
    var signed = ledger.sign(new LedgerTransaction(address, nonce, Fees.flat(1), 0, call), signer);
    ledger.submit(List.of(signed)).toCompletableFuture().join();
    ledger.cutBlock();
    return ledger.receipt(signed.hash()).toCompletableFuture().join().orElseThrow();
  }

  private PrivacyGroup group(ContractAddress contract) {
    return groups.stream()
        .flatMap(stored -> stored.group().stream())
        .filter(group -> group.contract().equals(contract))
        .findFirst()
        .orElseThrow();
  }

  synchronized ScriptedNode scripted(String name) {
    return nodes.get(new NodeName(name));
  }

  List<PrivacyGroup> confirmedGroups() {
    return groups.stream().flatMap(stored -> stored.group().stream()).toList();
  }

  boolean hasMade(ContractAddress contract) {
    return confirmedGroups().stream().anyMatch(group -> group.contract().equals(contract));
  }
}
