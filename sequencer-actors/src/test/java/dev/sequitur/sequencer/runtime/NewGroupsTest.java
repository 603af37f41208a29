package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ProtocolVersion;
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
import org.slf4j.LoggerFactory;

/** How accepted transactions make groups, and how they end (SEL-8). */
class NewGroupsTest {
  private static final NodeName SELF = new NodeName("node1");
  private static final NodeName SECOND = new NodeName("node2");
  private static final NodeName THIRD = new NodeName("node3");
  private static final Duration GIVEN_UP = Duration.ofSeconds(10);

  private final Arbitrary any = new Arbitrary(23);
  private final ScriptedPorts ports = new ScriptedPorts();
  private final ManualTimers timers = new ManualTimers();
  private final InMemoryNodeStore store = new InMemoryNodeStore();
  private final AtomicInteger failingReads = new AtomicInteger();
  private final NodeServices services = services();
  private final AtomicInteger failingWrites = new AtomicInteger();
  private final NewGroups newGroups = start();

  private VerifierResolution verifiers;
  private GenesisDistribution distribution;
  private Groups groups;

  @Test
  void theGroupOfATransactionIsMadeAndItsContractIsTheReceiptsOwn() {
    ledgerTakes();
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
    ledgerTakes();
    var asked = accepted("alice@node1");
    newGroups.look();
    confirmed(stored(asked));

    newGroups.look();

    assertThat(newGroups.waitsFor(asked.id())).isEmpty();
  }

  /** The process may end between any two writes. */
  @Test
  void whoTakesUpATransactionAfterARestartMakesNoOtherGroup() {
    ledgerTakes();
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
    ports.answerSubmissions(CompletableFuture.failedFuture(new IllegalStateException("Gone.")));
    var asked = accepted("alice@node1");
    newGroups.look();
    var before = stored(asked);
    ledgerTakes();

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
    ledgerTakes();
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
    var lines = new ListAppender<ILoggingEvent>();
    var logger = (Logger) LoggerFactory.getLogger(Deployments.class);
    lines.start();
    logger.addAppender(lines);
    ports.answerSubmissions(
        CompletableFuture.completedFuture(
            List.of(
                new SubmitOutcome.Invalid(any.next(TransactionHash.class), "It is too long."))));
    // That of the group, and that of the transaction, which is the same.
    failingWrites.set(2);
    var asked = accepted("alice@node1");

    newGroups.look();
    logger.detachAppender(lines);

    assertThat(receipt(asked)).isEmpty();
    assertThat(lines.list)
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
    ledgerTakes();
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
    ledgerTakes();
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
    ledgerTakes();
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
    ledgerTakes();
    var asked = accepted("alice@node1", "bob@node2");
    newGroups.look();
    resolve();

    timers.pass(GIVEN_UP);
    assertThat(newGroups.waitsFor(asked.id()).orElseThrow()).contains("node2 does not answer");
    timers.pass(Deployments.PAUSE);
    assertThat(newGroups.waitsFor(asked.id()).orElseThrow()).contains("node2 does not answer");

    acknowledge();

    assertThat(newGroups.waitsFor(asked.id())).contains("Its contract is in no final block yet.");
  }

  @Test
  void afterARestartItIsSaidThatMembersAreAsked() {
    ledgerTakes();
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

    reject();

    assertThat(failure(asked)).contains("Node node2 has no such domain");
  }

  /** Its receipt says so, and another program of that node's might take it by then. */
  @Test
  void oneThatIsNotMadeIsNotMadeAfterARestartEither() {
    ledgerTakes();
    var asked = accepted("alice@node1", "bob@node2");
    newGroups.look();
    resolve();
    reject();
    withdrawn();
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
    get(store.complete(List.of(Receipt.notMade(asked, "Nobody takes part.", Instant.EPOCH))));

    start();
    get(groups.resume());

    assertThat(stored(asked).notMade()).contains("Nobody takes part.");
    assertThat(failure(asked)).isEqualTo("Nobody takes part.");
    withdrawn();
    assertThat(stored(asked).withdrawal().orElseThrow().untold()).isEmpty();
  }

  @Test
  void whatTheLedgerNeverTakesEndsIt() {
    ports.answerSubmissions(
        CompletableFuture.completedFuture(
            List.of(
                new SubmitOutcome.Invalid(any.next(TransactionHash.class), "It is too long."))));
    var asked = accepted("alice@node1");

    newGroups.look();

    assertThat(failure(asked)).contains("It is too long.");
  }

  /** No transaction has asked for it: what is stored of the group itself says how it ended. */
  @Test
  void whatACallHasAskedForInVainIsNotGivenToItsMembersAgain() {
    groups.create(request("alice@node1", "bob@node2"));
    resolve();
    reject();
    assertThat(all().getFirst().notMade().orElseThrow()).contains("Node node2 has no such domain");
    withdrawn();
    int sent = ports.sent().size();

    start();
    get(groups.resume());
    timers.pass(Deployments.PAUSE);

    assertThat(ports.sent()).hasSize(sent);
  }

  /** The pool had it all the same. */
  @Test
  void aContractThatComesLateWins() {
    ports.answerSubmissions(
        CompletableFuture.completedFuture(
            List.of(
                new SubmitOutcome.Invalid(any.next(TransactionHash.class), "It is too long."))));
    var asked = accepted("alice@node1");
    newGroups.look();

    confirmed(stored(asked));

    assertThat(receipt(asked).orElseThrow().receipt().success()).isTrue();
  }

  @Test
  void aStoreThatCannotBeReadIsReadLater() {
    ledgerTakes();
    var asked = accepted("alice@node1");
    var lines = new ListAppender<ILoggingEvent>();
    var logger = (Logger) LoggerFactory.getLogger(NewGroups.class);
    lines.start();
    logger.addAppender(lines);
    failingReads.set(1);

    newGroups.look();
    logger.detachAppender(lines);
    assertThat(all()).isEmpty();
    assertThat(lines.list)
        .singleElement()
        .satisfies(
            line ->
                assertThat(line.getThrowableProxy().getMessage()).isEqualTo("It stands still."));
    timers.pass(Deployments.PAUSE);

    assertThat(stored(asked).genesisTransaction()).contains(asked.id());
  }

  @Test
  void onlySoManyAreAcceptedAtATime() {
    ledgerTakes();
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
    ports.answerSubmissions(CompletableFuture.failedFuture(new IllegalStateException("Gone.")));
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
    ledgerTakes();
    for (int i = 0; i < 230; i++) {
      accepted("alice@node1");
    }

    newGroups.look();

    assertThat(all()).hasSize(230);
  }

  private NodeServices services() {
    var setup = ports.setup(0);
    var given = setup.ports();
    return ActorFixture.withoutEntities(
        new NodeSetup(
            setup.self(),
            new NodeSetup.Ports(
                knowingOthers(given.transport()),
                given.ledger(),
                failing(),
                given.keys(),
                given.signatures()),
            setup.domains(),
            setup.rules(),
            setup.trace(),
            setup.registry(),
            setup.clock()));
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
    var questions = new NodeQuestions(SELF, services.outbox(), envelope -> {}, timers);
    verifiers =
        new VerifierResolution(
            SELF,
            services.setup().ports().keys(),
            services.setup().ports().signatures(),
            services.outbox(),
            questions);
    distribution = new GenesisDistribution(services, questions);
    var deployments = new Deployments(services, distribution, timers);
    groups = new Groups(services, verifiers, deployments);
    return new NewGroups(services, groups, timers);
  }

  private void ledgerTakes() {
    ports.answerSubmissions(
        CompletableFuture.completedFuture(
            List.of(new SubmitOutcome.Pooled(any.next(TransactionHash.class)))));
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
    var genesis = stored.deployment().orElseThrow().genesis();
    var group =
        new PrivacyGroup(
            genesis.group(),
            ports.newGroup().chainId(),
            any.next(ContractAddress.class),
            "record",
            genesis.name(),
            genesis.committee(),
            1,
            genesis.configuration());
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
    verifiers.receive(from(SECOND, answer), answer);
  }

  private void acknowledge() {
    var asked = (GroupGenesis) ports.sent().getLast();
    var answer = new GroupGenesisAcknowledgement(asked.requestId(), asked.genesis().group());
    distribution.receive(from(SECOND, answer), answer);
  }

  /** The node of Bob knows that the group is never made. */
  private void withdrawn() {
    var told = (GroupWithdrawal) ports.sent().getLast();
    var answer = new GroupWithdrawalAcknowledgement(told.requestId(), told.group());
    distribution.receive(from(SECOND, answer), answer);
  }

  private void reject() {
    var asked = (GroupGenesis) ports.sent().getLast();
    var answer =
        new GroupGenesisRejected(
            asked.requestId(), asked.genesis().group(), GenesisFlaw.DOMAIN_UNKNOWN);
    distribution.receive(from(SECOND, answer), answer);
  }

  private Envelope from(NodeName node, Message answer) {
    return new Envelope(
        ProtocolVersion.CURRENT,
        any.next(MessageId.class),
        Optional.empty(),
        node,
        SELF,
        List.of(),
        answer);
  }

  private static <T> T get(CompletionStage<T> done) {
    return done.toCompletableFuture().getNow(null);
  }
}
