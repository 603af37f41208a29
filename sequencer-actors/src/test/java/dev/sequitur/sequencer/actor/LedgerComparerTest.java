package dev.sequitur.sequencer.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.pattern.StatusReply;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.distribution.ComparisonProgress;
import dev.sequitur.protocol.distribution.ComparisonProgress.Status;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.indexing.BlockNotice;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.runtime.ActorFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A node that was told less than the ledger shows (DST-9 to DST-11). */
@Execution(ExecutionMode.CONCURRENT)
class LedgerComparerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration OFTEN = Duration.ofMillis(20);

  @TempDir private Path directory;

  private final ScriptedPorts ports = new ScriptedPorts();
  private final Arbitrary arbitrary = new Arbitrary(11);
  private final Map<String, StateId> states = new HashMap<>();
  private PrivacyGroup group;
  private PrivacyGroup other;
  private Intent own;
  private ActorFixture actors;
  private NodeServices services;
  private TestProbe<LedgerIndexer.Ack> acks;

  @BeforeEach
  void start() {
    group = ports.newGroup();
    other = ports.newGroup();
    own = ports.newIntent(group, SubmitMode.AUTO);
    ports.pending().complete(List.of(own));
    ports.showMaking();
    begin();
  }

  private void begin() {
    actors = new ActorFixture(directory, "");
    services = actors.services(ports.setupOf(group, (method, unused) -> judgingNothing(method)));
    services.groups().add(group);
    services.groups().add(other);
    actors.initEntities(services);
    acks = actors.testKit().createTestProbe();
  }

  private static Object judgingNothing(String method) {
    return switch (method) {
      case "isGenuine", "sharesAllStates" -> true;
      case "call" -> Bytes.utf8("an answer");
      default -> throw new UnsupportedOperationException(method);
    };
  }

  @AfterEach
  void stop() {
    actors.close();
  }

  @Test
  void aDroppedTransitionIsToldWithItsBlockStopsItsGroupAloneAndIsRebuilt() {
    told(group, block(group, ids(), ids("one", "two")));
    var dropped = block(group, ids("one"), ids("three"));
    told(group, block(group, ids("two"), ids("four")));
    told(other, block(other, ids(), ids("elsewhere")));
    ports.store(content("three"));
    assertThat(services.standing().lacking().sentences()).isEmpty();

    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    await().atMost(PATIENCE).until(() -> services.standing().lacking().parted() == 1);
    assertThat(services.standing().lacking().sentences())
        .anySatisfy(
            sentence ->
                assertThat(sentence)
                    .contains(group.contract().toString())
                    .contains("since block " + dropped.height())
                    .contains("sequitur compare-ledger"));
    assertThat(call(group).getError()).hasMessageContaining("differs from the ledger");
    assertThat(call(other).getValue()).isEqualTo(Bytes.utf8("an answer"));

    var done = compared(comparer, true);

    assertThat(done.status()).isEqualTo(Status.REBUILT);
    assertThat(done.since()).contains(dropped.height());
    assertThat(done.lacking()).isEqualTo(1);
    assertThat(done.spent()).isEqualTo(1);
    assertThat(services.standing().lacking().parted()).isZero();
    assertThat(call(group).isSuccess()).isTrue();
    assertThat(unspent("one", "two", "three", "four")).containsOnly(states.get("three"));
    // What the background has found before is true no more.
    assertThat(compared(comparer, false).status()).isEqualTo(Status.SAME);
    assertThat(services.standing().lacking().parted()).isZero();
  }

  /** All that is remembered is gone through for each page, however many groups there are. */
  @Test
  void ofGroupsThatAreAsTheLedgerShowsNothingIsRemembered() {
    told(group, block(group, ids(), ids("one", "two")));
    told(group, block(group, ids("one"), ids("three")));
    told(other, block(other, ids(), ids("elsewhere")));
    block(other, ids("elsewhere"), ids("dropped"));

    var reading = readAll();

    assertThat(reading.ended()).isTrue();
    assertThat(reading.groups()).containsOnlyKeys(other.contract());
    assertThat(LedgerRereading.differing(reading)).containsExactly(other.contract());
    assertThat(reading.forgetting(other.contract()).groups()).isEmpty();
  }

  private LedgerRereading.Reading readAll() {
    var rereading = new LedgerRereading(services);
    var reading = LedgerRereading.Reading.beginning(Optional.empty(), new BlockHeight(1), true);
    while (!reading.ended()) {
      reading = rereading.page(reading).toCompletableFuture().join();
    }
    return reading;
  }

  /** A page each half a minute would take ten: what is old and damaged is to be told soon. */
  @Test
  void aSmallStoreIsComparedWholeInTheBackgroundWithinAMinuteOrTwo() {
    block(group, ids(), ids("one"));
    told(group, block(group, ids("one"), ids("two")));
    for (int i = 0; i < 600; i++) {
      block(other, ids(), ids());
    }
    actors.testKit().spawn(LedgerComparer.create(services));

    var passes = new AtomicInteger();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              passes.incrementAndGet();
              actors.pass(Duration.ofSeconds(1));
              return services.standing().lacking().parted() == 1;
            });

    assertThat(passes.get()).as("seconds").isLessThan(120);
  }

  /** Nothing of it differs from the ledger, and nothing can be read of it. */
  @Test
  void contentsThatHaveNotComeAreCounted() {
    told(group, block(group, ids(), ids("one", "two")));
    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    var done = compared(comparer, false);

    assertThat(done.status()).isEqualTo(Status.SAME);
    assertThat(done.contents().orElseThrow().states()).isEqualTo(2);
    assertThat(done.sentence()).contains("The contents of 2 states");
  }

  @Test
  void thatItDiffersIsKnownAfterARestart() {
    told(group, block(group, ids(), ids("one")));
    block(group, ids("one"), ids("two"));
    actors.testKit().spawn(LedgerComparer.create(services, OFTEN));
    await().atMost(PATIENCE).until(() -> services.standing().lacking().parted() == 1);

    stop();
    begin();

    assertThat(call(group).getError()).hasMessageContaining("since block 2");
    assertThat(services.standing().lacking().parted()).isEqualTo(1);
  }

  @Test
  void anOutcomeThatItsSenderWasNeverToldOfIsFoundAndMadeGood() {
    var transaction = own.privately().orElseThrow();
    var block = ports.append(group, transaction.key(), ids(), ids("made"));
    ports.acknowledged(block.height());
    services
        .entities()
        .stateStore(group.contract())
        .tell(new StateStoreActor.BlockIndexed(notice(block), BlockHeight.ZERO, acks.ref()));
    acks.receiveMessage();
    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    await().atMost(PATIENCE).until(() -> services.standing().lacking().parted() == 1);
    var done = compared(comparer, true);

    assertThat(done.status()).isEqualTo(Status.REBUILT);
    assertThat(done.outcomes()).isEqualTo(1);
    assertThat(ports.receipts())
        .singleElement()
        .satisfies(receipt -> assertThat(receipt.transaction()).isEqualTo(transaction.id()))
        .matches(Receipt::success);
    assertThat(services.standing().lacking().parted()).isZero();
  }

  /** DST-11: what is older may have made it. */
  @Test
  void ofAReadingThatBeginsAfterTheGroupWasMadeNothingIsPutAside() {
    told(group, block(group, ids(), ids("old", "spent")));
    told(group, block(group, ids("spent"), ids("new")));
    ports.firstBlock(2);
    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    for (boolean rebuild : List.of(false, true)) {
      var done = compared(comparer, rebuild);
      assertThat(done.status()).isEqualTo(Status.FAILED);
      assertThat(done.sentence()).contains("No block from 2 on has made").contains("first-block");
    }
    assertThat(services.standing().lacking().parted()).isZero();
    assertThat(held()).containsExactlyInAnyOrderElementsOf(ids("old", "new"));

    ports.firstBlock(1);
    assertThat(compared(comparer, true).status()).isEqualTo(Status.REBUILT);
    assertThat(held()).containsExactlyInAnyOrderElementsOf(ids("old", "new"));
  }

  /** DST-11: the ledger was reorganised, and the block that made it is gone. */
  @Test
  void whatIsHeldAndNoBlockHasMadeIsPutAside() {
    var first = block(group, ids(), ids("one"));
    told(group, instead(first, first.hash(), ids(), ids("one", "invented")));
    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    assertThat(compared(comparer, false).unknown()).isEqualTo(1);
    assertThat(services.standing().lacking().parted()).isEqualTo(1);
    // Asked for without first, and while that goes on.
    TestProbe<LedgerComparer.Progress> ignored = actors.testKit().createTestProbe();
    comparer.tell(new LedgerComparer.Compare(group.contract(), false, ignored.ref()));
    var done = compared(comparer, true);

    assertThat(done.status()).isEqualTo(Status.REBUILT);
    assertThat(services.standing().lacking().parted()).isZero();
    assertThat(held()).isEqualTo(ids("one"));
  }

  @Test
  void whatWasNotAcknowledgedYetIsNoDifferenceAndIsComparedLater() {
    told(group, block(group, ids(), ids("one")));
    var late = block(group, ids("one"), ids("two"));
    ports.acknowledged(new BlockHeight(1));
    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    assertThat(compared(comparer, false).status()).isEqualTo(Status.SAME);
    assertThat(services.standing().lacking().parted()).isZero();

    ports.acknowledged(late.height());
    await().atMost(PATIENCE).until(() -> services.standing().lacking().parted() == 1);
  }

  @Test
  void anEndpointOnAForkStopsNoGroupAndWhatWasComparedWithItIsComparedAnew() {
    told(group, block(group, ids(), ids("one")));
    var real = block(group, ids(), ids("two"));
    told(group, real);
    ports.replaceNewest(spending(real, arbitrary.next(Hash.class), "one"));
    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    var onFork = compared(comparer, true);

    assertThat(onFork.status()).isEqualTo(Status.FAILED);
    assertThat(onFork.sentence()).contains("does not give the block 2").contains("fork");
    assertThat(services.standing().lacking().parted()).isZero();

    ports.replaceNewest(real);
    assertThat(compared(comparer, false).status()).isEqualTo(Status.SAME);
  }

  @Test
  void anOldBlockThatIsNoParentOfTheNextIsNotCompared() {
    var first = block(group, ids(), ids("one"));
    told(group, first);
    told(group, block(group, ids(), ids("two")));
    ports.showOnce(spending(first, arbitrary.next(Hash.class), "elsewhere"));
    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    await().atMost(PATIENCE).until(() -> ports.firstBlockReads() > 1);
    assertThat(services.standing().lacking().parted()).isZero();
    assertThat(compared(comparer, false).status()).isEqualTo(Status.SAME);
  }

  @Test
  void whatTheBackgroundFindsOnceAndNotAgainIsNoDifference() {
    var first = block(group, ids(), ids("one"));
    told(group, first);
    ports.showOnce(spending(first, first.hash(), "one"));
    told(group, block(group, ids(), ids("two")));

    actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    await().atMost(PATIENCE).until(() -> ports.firstBlockReads() > 1);
    assertThat(services.standing().lacking().parted()).isZero();
    assertThat(call(group).isSuccess()).isTrue();
  }

  @Test
  void whileTheLedgerLacksWhatTheNodeHasReadNothingIsCompared() {
    told(group, block(group, ids(), ids("one")));
    block(group, ids("one"), ids("two"));
    services
        .standing()
        .reading(LedgerReading.NONE.parted(Optional.of("The base ledger lacks block 2.")));

    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    assertThat(compared(comparer, false).sentence()).contains("The base ledger lacks block 2.");
    assertThat(services.standing().lacking().parted()).isZero();
  }

  @Test
  void aGroupOfWhichAllIsWhatTheLedgerShowsGoesOnThoughItWasToldToDiffer() {
    told(group, block(group, ids(), ids("one")));
    TestProbe<StateStoreActor.Corrected> done = actors.testKit().createTestProbe();
    services
        .entities()
        .stateStore(group.contract())
        .tell(new StateStoreActor.Differs(new BlockHeight(1), done.ref()));
    done.receiveMessage();
    assertThat(services.standing().lacking().parted()).isEqualTo(1);
    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    assertThat(compared(comparer, false).status()).isEqualTo(Status.SAME);

    assertThat(services.standing().lacking().parted()).isZero();
    assertThat(call(group).isSuccess()).isTrue();
  }

  @Test
  void aGroupThatCannotBeComparedToItsEndHoldsUpNoOtherAndIsGivenUp() {
    told(other, block(other, ids(), ids("elsewhere")));
    told(group, block(group, ids(), ids("one")));
    ports.acknowledged(new BlockHeight(1));
    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));
    TestProbe<LedgerComparer.Progress> ignored = actors.testKit().createTestProbe();
    comparer.tell(new LedgerComparer.Compare(group.contract(), false, ignored.ref()));

    assertThat(compared(comparer, other, false).status()).isEqualTo(Status.SAME);
    assertThat(compared(comparer, false).sentence()).contains("come faster");
  }

  /** It is made in parts, and a block comes between two: what was read of it is true no more. */
  @Test
  void aRebuildThatABlockInterruptsIsBegunAnewAndInventsNothing() {
    told(group, block(group, ids(), ids("one")));
    var many = IntStream.range(0, 1_500).mapToObj(i -> "made " + i).toArray(String[]::new);
    block(group, ids(), ids(many));
    var firstPart = new CompletableFuture<Void>();
    var secondPart = new CompletableFuture<Void>();
    ports.read(firstPart);
    long looks = ports.contentLooks();
    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));
    TestProbe<LedgerComparer.Progress> ignored = actors.testKit().createTestProbe();
    comparer.tell(new LedgerComparer.Compare(group.contract(), true, ignored.ref()));

    await().atMost(PATIENCE).until(() -> ports.contentLooks() > looks);
    ports.read(secondPart);
    firstPart.complete(null);
    await().atMost(PATIENCE).until(() -> ports.contentLooks() > looks + 1);
    told(group, block(group, ids(), ids("later")));
    secondPart.complete(null);

    var done = compared(comparer, true);
    assertThat(done.unknown()).isZero();
    assertThat(done.status()).isEqualTo(Status.REBUILT);
    assertThat(services.standing().lacking().parted()).isZero();
  }

  @Test
  void whileOldBlocksAreReadWhatComesIsComparedToo() {
    blocksOfOthers(300);
    ports.prune(20);
    told(group, block(group, ids(), ids("one")));
    actors.testKit().spawn(LedgerComparer.create(services, OFTEN));
    await().atMost(PATIENCE).until(() -> ports.firstBlockReads() > 0);
    var dropped = block(group, ids("one"), ids());

    await().atMost(PATIENCE).until(() -> services.standing().lacking().parted() == 1);
    assertThat(services.standing().lacking().sentences())
        .anySatisfy(sentence -> assertThat(sentence).contains("block " + dropped.height()));
  }

  @Test
  void whereTheOldestBlocksCannotBeHadTheBackgroundBeginsAtTheFirstThatCan() {
    blocksOfOthers(19);
    block(group, ids(), ids("one"));
    blocksOfOthers(280);
    ports.prune(10);

    actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    await().atMost(PATIENCE).until(() -> services.standing().lacking().parted() == 1);
    assertThat(services.standing().lacking().sentences())
        .anySatisfy(sentence -> assertThat(sentence).contains("since block 20"));
  }

  /** More often in all than it may fail in a row. */
  @Test
  void aComparisonOfWhichPagesFailGoesOnWhereItWas() {
    told(group, block(group, ids(), ids("one")));
    blocksOfOthers(40 * LedgerRereading.PAGE);
    var reads = new AtomicInteger();
    ports.failBlocksWhen(() -> reads.incrementAndGet() % 3 == 1);
    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    var done = compared(comparer, false);

    assertThat(done.status()).as(done.sentence()).isEqualTo(Status.SAME);
    assertThat(done.upTo()).isEqualTo(new BlockHeight(40 * LedgerRereading.PAGE + 1));
  }

  /** Entities end before singletons do: that is no news of the ledger. */
  @Test
  void whileItsNodeStopsItGivesUpAtTheFirstFailure() {
    told(group, block(group, ids(), ids("one")));
    var system = actors.testKit().system();
    var shutdown = CoordinatedShutdown.get(system);
    var held = new CompletableFuture<Done>();
    var reads = new AtomicInteger();
    shutdown.addTask(CoordinatedShutdown.PhaseBeforeServiceUnbind(), "held", () -> held);
    var stopping = shutdown.runAll(CoordinatedShutdown.unknownReason());
    ports.failBlocksWhen(() -> reads.incrementAndGet() > 0);

    var comparer = actors.testKit().spawn(LedgerComparer.create(services, OFTEN));

    acks.expectTerminated(comparer, PATIENCE);
    assertThat(reads).hasPositiveValue();
    held.complete(Done.getInstance());
    assertThat(stopping).succeedsWithin(PATIENCE);
  }

  /** The newest blocks are compared first, and show the later one. */
  @Test
  void whatDiffersSinceALaterBlockIsToldWithTheFirstOnceThatIsRead() {
    blocksOfOthers(2);
    var first = block(group, ids(), ids("one"));
    blocksOfOthers(300);
    var later = block(group, ids(), ids("two"));
    actors.testKit().spawn(LedgerComparer.create(services, OFTEN));
    await().atMost(PATIENCE).until(() -> isTold(later) || isTold(first));
    await().atMost(PATIENCE).until(() -> isTold(first));
  }

  private boolean isTold(Block since) {
    return services.standing().lacking().sentences().stream()
        .anyMatch(sentence -> sentence.contains("since block " + since.height() + ":"));
  }

  private void blocksOfOthers(int number) {
    for (int i = 0; i < number; i++) {
      block(other, ids(), ids());
    }
  }

  /** The same block of another fork, which spends a state too. */
  private Block spending(Block block, Hash hash, String spent) {
    return instead(block, hash, ids(spent), ScriptedPorts.fulfilled(block).created());
  }

  private static Block instead(Block block, Hash hash, List<StateId> spent, List<StateId> created) {
    var like = ScriptedPorts.fulfilled(block);
    var receipt = block.receipts().get(0);
    return new Block(
        block.height(),
        hash,
        block.parent(),
        block.timestamp(),
        List.of(
            new LedgerReceipt(
                receipt.hash(),
                receipt.signer(),
                receipt.nonce(),
                receipt.block(),
                receipt.index(),
                List.of(
                    new LedgerReceipt.Fulfilled(
                        like.contract(), like.intent(), spent, List.of(), created)))));
  }

  private ComparisonProgress compared(ActorRef<LedgerComparer.Command> comparer, boolean rebuild) {
    return compared(comparer, group, rebuild);
  }

  private ComparisonProgress compared(
      ActorRef<LedgerComparer.Command> comparer, PrivacyGroup of, boolean rebuild) {
    TestProbe<LedgerComparer.Progress> answers = actors.testKit().createTestProbe();
    comparer.tell(new LedgerComparer.Compare(of.contract(), rebuild, answers.ref()));
    var now = answers.receiveMessage().progress();
    var until = System.nanoTime() + PATIENCE.toNanos();
    while (now.map(ComparisonProgress::status).filter(Status.RUNNING::equals).isPresent()) {
      assertThat(System.nanoTime() - until).as("nanoseconds too late").isNegative();
      comparer.tell(new LedgerComparer.GetProgress(of.contract(), answers.ref()));
      now = answers.receiveMessage().progress();
    }
    return now.orElseThrow();
  }

  private StatusReply<Bytes> call(PrivacyGroup of) {
    TestProbe<StatusReply<Bytes>> answers = actors.testKit().createTestProbe();
    services
        .entities()
        .stateStore(of.contract())
        .tell(
            new StateStoreActor.Call(
                of.committee().identities().get(0), "get", Bytes.EMPTY, answers.ref()));
    return answers.receiveMessage();
  }

  private List<StateId> unspent(String... names) {
    TestProbe<StateStoreActor.Stood> answers = actors.testKit().createTestProbe();
    services
        .entities()
        .stateStore(group.contract())
        .tell(new StateStoreActor.Stand(ids(names), answers.ref()));
    return answers.receiveMessage().confirmed();
  }

  /** All that is held unspent, with or without its content. */
  private List<StateId> held() {
    return new LedgerRereading(services).held(group.contract()).toCompletableFuture().join();
  }

  /** On the ledger, and acknowledged by all, as the node store has it. */
  private Block block(PrivacyGroup of, List<StateId> spent, List<StateId> created) {
    var block = ports.append(of, arbitrary.next(IntentKey.class), spent, created);
    ports.acknowledged(block.height());
    return block;
  }

  private void told(PrivacyGroup of, Block block) {
    services
        .entities()
        .stateStore(of.contract())
        .tell(
            new StateStoreActor.BlockIndexed(
                BlockNotice.of(block, services.now(), of.contract()::equals).get(of.contract()),
                BlockHeight.ZERO,
                acks.ref()));
    acks.receiveMessage();
  }

  private BlockNotice notice(Block block) {
    return BlockNotice.of(block, services.now(), group.contract()::equals).get(group.contract());
  }

  private PrivateState content(String name) {
    return new PrivateState(
        ids(name).get(0),
        group.contract(),
        "coin",
        name,
        Bytes.EMPTY,
        group.committee().identities());
  }

  private List<StateId> ids(String... names) {
    return List.of(names).stream()
        .map(name -> states.computeIfAbsent(name, n -> arbitrary.next(StateId.class)))
        .toList();
  }
}
