package dev.sequitur.sequencer.runtime;

import static dev.sequitur.sequencer.runtime.GroupNode.GIVEN_UP;
import static dev.sequitur.sequencer.runtime.GroupNode.SECOND;
import static dev.sequitur.sequencer.runtime.GroupNode.SELF;
import static dev.sequitur.sequencer.runtime.GroupNode.THIRD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.persistence.store.InMemoryNodeStore;
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
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.port.Transport;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.sequencer.actor.NewGroupReceipts;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.ScriptedPorts;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How accepted transactions make groups, and how they end (SEL-8). */
class NewGroupsTest {
  private final InMemoryNodeStore store = new InMemoryNodeStore();
  private final AtomicInteger failingReads = new AtomicInteger();
  private final AtomicInteger failingWrites = new AtomicInteger();
  private final GroupNode node =
      new GroupNode(
          23,
          given ->
              new NodeSetup.Ports(
                  knowingOthers(given.transport()),
                  given.ledger(),
                  failing(),
                  given.keys(),
                  given.signatures()));
  private final Arbitrary any = node.any;
  private final ScriptedPorts ports = node.ports;
  private final ManualTimers timers = node.timers;
  private final NodeServices services = node.services;
  private final NewGroups newGroups = start();

  private VerifierResolution verifiers;
  private Groups groups;

  @Test
  void theGroupOfATransactionIsMadeAndItsContractIsTheReceiptsOwn() {
    node.ledgerTakes();
    var asked = accepted("alice@node1");

    newGroups.look();

    assertThat(deployed().genesis().committee().identities()).containsExactly(asked.from());
    var group = stored(asked);
    assertThat(group.request()).isEqualTo(asked.request().request());
    assertThat(receipt(asked)).isEmpty();
    assertThat(newGroups.waitsFor(asked.id())).contains("Its contract is in no final block yet.");

    var made = confirmed(group);

    var receipt = receipt(asked).orElseThrow().receipt();
    assertThat(receipt.success()).isTrue();
    assertThat(receipt.isPublic()).isFalse();
    assertThat(receipt.domain()).isEqualTo("record");
    assertThat(receipt.called().flatMap(Receipt.Called::created)).contains(made.contract());
    assertThat(receipt.onLedger().orElseThrow().block()).isEqualTo(new BlockHeight(7));
  }

  @Test
  void oneThatHasItsReceiptIsForgotten() {
    node.ledgerTakes();
    var asked = accepted("alice@node1");
    newGroups.look();
    confirmed(stored(asked));

    newGroups.look();

    assertThat(newGroups.waitsFor(asked.id())).isEmpty();
  }

  /** The process may end between any two writes. */
  @Test
  void whoTakesUpATransactionAfterARestartMakesNoOtherGroup() {
    node.ledgerTakes();
    var asked = accepted("alice@node1");
    newGroups.look();
    var before = stored(asked);

    start().look();

    assertThat(all()).containsExactly(before);
    assertThat(ports.submitted()).as("the deployment goes on by itself").hasSize(1);
  }

  /** It has stored the group, and the ledger did not hear of it. */
  @Test
  void whatAJvmThatIsGoneHasBegunIsDeployedByTheOneThatTakesOver() {
    node.ledgerIsAway();
    var asked = accepted("alice@node1");
    newGroups.look();
    var before = stored(asked);
    node.ledgerTakes();

    var other = start();
    get(groups.resume());
    other.look();
    timers.pass(Duration.ZERO);

    assertThat(ports.submitted()).hasSize(2);
    assertThat(deployed().genesis()).isEqualTo(before.deployment().orElseThrow().genesis());
    assertThat(all()).containsExactly(before);
  }

  /** It had answered its caller, and no more. */
  @Test
  void whatAJvmThatIsGoneHasOnlyAcceptedIsMadeByTheOneThatTakesOver() {
    node.ledgerTakes();
    var other = start();
    get(groups.resume());
    other.look();
    var asked = accepted("alice@node1");
    assertThat(all()).isEmpty();

    get(groups.resume());
    other.look();

    assertThat(stored(asked).genesisTransaction()).contains(asked.id());
    assertThat(ports.submitted()).hasSize(1);
  }

  @Test
  void aReceiptThatCannotBeStoredIsSaidInTheLog() {
    node.ledgerAnswers(
        new SubmitOutcome.Invalid(any.next(TransactionHash.class), "It is too long."));
    // That of the group, and that of the transaction, which is the same.
    failingWrites.set(2);
    var asked = accepted("alice@node1");

    var lines = GroupNode.logged(Deployments.class, newGroups::look);

    assertThat(receipt(asked)).isEmpty();
    assertThat(lines)
        .extracting(ILoggingEvent::getFormattedMessage)
        .anyMatch(line -> line.contains("It is too long."));

    timers.pass(Deployments.PAUSE);
    assertThat(failure(asked)).as("a later round has stored it").contains("It is too long.");
    assertThat(stored(asked).notMade().orElseThrow()).contains("It is too long.");
    assertThat(timers.count()).isZero();
  }

  @Test
  void whatCannotBeUsedEndsWithItsSentence() {
    var asked = accepted("alice@node1", "x@nowhere");

    newGroups.look();

    assertThat(failure(asked)).contains("x@nowhere is on a node that this one does not know");
    assertThat(receipt(asked).orElseThrow().receipt().called().flatMap(Receipt.Called::created))
        .isEmpty();
    assertThat(all()).isEmpty();
  }

  /** One signature would count for two, and a contract on a chain is never made so. */
  @Test
  void twoMembersWithOneKeyAreRefusedByName() {
    node.ledgerTakes();
    var asked = accepted("alice@node1", "bob@node2");
    newGroups.look();

    resolve(services.setup().ports().keys().verifier("alice"));

    assertThat(failure(asked))
        .isEqualTo(
            "Members alice@node1 and bob@node2 have the same key: each member of a group signs with"
                + " one of its own.");
    assertThat(all()).isEmpty();
    assertThat(ports.sent()).noneMatch(GroupGenesis.class::isInstance);
  }

  @Test
  void aNodeThatTellsWhatIsNoKeyIsAskedAgainAndTheTransactionSaysSo() {
    node.ledgerTakes();
    var asked = accepted("alice@node1", "bob@node2");
    newGroups.look();

    // No point of the curve has an x of 0.
    resolve(new Verifier(Bytes.hex("0x02" + "00".repeat(32))));

    assertThat(newGroups.waitsFor(asked.id()).orElseThrow())
        .contains("Node node2 tells a verifier of bob@node2 that is no public key");
    assertThat(all()).isEmpty();

    timers.pass(Deployments.PAUSE);
    resolve();

    assertThat(stored(asked).genesisTransaction()).contains(asked.id());
  }

  @Test
  void aNodeThatDoesNotAnswerIsAskedAgainAndTheTransactionSaysSo() {
    node.ledgerTakes();
    var asked = accepted("alice@node1", "bob@node2");
    newGroups.look();

    timers.pass(GIVEN_UP);

    assertThat(receipt(asked)).isEmpty();
    assertThat(newGroups.waitsFor(asked.id()).orElseThrow()).contains("node2 does not answer");
    assertThat(all()).isEmpty();
    int questions = ports.envelopes().size();
    timers.pass(Deployments.PAUSE);
    assertThat(ports.envelopes()).hasSizeGreaterThan(questions);

    resolve();

    assertThat(stored(asked).genesisTransaction()).contains(asked.id());
  }

  @Test
  void whileKeysAreAskedForAllNodesThatDoNotAnswerAreNamedEachOnce() {
    var asked = accepted("alice@node1", "bob@node2", "carol@node3", "dave@node3");
    newGroups.look();

    timers.pass(GIVEN_UP);

    assertThat(newGroups.waitsFor(asked.id()).orElseThrow())
        .containsOnlyOnce("Node node2 does not answer")
        .containsOnlyOnce("Node node3 does not answer");
  }

  /** Its key is known and its group stored: what is missing is the word of a member. */
  @Test
  void whoDoesNotAnswerWhetherItTakesPartIsNamedUntilItDoes() {
    node.ledgerTakes();
    var asked = accepted("alice@node1", "bob@node2");
    newGroups.look();
    resolve();

    timers.pass(GIVEN_UP);
    assertThat(newGroups.waitsFor(asked.id()).orElseThrow()).contains("node2 does not answer");
    timers.pass(Deployments.PAUSE);
    assertThat(newGroups.waitsFor(asked.id()).orElseThrow()).contains("node2 does not answer");

    node.acknowledge(SECOND);

    assertThat(newGroups.waitsFor(asked.id())).contains("Its contract is in no final block yet.");
  }

  @Test
  void afterARestartItIsSaidThatMembersAreAsked() {
    node.ledgerTakes();
    var asked = accepted("alice@node1", "bob@node2");
    newGroups.look();
    resolve();

    var other = start();
    get(groups.resume());
    other.look();
    timers.pass(Duration.ZERO);

    assertThat(other.waitsFor(asked.id()).orElseThrow())
        .contains("are asked whether they take part");
  }

  @Test
  void aMembersNodeThatTakesNoPartEndsItAlsoInALaterRound() {
    var asked = accepted("alice@node1", "bob@node2");
    newGroups.look();
    resolve();
    timers.pass(GIVEN_UP);
    assertThat(receipt(asked)).isEmpty();
    timers.pass(Deployments.PAUSE);

    node.reject(SECOND, GenesisFlaw.DOMAIN_UNKNOWN);

    assertThat(failure(asked)).contains("Node node2 has no such domain");
  }

  /** Its receipt says so, and another program of that node's might take it by then. */
  @Test
  void oneThatIsNotMadeIsNotMadeAfterARestartEither() {
    node.ledgerTakes();
    var asked = accepted("alice@node1", "bob@node2");
    newGroups.look();
    resolve();
    node.reject(SECOND, GenesisFlaw.DOMAIN_UNKNOWN);
    node.withdrawn(SECOND);
    int sent = ports.sent().size();

    var other = start();
    get(groups.resume());
    other.look();
    timers.pass(Duration.ZERO);

    assertThat(ports.sent()).hasSize(sent);
    assertThat(failure(asked)).contains("Node node2 has no such domain");
  }

  /** The process may end between the receipt and the end of the group itself. */
  @Test
  void whatHasItsReceiptIsWithdrawnAfterARestart() {
    var asked = accepted("alice@node1", "bob@node2");
    newGroups.look();
    resolve();
    get(
        store.complete(
            List.of(Receipt.notMade(asked.id(), "record", "Nobody takes part.", Instant.EPOCH))));

    start();
    get(groups.resume());

    assertThat(stored(asked).notMade()).contains("Nobody takes part.");
    assertThat(failure(asked)).isEqualTo("Nobody takes part.");
    node.withdrawn(SECOND);
    assertThat(stored(asked).withdrawal().orElseThrow().untold()).isEmpty();
  }

  @Test
  void whatTheLedgerNeverTakesEndsIt() {
    node.ledgerAnswers(
        new SubmitOutcome.Invalid(any.next(TransactionHash.class), "It is too long."));
    var asked = accepted("alice@node1");

    newGroups.look();

    assertThat(failure(asked)).contains("It is too long.");
  }

  /** No transaction has asked for it: what is stored of the group itself says how it ended. */
  @Test
  void whatACallHasAskedForInVainIsNotGivenToItsMembersAgain() {
    groups.create(request("alice@node1", "bob@node2"));
    resolve();
    node.reject(SECOND, GenesisFlaw.DOMAIN_UNKNOWN);
    assertThat(all().getFirst().notMade().orElseThrow()).contains("Node node2 has no such domain");
    node.withdrawn(SECOND);
    int sent = ports.sent().size();

    start();
    get(groups.resume());
    timers.pass(Deployments.PAUSE);

    assertThat(ports.sent()).hasSize(sent);
  }

  /** The pool had it all the same. */
  @Test
  void aContractThatComesLateWins() {
    node.ledgerAnswers(
        new SubmitOutcome.Invalid(any.next(TransactionHash.class), "It is too long."));
    var asked = accepted("alice@node1");
    newGroups.look();

    confirmed(stored(asked));

    assertThat(receipt(asked).orElseThrow().receipt().success()).isTrue();
  }

  @Test
  void aStoreThatCannotBeReadIsReadLater() {
    node.ledgerTakes();
    var asked = accepted("alice@node1");
    failingReads.set(1);

    var lines = GroupNode.logged(NewGroups.class, newGroups::look);
    assertThat(all()).isEmpty();
    assertThat(lines)
        .singleElement()
        .satisfies(
            line ->
                assertThat(line.getThrowableProxy().getMessage()).isEqualTo("It stands still."));
    timers.pass(Deployments.PAUSE);

    assertThat(stored(asked).genesisTransaction()).contains(asked.id());
  }

  @Test
  void onlySoManyAreAcceptedAtATime() {
    node.ledgerTakes();
    var asked = new ArrayList<NewGroup>();
    for (int i = 0; i < Groups.MOST; i++) {
      asked.add(accepted("alice@node1"));
    }
    assertThat(newGroups.room(1).toCompletableFuture()).as("none is begun").isCompleted();
    newGroups.look();

    assertThat(newGroups.room(0).toCompletableFuture()).isCompleted();
    assertThatThrownBy(() -> newGroups.room(1).toCompletableFuture().join())
        .hasRootCauseInstanceOf(RefusedIntent.class)
        .hasMessageContaining("at most 1000 groups at a time");

    confirmed(stored(asked.getFirst()));
    assertThat(newGroups.room(1).toCompletableFuture()).isCompleted();
    assertThatThrownBy(() -> newGroups.room(2).toCompletableFuture().join())
        .hasRootCauseInstanceOf(RefusedIntent.class);
  }

  /** The ledger takes none of them: each is tried again and again. */
  @Test
  void callsHaveNoMoreMadeThanSoManyAtATime() {
    node.ledgerIsAway();
    for (int i = 0; i < Groups.MOST; i++) {
      assertThat(refusalOfACall().code()).isEqualTo("SQ020012");
    }

    assertThat(refusalOfACall().code()).isEqualTo("SQ020022");
    assertThat(refusalOfACall()).hasMessageContaining("at most 1000 groups at a time");
    assertThat(all()).as("nothing of the others is stored").hasSize(Groups.MOST);

    services.groups().add(confirmed(all().getFirst()));
    assertThat(refusalOfACall().code()).as("there is room for one").isEqualTo("SQ020012");
    assertThat(refusalOfACall().code()).isEqualTo("SQ020022");
  }

  @Test
  void whatIsBeingMadeTakesRoomFromTheBegin() {
    var answers = new CompletableFuture<List<SubmitOutcome>>();
    ports.answerSubmissions(answers);
    for (int i = 0; i < Groups.MOST - 1; i++) {
      groups.create(request("alice@node1", "bob@node2"));
    }

    var last = groups.create(request("alice@node1"));
    assertThat(last.toCompletableFuture()).isNotDone();
    assertThat(refusalOfACall().code()).isEqualTo("SQ020022");

    timers.pass(GIVEN_UP);
    assertThat(all()).as("of the others node2 has told no key").hasSize(1);
    assertThat(groups.create(request("alice@node1")).toCompletableFuture()).isNotDone();
  }

  private RefusedIntent refusalOfACall() {
    var made = groups.create(request("alice@node1")).toCompletableFuture();
    assertThat(made).isCompletedExceptionally();
    return (RefusedIntent) Groups.root(made.exceptionNow());
  }

  @Test
  void allAreTakenUpHoweverManyThereAre() {
    node.ledgerTakes();
    for (int i = 0; i < 230; i++) {
      accepted("alice@node1");
    }

    newGroups.look();

    assertThat(all()).hasSize(230);
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

  /** The store, which at first cannot tell what is pending as often as a test wants it so. */
  private NodeStore failing() {
    return (NodeStore)
        Proxy.newProxyInstance(
            NodeStore.class.getClassLoader(),
            new Class<?>[] {NodeStore.class},
            (proxy, method, arguments) ->
                (method.getName().equals("newGroupsPending") && isUsed(failingReads))
                        || (method.getName().equals("complete") && isUsed(failingWrites))
                    ? CompletableFuture.failedFuture(new IllegalStateException("It stands still."))
                    : method.invoke(store, arguments));
  }

  private static boolean isUsed(AtomicInteger failures) {
    return failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  /** What a node has of this when it starts. */
  private NewGroups start() {
    node.startAgain();
    verifiers =
        new VerifierResolution(
            SELF,
            services.setup().ports().keys(),
            services.setup().ports().signatures(),
            services.outbox(),
            node.questions());
    var deployments = new Deployments(services, node.distribution(), timers);
    groups = new Groups(services, verifiers, deployments);
    return new NewGroups(services, groups, timers);
  }

  private static GroupRequest request(String... members) {
    return new GroupRequest(
        "record",
        "traders",
        List.of(members).stream().map(Identity::parse).toList(),
        Bytes.utf8("{}"),
        Bytes.utf8("{\"name\":\"traders\"}"));
  }

  private NewGroup accepted(String... members) {
    var request = request(members);
    var asked =
        new NewGroup(
            any.next(TransactionId.class),
            Identity.parse("alice@node1"),
            Bytes.utf8("{}"),
            request);
    var intent = new Intent(0, Instant.EPOCH, Optional.empty(), any.next(Hash.class), asked);
    get(store.accept(List.of(intent)));
    return asked;
  }

  private LedgerTransaction.Deploy deployed() {
    return (LedgerTransaction.Deploy) ports.submitted().getLast().transaction().call();
  }

  private List<StoredGroup> all() {
    return get(store.groups());
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
            any.next(TransactionHash.class),
            new BlockHeight(7),
            0,
            List.of(),
            List.of(),
            List.of());
    get(new NewGroupReceipts(services).made(group, at));
    return group;
  }

  private Optional<NumberedReceipt> receipt(NewGroup asked) {
    return get(store.receipt(asked.id()));
  }

  private String failure(NewGroup asked) {
    return receipt(asked).orElseThrow().receipt().failureMessage().orElseThrow();
  }

  /** The node of Bob tells his key. */
  private void resolve() {
    // The double of the point that the keys of this node stand for.
    resolve(
        new Verifier(
            Bytes.hex("0x02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5")));
  }

  private void resolve(Verifier verifier) {
    var asked = (ResolveVerifierRequest) ports.sent().getLast();
    var answer = new ResolveVerifierResponse(asked.requestId(), asked.identity(), verifier);
    verifiers.receive(node.envelope(SECOND, answer), answer);
  }

  private static <T> T get(CompletionStage<T> done) {
    return done.toCompletableFuture().getNow(null);
  }
}
