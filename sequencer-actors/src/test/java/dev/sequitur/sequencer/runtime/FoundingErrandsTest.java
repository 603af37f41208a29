package dev.sequitur.sequencer.runtime;

import static dev.sequitur.sequencer.runtime.GroupNode.SECOND;
import static dev.sequitur.sequencer.runtime.GroupNode.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.errand.NewGroupReceipts;
import dev.sequitur.protocol.founding.Founding;
import dev.sequitur.protocol.founding.FoundingEffect.Outcome;
import dev.sequitur.protocol.founding.FoundingInput;
import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.Receipt;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the node store and the base ledger have of groups that are made (SEL-7, SEL-8). */
class FoundingErrandsTest {
  private final InMemoryNodeStore store = new InMemoryNodeStore();
  private final AtomicInteger failingWrites = new AtomicInteger();
  private final AtomicInteger receiptsAskedFor = new AtomicInteger();
  private final GroupNode node =
      new GroupNode(
          23, given -> given.withTransport(knowingOthers(given.transport())).withStore(failing()));

  @Test
  void theGroupOfATransactionIsMadeAndItsContractIsTheReceiptsOwn() {
    node.ledgerTakes();
    var asked = acceptedAndTold("alice@node1");

    assertThat(deployed().genesis().committee().identities()).containsExactly(asked.from());
    var group = stored(asked);
    assertThat(group.request()).isEqualTo(asked.request().request());
    assertThat(receipt(asked)).isEmpty();

    var made = confirmed(group);

    var receipt = receipt(asked).orElseThrow().receipt();
    assertThat(receipt.success()).isTrue();
    assertThat(receipt.isPublic()).isFalse();
    assertThat(receipt.domain()).isEqualTo("record");
    assertThat(receipt.called().flatMap(Receipt.Called::created)).contains(made.contract());
    assertThat(receipt.onLedger().orElseThrow().block()).isEqualTo(new BlockHeight(7));
  }

  /** It has stored the group, and the ledger did not hear of it. */
  @Test
  void whatAJvmThatIsGoneHasBegunIsDeployedByTheOneThatTakesOver() {
    node.ledgerIsAway();
    var asked = acceptedAndTold("alice@node1");
    var before = stored(asked);
    node.ledgerTakes();

    node.startAgain();
    node.takeUp();

    assertThat(node.ports.submitted()).hasSize(2);
    assertThat(node.ports.submitted().getLast().transaction().nonce()).isZero();
    assertThat(deployed().genesis()).isEqualTo(before.deployment().orElseThrow().genesis());
    assertThat(all()).containsExactly(before);
  }

  @Test
  void whatIsRejectedHasItsReceiptItsEndAndWhomToTell() {
    var asked = acceptedAndTold("alice@node1", "bob@node2");
    resolve();

    node.reject(SECOND, GenesisFlaw.DOMAIN_UNKNOWN);

    assertThat(failure(asked)).contains("Node node2 has no such domain");
    assertThat(stored(asked).notMade().orElseThrow()).contains("Node node2 has no such domain");
    assertThat(stored(asked).withdrawal().orElseThrow().untold()).containsExactly(SECOND);
    assertThat(node.withdrawn).extracting(StoredGroup::id).containsExactly(stored(asked).id());
    int sent = node.ports.sent().size();

    node.startAgain();
    node.takeUp();

    assertThat(node.ports.sent()).hasSize(sent);
    assertThat(node.withdrawn).hasSize(2);
  }

  /** There may be many, and the node store is asked for one receipt after the other. */
  @Test
  void ofWhatHasEndedAStartAsksForNoReceipt() {
    var asked = acceptedAndTold("alice@node1", "bob@node2");
    resolve();
    node.reject(SECOND, GenesisFlaw.DOMAIN_UNKNOWN);
    receiptsAskedFor.set(0);
    node.withdrawn.clear();

    node.startAgain();
    node.takeUp();
    assertThat(node.withdrawn).as("its members are told").hasSize(1);
    assertThat(receiptsAskedFor).hasValue(0);

    var ended = stored(asked);
    var told = ended.withdrawal().map(it -> it.told(SECOND));
    get(store.putGroup(ended.withWithdrawal(told)));
    node.withdrawn.clear();
    node.startAgain();
    node.takeUp();
    assertThat(node.withdrawn).as("all members know").isEmpty();
    assertThat(receiptsAskedFor).hasValue(0);
  }

  @Test
  void aReceiptThatCannotBeStoredIsStoredLaterAndSaidInTheLog() {
    node.ledgerAnswers(
        new SubmitOutcome.Invalid(node.any.next(TransactionHash.class), "It is too long."));
    failingWrites.set(1);

    var asked = acceptedAndTold("alice@node1");

    assertThat(receipt(asked)).isEmpty();
    assertThat(node.warnings).anyMatch(line -> line.contains("It is too long."));
    node.pass(Founding.PAUSE);
    assertThat(failure(asked)).contains("It is too long.");
    assertThat(stored(asked).notMade().orElseThrow()).contains("It is too long.");
    assertThat(node.state().isEmpty()).isTrue();
  }

  @Test
  void whatCannotBeUsedEndsWithItsSentence() {
    var asked = acceptedAndTold("alice@node1", "x@nowhere");

    assertThat(failure(asked)).contains("x@nowhere is on a node that this one does not know");
    assertThat(receipt(asked).orElseThrow().receipt().called().flatMap(Receipt.Called::created))
        .isEmpty();
    assertThat(all()).isEmpty();
  }

  /** The process may end between the receipt and the end of the group itself. */
  @Test
  void whatHasItsReceiptIsEndedAfterARestart() {
    var asked = acceptedAndTold("alice@node1", "bob@node2");
    resolve();
    get(
        store.complete(
            List.of(Receipt.notMade(asked.id(), "record", "Nobody takes part.", Instant.EPOCH))));

    node.startAgain();
    node.takeUp();

    assertThat(stored(asked).notMade()).contains("Nobody takes part.");
    assertThat(failure(asked)).isEqualTo("Nobody takes part.");
    assertThat(node.withdrawn).hasSize(1);
  }

  /** The pool had it all the same. */
  @Test
  void aContractThatComesLateWins() {
    node.ledgerAnswers(
        new SubmitOutcome.Invalid(node.any.next(TransactionHash.class), "It is too long."));
    var asked = acceptedAndTold("alice@node1");

    confirmed(stored(asked));

    assertThat(receipt(asked).orElseThrow().receipt().success()).isTrue();
  }

  @Test
  void whatABlockHasIsFoundAtTheHashThatThePoolHasTold() {
    var hash = node.any.next(TransactionHash.class);
    node.ledgerAnswers(new SubmitOutcome.Pooled(hash));
    var asked = acceptedAndTold("alice@node1");
    node.ports.carriedOut(hash, new LedgerReceipt.NonceUsed());

    node.pass(Founding.PAUSE);

    assertThat(failure(asked)).contains("made no contract of the group's transaction " + hash);
    assertThat(node.ports.submitted()).hasSize(1);
  }

  @Test
  void allAreTakenUpHoweverManyThereAre() {
    node.ledgerTakes();
    for (int i = 0; i < 230; i++) {
      accepted("alice@node1");
    }

    node.tell(new FoundingInput.Accepted());

    assertThat(all()).hasSize(230);
  }

  @Test
  void aCallerIsToldWhatTheLedgerSays() {
    node.ledgerIsAway();

    node.make(request("alice@node1"));

    assertThat(node.outcomes)
        .singleElement()
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.sentence()).startsWith("Gone. This node tries again"));
    node.ledgerTakes();
    node.pass(Founding.PAUSE);
    assertThat(node.ports.submitted()).hasSize(2);
  }

  private static Transport knowingOthers(Transport transport) {
    return (Transport)
        Proxy.newProxyInstance(
            Transport.class.getClassLoader(),
            new Class<?>[] {Transport.class},
            (proxy, method, arguments) ->
                method.getName().equals("peers")
                    ? Set.of(SECOND, THIRD)
                    : method.invoke(transport, arguments));
  }

  /** The store, which cannot keep receipts as often as a test wants it so. */
  private NodeStore failing() {
    return (NodeStore)
        Proxy.newProxyInstance(
            NodeStore.class.getClassLoader(),
            new Class<?>[] {NodeStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("receipt")) {
                receiptsAskedFor.incrementAndGet();
              }
              return method.getName().equals("complete") && failingWrites.getAndDecrement() > 0
                  ? CompletableFuture.failedFuture(new IllegalStateException("It stands still."))
                  : method.invoke(store, arguments);
            });
  }

  private static GroupRequest request(String... members) {
    return new GroupRequest(
        "record",
        "traders",
        List.of(members).stream().map(Identity::parse).toList(),
        Bytes.utf8("{}"),
        Bytes.utf8("{\"name\":\"traders\"}"));
  }

  private NewGroup acceptedAndTold(String... members) {
    var asked = accepted(members);
    node.tell(new FoundingInput.Accepted());
    return asked;
  }

  private NewGroup accepted(String... members) {
    var asked =
        new NewGroup(
            node.any.next(TransactionId.class),
            Identity.parse("alice@node1"),
            Bytes.utf8("{}"),
            request(members));
    var hash = node.any.next(Hash.class);
    var intent = new Intent(0, Instant.EPOCH, Optional.empty(), hash, asked);
    get(store.accept(List.of(intent)));
    return asked;
  }

  private LedgerTransaction.Deploy deployed() {
    return (LedgerTransaction.Deploy) node.ports.submitted().getLast().transaction().call();
  }

  private List<StoredGroup> all() {
    return get(store.groups(Optional.empty(), 1_000));
  }

  private StoredGroup stored(NewGroup asked) {
    return all().stream()
        .filter(group -> group.genesisTransaction().equals(Optional.of(asked.id())))
        .findFirst()
        .orElseThrow();
  }

  /** As the indexer does once it has read of the contract. */
  private PrivacyGroup confirmed(StoredGroup stored) {
    var group = node.indexed(stored.deployment().orElseThrow());
    var at =
        new Receipt.OnLedger(
            node.any.next(TransactionHash.class),
            new BlockHeight(7),
            0,
            List.of(),
            List.of(),
            List.of());
    get(new NewGroupReceipts(node.services, store).made(group, at));
    return group;
  }

  private Optional<NumberedReceipt> receipt(NewGroup asked) {
    return get(store.receipt(asked.id()));
  }

  private String failure(NewGroup asked) {
    return receipt(asked).orElseThrow().receipt().failureMessage().orElseThrow();
  }

  /** The node of Bob tells his key: the double of the point that all keys of this node are. */
  private void resolve() {
    node.tellKey(
        SECOND,
        new Verifier(
            Bytes.hex("0x02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5")));
  }

  private static <T> T get(CompletionStage<T> done) {
    return done.toCompletableFuture().getNow(null);
  }
}
