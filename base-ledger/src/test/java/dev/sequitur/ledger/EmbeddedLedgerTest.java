package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static dev.sequitur.ledger.TestNetwork.SALLY;
import static dev.sequitur.ledger.TestNetwork.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.persistence.map.MemoryMap;
import dev.sequitur.persistence.map.OrderedMap;
import dev.sequitur.persistence.map.WriteBatch;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class EmbeddedLedgerTest {

  @Test
  void aNewLedgerHasNoBlocks() {
    try (var network = new TestNetwork()) {
      assertThat(network.head()).isZero();
      assertThat(network.blocks()).isEmpty();
      assertThat(now(network.ledger.nonce(SALLY.address()))).isZero();
    }
  }

  @Test
  void emptyBlocksAreCutAsTheProtocolsClock() {
    try (var network = new TestNetwork()) {
      network.cut();
      network.time.advance(Duration.ofSeconds(1));
      network.cut();

      assertThat(network.blocks()).extracting(it -> it.height().value()).containsExactly(1L, 2L);
      assertThat(network.blocks().get(1).parent()).isEqualTo(network.blocks().get(0).hash());
    }
  }

  @Test
  void withoutEmptyBlocksNothingIsCutWhileNothingWaits() {
    try (var network = with(LedgerSettings.DEFAULT.withEmptyBlocks(false))) {
      assertThat(network.ledger.cutBlock()).isEmpty();
      network.submit(SALLY.signed(1, TestNetwork.deployment()));
      assertThat(network.ledger.cutBlock()).isEmpty();
      network.submit(SALLY.signed(0, TestNetwork.deployment()));
      assertThat(network.cut().receipts()).hasSize(2);
    }
  }

  @Test
  void timestampsRiseEvenIfTheClockDoesNot() {
    try (var network = new TestNetwork()) {
      network.cut();
      network.cut();
      network.time.advance(Duration.ofSeconds(-10));
      network.cut();

      assertThat(network.blocks()).extracting(Block::timestamp).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void blocksAreReadInPagesFromAnyHeight() {
    try (var network = new TestNetwork()) {
      for (int i = 0; i < 10; i++) {
        network.cut();
      }

      assertThat(heights(network, 4, 3)).containsExactly(4L, 5L, 6L);
      assertThat(heights(network, 9, 100)).containsExactly(9L, 10L);
      assertThat(heights(network, 11, 100)).isEmpty();
      assertThat(heights(network, 0, 0)).isEmpty();
    }
  }

  @Test
  void aLedgerThatIsOpenedAgainGoesOnWhereItWas() {
    var storage = LedgerStorage.inMemory();
    List<Block> before;
    SignedPair spent;
    try (var network = new TestNetwork(storage, LedgerSettings.DEFAULT)) {
      var contract = network.deployed();
      network.mined(
          SALLY.signed(0, Intent.on(contract, "a").makes("coin").endorsedBy(ALICE, BOB, CAROL)));
      spent =
          new SignedPair(
              Intent.on(contract, "b").spends("coin"), Intent.on(contract, "c").spends("coin"));
      network.mined(SALLY.signed(1, spent.first().endorsedBy(ALICE, BOB, CAROL)));
      before = network.blocks();
    }
    try (var network = new TestNetwork(storage, LedgerSettings.DEFAULT)) {
      assertThat(network.blocks()).isEqualTo(before);
      assertThat(network.head()).isEqualTo(3);
      assertThat(now(network.ledger.nonce(SALLY.address()))).isEqualTo(2);
      assertThat(reason(network, 2, spent.second())).isEqualTo(RevertReason.STATE_SPENT);
      assertThat(reason(network, 3, spent.first())).isEqualTo(RevertReason.INTENT_FULFILLED);
    }
  }

  private record SignedPair(Intent first, Intent second) {}

  private static RevertReason reason(TestNetwork network, long nonce, Intent intent) {
    return ((Reverted) network.mined(SALLY.signed(nonce, intent.endorsedBy(ALICE, BOB, CAROL))))
        .reason();
  }

  @Test
  void aBlockThatCouldNotBeStoredIsNotShownAndItsTransactionsStayInThePool() {
    var disk = new FailingMap();
    try (var network = new TestNetwork(LedgerStorage.over(disk), LedgerSettings.DEFAULT)) {
      var deploy = SALLY.signed(0, TestNetwork.deployment());
      network.submit(deploy);
      disk.failing = true;
      assertThatThrownBy(network::cut).hasMessage("disk full");
      assertThat(network.head()).isZero();
      assertThat(now(network.ledger.receipt(deploy.hash()))).isEmpty();

      disk.failing = false;
      assertThat(network.cut().receipts()).hasSize(1);
    }
  }

  @Test
  void aClosedLedgerSaysSo() {
    var network = new TestNetwork();
    network.cut();
    network.close();

    assertThatThrownBy(() -> now(network.ledger.nonce(SALLY.address())))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(LedgerUnreachableException.class);
    assertThatThrownBy(network.ledger::cutBlock).isInstanceOf(LedgerUnreachableException.class);
    network.close();
  }

  @Test
  void whoListensHearsOfEachBlockUntilItHasEnough() {
    try (var network = new TestNetwork()) {
      var heard = new ArrayList<Long>();
      var registration = network.ledger.onHead(height -> heard.add(height.value()));
      network.cut();
      network.cut();
      network.ledger.reorganise(1);
      registration.close();
      network.cut();

      assertThat(heard).containsExactly(1L, 2L, 2L);
    }
  }

  @Test
  void aStartedLedgerCutsBlocksByItself() throws InterruptedException {
    var scheduler = Executors.newSingleThreadScheduledExecutor();
    var executor = Executors.newFixedThreadPool(2);
    var settings = LedgerSettings.DEFAULT.withBlockTime(Duration.ofMillis(5));
    var three = new CountDownLatch(3);
    try (var ledger =
        EmbeddedLedger.open(
            LedgerStorage.inMemory(),
            settings,
            new LedgerRuntime(new StubSignatures(), new TestTime(), scheduler, executor))) {
      ledger.onHead(height -> three.countDown());
      ledger.start();
      ledger.start();

      assertThat(three.await(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      scheduler.shutdownNow();
      executor.shutdownNow();
    }
  }

  @Test
  void manyThreadsMaySubmitWhileBlocksAreCut() throws Exception {
    var executor = Executors.newFixedThreadPool(4);
    try (var network = new TestNetwork()) {
      var contract = network.deployed();
      var work = new ArrayList<Future<?>>();
      for (int party = 0; party < 4; party++) {
        var signer = Party.named("signer" + party);
        work.add(
            executor.submit(
                () -> {
                  for (int nonce = 0; nonce < 200; nonce++) {
                    var name = signer.identity().name() + nonce;
                    network.submit(
                        signer.signed(
                            nonce,
                            Intent.on(contract, name).makes(name).endorsedBy(ALICE, BOB, CAROL)));
                  }
                }));
      }
      while (!work.stream().allMatch(Future::isDone)) {
        network.cut();
      }
      for (var part : work) {
        part.get();
      }
      network.cut();

      var report =
          new LedgerAudit(Conservation.UNKNOWN)
              .read(network.ledger, new BlockHeight(1_000_000))
              .report();
      assertThat(report.holds()).isTrue();
      assertThat(report.fulfilled()).isEqualTo(800);
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void aFulfilledReceiptIsFoundByItsHash() {
    try (var network = new TestNetwork()) {
      var contract = network.deployed();
      var transaction =
          SALLY.signed(0, Intent.on(contract, "a").makes("coin").endorsedBy(ALICE, BOB, CAROL));
      assertThat(network.mined(transaction)).isInstanceOf(Fulfilled.class);
      var receipt = TestNetwork.receipt(network.ledger, transaction.hash());

      assertThat(receipt.block()).isEqualTo(new BlockHeight(2));
      assertThat(receipt.index()).isZero();
      assertThat(receipt.signer()).isEqualTo(SALLY.address());
    }
  }

  private static List<Long> heights(TestNetwork network, long from, int limit) {
    return now(network.ledger.blocks(new BlockHeight(from), limit)).stream()
        .map(block -> block.height().value())
        .toList();
  }

  private static TestNetwork with(LedgerSettings settings) {
    return new TestNetwork(LedgerStorage.inMemory(), settings);
  }

  private static final class FailingMap implements OrderedMap {
    private final OrderedMap map = new MemoryMap();
    private boolean failing;

    @Override
    public <T> CompletionStage<T> read(Function<Entries, T> question) {
      return map.read(question);
    }

    @Override
    public <T> CompletionStage<T> write(Function<WriteBatch, T> change) {
      return failing
          ? CompletableFuture.failedFuture(new IllegalStateException("disk full"))
          : map.write(change);
    }

    @Override
    public CompletionStage<Void> afterEarlierWrites() {
      return map.afterEarlierWrites();
    }
  }
}
