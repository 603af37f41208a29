package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeyRange;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.OrderedMap.Order;
import dev.sequitur.persistence.serialization.ProtocolFormat;
import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.distribution.StateStore.Input;
import dev.sequitur.protocol.distribution.StateStoreState;
import dev.sequitur.protocol.errand.RoomErrands;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Received;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.port.ListenerStore.Listener;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.RoomExport;
import dev.sequitur.protocol.port.RoomStore.Ended;
import dev.sequitur.protocol.room.Room;
import dev.sequitur.protocol.room.Room.Kept;
import dev.sequitur.protocol.room.Room.Stop;
import dev.sequitur.protocol.room.RoomPolicy;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Receipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Weeks of transactions in simulated time, with a short policy, in a real directory. */
class RoomSoakTest extends NodeStoreFixture {
  private static final Duration STEP = Duration.ofHours(6);
  private static final int OF_STEP = 30;
  private static final RoomPolicy POLICY = RoomPolicy.of(Duration.ofDays(1), Duration.ofDays(3));

  private final ContractAddress contract = arbitrary.next(ContractAddress.class);

  @TempDir private Path directory;
  private OwnLevelDb own;
  private LevelDbNodeStore store;
  private Instant now = NOW;
  private RoomErrands errands;
  private Optional<StateId> unspent = Optional.empty();

  @BeforeEach
  void open() {
    own = new OwnLevelDb(directory.resolve("data"));
    store = new LevelDbNodeStore(own.db(), new ProtocolFormat(), own.executor());
    errands = new RoomErrands(new Room(POLICY), store, () -> now);
  }

  /** What is in the log of the writes goes into tables. */
  private void reopen() {
    own.reopen();
    store = new LevelDbNodeStore(own.db(), new ProtocolFormat(), own.executor());
    errands = new RoomErrands(new Room(POLICY), store, () -> now);
  }

  @AfterEach
  void close() {
    own.close();
  }

  @Override
  protected NodeStore store() {
    return store;
  }

  /** Own ones and others', each of which spends what the one before has made; one reverts. */
  private void step() {
    now = now.plus(STEP);
    var intents = new ArrayList<Intent>();
    for (int i = 0; i < OF_STEP; i++) {
      var any = intent(contract);
      intents.add(new Intent(0, now, Optional.of(key("k" + id(any))), hash(), any.transaction()));
    }
    get(store.accept(intents));
    var done = new LinkedHashMap<IntentKey, Receipt>();
    intents.stream()
        .skip(1)
        .forEach(each -> done.put(each.privately().orElseThrow().key(), confirmation(each)));
    for (int i = 0; i < OF_STEP; i++) {
      var others = intent(contract);
      done.put(others.privately().orElseThrow().key(), confirmation(others));
    }
    get(
        store.confirm(
            done,
            Set.copyOf(
                intents.stream().map(each -> each.privately().orElseThrow().key()).toList())));
    var reverted = intents.getFirst().privately().orElseThrow();
    get(
        store.complete(
            List.of(
                Receipt.reverted(reverted.id(), contract, reverted.domain(), "no funds", now))));
  }

  private Receipt confirmation(Intent intent) {
    var made =
        new PrivateState(
            new StateId(hash()), contract, "coin", "alice", Bytes.utf8("{}"), List.of());
    get(store.putStates(List.of(made)));
    var spent = unspent.stream().toList();
    unspent = Optional.of(made.id());
    var transaction = intent.privately().orElseThrow();
    return new Receipt(
        transaction.id(),
        contract,
        transaction.domain(),
        true,
        Optional.of(
            new Receipt.OnLedger(
                new TransactionHash(hash()),
                new BlockHeight(1),
                0,
                spent,
                List.of(),
                List.of(made.id()))),
        Optional.empty(),
        now);
  }

  private Stop forgetAll() {
    while (true) {
      var step = get(errands.forget());
      if (!step.goesOn()) {
        return step.stop();
      }
    }
  }

  private long entries() {
    var count = new long[1];
    own.db()
        .scan(
            KeyRange.startingWith(Key.in(KeySpace.NODE_STORE)),
            Order.ASCENDING,
            (key, value) -> ++count[0] > 0);
    return count[0];
  }

  private long bytesOnDisk() throws IOException {
    try (var files = Files.list(directory.resolve("data"))) {
      long sum = 0;
      for (var file : files.toList()) {
        sum += Files.size(file);
      }
      return sum;
    }
  }

  @Test
  void aStoreThatForgetsStaysAsLargeAsItIs() {
    for (int i = 0; i < 20; i++) {
      step();
      forgetAll();
    }
    long after5Days = entries();

    for (int i = 0; i < 40; i++) {
      step();
      assertThat(forgetAll()).isEqualTo(Stop.YOUNG);
    }

    assertThat(entries()).isEqualTo(after5Days);
    var states = get(store.statesAfter(contract, Optional.empty(), 10_000));
    assertThat(states).extracting(PrivateState::id).contains(unspent.orElseThrow());
    assertThat(get(store.receipts(0, 10_000)))
        .as("a day of them")
        .hasSize(4 * 2 * OF_STEP)
        .allMatch(each -> each.receipt().indexed().isAfter(now.minus(Duration.ofDays(1))));
  }

  /** ROM-8: of transactions that were assembled anew, or that failed. */
  @Test
  void contentsThatNoBlockEverMadeDoNotMakeItGrow() {
    var thrown = new ThrownAway();
    for (int i = 0; i < 30; i++) {
      step();
      thrown.step();
      forgetAll();
    }
    long after = entries();

    for (int i = 0; i < 60; i++) {
      step();
      thrown.step();
      forgetAll();
    }

    assertThat(entries()).isEqualTo(after);
  }

  /** A state store that is given contents that come to nothing, a thousand blocks in a step. */
  private final class ThrownAway {
    private static final long BLOCKS = 1_000;
    private static final int EACH = 40;
    private final NodeName self = new NodeName("node1");
    private final NodeName other = new NodeName("node2");
    private final StateStore rules =
        new StateStore(
            self,
            contract,
            content -> true,
            new StateStore.Members(List.of(other), true),
            SequencerSettings.DEFAULT.withUnmadeBlocks(
                Optional.of(SequencerSettings.LEAST_UNMADE_BLOCKS)));
    private StateStoreState state = StateStoreState.initial();

    void step() {
      var items = new ArrayList<StateDistribution.Item>();
      for (int i = 0; i < EACH; i++) {
        var content =
            new PrivateState(
                new StateId(hash()),
                contract,
                "coin",
                "alice",
                Bytes.utf8("{}"),
                List.of(new Identity("alice", self)));
        items.add(new StateDistribution.Item(arbitrary.next(TransactionId.class), content));
      }
      var message = new StateDistribution(arbitrary.next(RequestId.class), contract, items);
      tell(new Input.Given(new Received<>(other, arbitrary.next(MessageId.class), message)));
      var made = new StateId(hash());
      var height = new BlockHeight(state.height().value() + BLOCKS);
      tell(new Input.BlockIndexed(height, List.of(made), List.of(made)));
    }

    private void tell(Input input) {
      var decision = rules.decide(state, input, now);
      state = decision.state();
      for (var effect : decision.effects()) {
        switch (effect) {
          case StateStore.Keep(var contents) -> get(store.putStates(contents));
          case StateStore.Judge(var all) -> tell(new Input.Judged(all.keySet()));
          case StateStore.Drop(var states) -> {
            get(store.eraseStates(contract, states));
            tell(new Input.Dropped(states));
          }
          case StateStore.Load ignored -> {}
          case StateStore.Wipe ignored -> {}
          case StateStore.LookUp ignored -> {}
          case StateStore.Recall ignored -> {}
          case StateStore.Counted ignored -> {}
        }
      }
    }
  }

  @Test
  void aStoreThatForgetsNothingGrows() {
    step();
    long one = entries();
    for (int i = 0; i < 9; i++) {
      step();
    }

    assertThat(entries()).isGreaterThan(8 * one);
  }

  /** ROM-3: and its operator hears of it. */
  @Test
  void aListenerThatHasNotComeSoFarHoldsAllBackUntilItReadsOn() {
    var listener = new Listener("l", Bytes.EMPTY, now, 0, Optional.empty());
    get(store.listeners().create(ListenerKind.RECEIPTS, listener));
    for (int i = 0; i < 6; i++) {
      step();
    }

    assertThat(forgetAll()).isEqualTo(Stop.UNREAD);
    assertThat(get(store.receipts(0, 10_000))).hasSize(6 * 2 * OF_STEP);

    get(store.listeners().acknowledge(ListenerKind.RECEIPTS, listener, Taken.upTo(7)));
    assertThat(forgetAll()).isEqualTo(Stop.UNREAD);
    assertThat(get(store.receipts(0, 1)).getFirst().sequence()).isEqualTo(8);

    get(store.listeners().delete(ListenerKind.RECEIPTS, "l"));
    assertThat(forgetAll()).isEqualTo(Stop.YOUNG);
    assertThat(get(store.receipts(0, 10_000))).hasSize(4 * 2 * OF_STEP);
  }

  @Test
  void whatWouldBeForgottenIsAllThatIs() {
    for (int i = 0; i < 12; i++) {
      step();
    }
    long before = entries();

    var estimate = get(errands.estimate(far -> {}));

    assertThat(estimate.contents().receipts()).isEqualTo(8 * 2 * OF_STEP);
    assertThat(estimate.stop()).isEqualTo(Stop.YOUNG);
    assertThat(entries()).as("nothing is forgotten by it").isEqualTo(before);
    var page = get(store.ended(Kept.CONTENTS, Optional.empty(), 480));
    var freed = get(store.forget(Kept.CONTENTS, page, 480));
    assertThat(freed).isEqualTo(estimate.contents());
    assertThat(entries()).isEqualTo(before - freed.entries() + 1);
  }

  /** ROM-6. */
  @Test
  void nothingIsForgottenThatIsNotWritten() {
    for (int i = 0; i < 6; i++) {
      step();
    }
    long before = entries();
    var written = new ArrayList<Ended>();
    var disk = new CompletableFuture<Void>();
    var writing = writingTo(ended -> disk);
    disk.completeExceptionally(new IllegalStateException("The disk is full."));

    assertThatThrownBy(() -> get(writing.forget())).hasRootCauseMessage("The disk is full.");

    assertThat(entries()).isEqualTo(before);
    assertThat(get(writing.overdue())).as("since the first step").isEqualTo(STEP);
    errands =
        writingTo(
            ended -> {
              written.addAll(ended);
              assertThat(get(store.receipts(ended.getFirst().receipt().sequence() - 1, 1)))
                  .as("it is there still")
                  .hasSize(1);
              return CompletableFuture.completedFuture(null);
            });
    assertThat(forgetAll()).isEqualTo(Stop.YOUNG);
    assertThat(written)
        .extracting(each -> each.receipt().sequence())
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 2 * 2 * OF_STEP).boxed().toList());
    assertThat(written.stream().flatMap(each -> each.spent().stream()))
        .as("each spends what the one before has made")
        .hasSize(2 * (2 * OF_STEP - 1) - 1);
    assertThat(get(errands.next(Optional.empty(), 9)).stop()).isEqualTo(Stop.YOUNG);
  }

  private RoomErrands writingTo(RoomExport export) {
    return new RoomErrands(new Room(POLICY), store, () -> now, Optional.of(export));
  }

  /** Beside what is forgotten it can be read page by page. */
  @Test
  void whatWouldBeForgottenIsReadPageByPage() {
    for (int i = 0; i < 7; i++) {
      step();
    }
    var read = new ArrayList<Ended>();
    Optional<Long> from = Optional.empty();
    do {
      var leaf = get(errands.next(from, 32));
      read.addAll(leaf.ended());
      from = leaf.next();
    } while (from.isPresent());

    assertThat(read).hasSize(3 * 2 * OF_STEP);
    assertThat(get(store.forgottenUpTo(Kept.CONTENTS))).isEmpty();
    assertThat(get(errands.forget()).overdue()).isEqualTo(STEP);
    forgetAll();
    assertThat(get(errands.forget()).overdue()).isZero();
  }

  /** LevelDB would leave the beginning of what is numbered as it is. */
  @Test
  void whatIsForgottenGivesItsRoomBack() throws IOException {
    for (int i = 0; i < 60; i++) {
      step();
    }
    reopen();
    long before = bytesOnDisk();

    forgetAll();
    reopen();
    long marked = bytesOnDisk();
    get(store.tidy());

    assertThat(bytesOnDisk()).isLessThan(before * 6 / 10).isLessThan(marked * 6 / 10);
  }
}
