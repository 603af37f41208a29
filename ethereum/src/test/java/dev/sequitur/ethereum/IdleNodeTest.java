package dev.sequitur.ethereum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.ethereum.EthereumLedger.Head;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.indexing.Indexer;
import dev.sequitur.protocol.indexing.Indexer.Effect;
import dev.sequitur.protocol.indexing.Indexer.Input;
import dev.sequitur.protocol.indexing.LookPace;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.KnownGroups;
import dev.sequitur.protocol.port.NodeStore.IndexedTo;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** CHN-9, CHN-10 and CNF-8: what a node that does nothing asks of a chain, in virtual time. */
final class IdleNodeTest {
  private static final Duration STEP = Duration.ofMillis(500);
  private static final Duration IDLE = Duration.ofSeconds(2);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int CONFIRMATIONS = 12;

  private final AtomicLong nanos = new AtomicLong();
  private ScriptedNode node;
  private EthereumLedger ledger;
  private Host<Input, Indexer.State, Void, Effect> indexer;

  @BeforeEach
  void startNode() throws IOException {
    node = new ScriptedNode().grow(100, 1);
  }

  private void start(Duration idle) {
    ledger =
        new EthereumLedger(
            new ChainRpc(List.of(node.address()), ForkJoinPool.commonPool()),
            new EthereumLedger.Settings(
                Anvil.CHAIN,
                new LedgerAddress("0x" + "1".repeat(40)),
                Head.LATEST,
                1,
                EthereumLedger.Settings.MAX_LAG,
                0,
                idle,
                false),
            new Secp256k1Signatures(),
            KnownGroups.NONE,
            nanos::get);
    var rules = new Indexer(CONFIRMATIONS, new NoGroups());
    var machine = rules.machine(new IndexedTo(new BlockHeight(88), hashOf(88)));
    indexer = new Host<>(machine, machine.initial());
    poll();
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private record NoGroups() implements Indexer.Groups {
    @Override
    public boolean isKnown(ContractAddress contract) {
      return false;
    }

    @Override
    public Optional<ContractAddress> submitsFor(LedgerAddress signer) {
      return Optional.empty();
    }

    @Override
    public Optional<Identity> signsPublicly(LedgerAddress signer) {
      return Optional.empty();
    }

    @Override
    public Optional<PrivacyGroup> group(ContractAddress contract) {
      return Optional.empty();
    }

    @Override
    public Optional<PrivacyGroup> beginsWith(Deployed deployed) {
      return Optional.empty();
    }
  }

  private static <T> T await(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }

  private Hash hashOf(long height) {
    return await(ledger.blocks(new BlockHeight(height), 1)).getFirst().hash();
  }

  private Instant now() {
    return Instant.EPOCH.plusNanos(nanos.get());
  }

  private void poll() {
    var inputs = new ArrayDeque<Input>(List.of(new Input.Poll()));
    while (!inputs.isEmpty()) {
      for (var effect : indexer.fold(List.of(inputs.poll()), now()).effects()) {
        switch (effect) {
          case Effect.Fetch(var from, var limit) -> {
            var look = await(ledger.look(from, limit));
            look.blocks().forEach(block -> inputs.add(new Input.Read(look.head(), block)));
            inputs.add(new Input.FetchEnded());
          }
          case Effect.StoreProgress(var upTo) -> inputs.add(new Input.Stored(upTo));
          case Effect.Halted(var rift) -> throw new AssertionError(rift);
          case Effect.Undone(var rift) -> throw new AssertionError(rift);
          case Effect.Reached ignored -> {}
          case Effect.Deliver ignored -> {}
          case Effect.HandOn ignored -> {}
          case Effect.CountRevert ignored -> {}
          case Effect.Resumed ignored -> {}
        }
      }
    }
  }

  /** An hour passes; whoever asks about the node's health does so at each step. */
  private void idle(Duration betweenBlocks) {
    idle(betweenBlocks, IDLE);
  }

  private void idle(Duration betweenBlocks, Duration betweenLooks) {
    start(betweenLooks);
    var pace = LookPace.NEW.at(now());
    var grown = Duration.ZERO;
    for (var passed = STEP; passed.compareTo(HOUR) <= 0; passed = passed.plus(STEP)) {
      nanos.addAndGet(STEP.toNanos());
      for (;
          !grown.plus(betweenBlocks).minus(passed).isPositive();
          grown = grown.plus(betweenBlocks)) {
        node.grow(1, 1);
      }
      if (pace.isDue(now(), false, ledger.idlePause())) {
        pace = pace.at(now());
        poll();
      }
      await(ledger.recentHead());
    }
  }

  private double requestsPerSecond() {
    return (double) node.requests() / HOUR.toSeconds();
  }

  private double callsPerSecond() {
    return (double) node.calls() / HOUR.toSeconds();
  }

  @Test
  void aChainOfOneSecondIsAskedOnceForEachLookAndOnceForEachBlock() {
    idle(Duration.ofSeconds(1));

    assertThat(indexer.state().height().value()).isEqualTo(100 + 3600 - CONFIRMATIONS);
    assertThat(requestsPerSecond()).isLessThan(0.51);
    assertThat(callsPerSecond()).isLessThan(1.02);
  }

  @Test
  void halfAsManyLooksAreHalfAsManyRequests() {
    idle(Duration.ofSeconds(1), IDLE.multipliedBy(2));

    assertThat(requestsPerSecond()).isLessThan(0.26);
    assertThat(callsPerSecond()).isLessThan(1.02);
  }

  @Test
  void blocksThatDoNotComeWithTheLooksCostLittleMore() {
    idle(Duration.ofMillis(1_300));

    assertThat(requestsPerSecond()).isLessThan(0.67);
    assertThat(callsPerSecond()).isLessThan(1.3);
  }

  @Test
  void aBlockThatComesSeldomIsAskedForOnce() {
    idle(Duration.ofSeconds(12));

    assertThat(requestsPerSecond()).isLessThan(0.67);
    assertThat(callsPerSecond()).isLessThan(0.75);
  }
}
