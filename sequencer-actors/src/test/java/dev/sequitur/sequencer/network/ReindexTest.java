package dev.sequitur.sequencer.network;

import static dev.sequitur.sequencer.network.TestNetwork.PATIENCE;
import static dev.sequitur.sequencer.network.TestNetwork.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.ledger.Reorganisation;
import dev.sequitur.protocol.distribution.ComparisonProgress;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.ChangeStore.Phase;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.ReadSoFar;
import dev.sequitur.protocol.transaction.Receipt;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CNF-10 to CNF-12: the ledger replaces blocks that nodes have acted upon, for good. */
class ReindexTest {
  private static final Identity ALICE = new Identity("alice", new NodeName("node1"));
  private static final Identity BOB = new Identity("bob", new NodeName("node2"));
  private static final List<String> NODES = List.of("node1", "node2");

  @TempDir private Path directory;
  private TestNetwork network;

  @BeforeEach
  void start() {
    network = new TestNetwork(directory, Duration.ofMillis(50));
    NODES.forEach(name -> network.start(name, TestNode.Kind.OF_ONE_RANGE));
    network.cutBlocks();
  }

  @AfterEach
  void stop() {
    network.close();
  }

  @Test
  void afterTheCommandNodesHaveWhatTheNewBlocksShowTellItAndGoOn() {
    var coins = network.createGroup("token", "coins", ALICE, BOB);
    network.confirm(List.of(Intents.mint(coins, ALICE, 100), Intents.mint(coins, BOB, 100)));
    long kept = network.ledger().headHeight().value();
    var lost = new ArrayList<Intent>();
    for (int i = 0; i < 6; i++) {
      var some =
          List.of(Intents.transfer(coins, ALICE, BOB, 1 + i), Intents.mint(coins, BOB, 10 + i));
      network.confirm(some);
      lost.addAll(some);
    }
    var told = NODES.stream().map(this::receipts).toList();

    reorganise(kept, 0.5);

    NODES.forEach(
        name -> assertThat(compared(name, coins)).isEqualTo(ComparisonProgress.Status.SAME));
    var receipts = network.receipts(lost);
    assertThat(receipts).allSatisfy(this::isTrue);
    assertThat(receipts)
        .filteredOn(receipt -> !receipt.success())
        .isNotEmpty()
        .allSatisfy(
            receipt ->
                assertThat(receipt.failureMessage().orElseThrow())
                    .contains("is gone")
                    .contains("before you send it anew"));
    for (int i = 0; i < NODES.size(); i++) {
      assertThat(receipts(NODES.get(i)))
          .as("what was told stays, and what corrects it comes after it")
          .startsWith(told.get(i).toArray(NumberedReceipt[]::new))
          .hasSizeGreaterThan(told.get(i).size());
      assertThat(network.node(NODES.get(i)).sequencer().health().ledgerParted()).isEmpty();
    }
    network.confirm(
        List.of(Intents.transfer(coins, ALICE, BOB, 2), Intents.transfer(coins, BOB, ALICE, 3)));
    NODES.forEach(
        name -> assertThat(compared(name, coins)).isEqualTo(ComparisonProgress.Status.SAME));
  }

  /** Some of what was sent to it may come into blocks before it, and fail there. */
  @Test
  void aGroupThatWasMadeInABlockThatIsGoneGoesOnOnceItIsMadeAgain() {
    var coins = network.createGroup("token", "coins", ALICE, BOB);
    network.confirm(List.of(Intents.mint(coins, ALICE, 100)));
    long kept = network.ledger().headHeight().value();
    var later = network.createGroup("token", "later", ALICE, BOB);
    var sent =
        List.of(
            Intents.mint(later, ALICE, 7),
            Intents.mint(later, BOB, 8),
            Intents.transfer(coins, ALICE, BOB, 1));
    network.confirm(sent);

    reorganise(kept, 0);

    for (var group : List.of(coins, later)) {
      NODES.forEach(
          name -> assertThat(compared(name, group)).isEqualTo(ComparisonProgress.Status.SAME));
    }
    assertThat(network.receipts(sent)).allSatisfy(this::isTrue);
    network.confirm(List.of(Intents.mint(later, ALICE, 5), Intents.transfer(coins, ALICE, BOB, 2)));
  }

  /**
   * Who knows that it is in force brings it no more: what all have agreed to is in no block then.
   */
  @Test
  void aChangeOfACommitteeInABlockThatIsGoneIsTakenBackWithIt() {
    var coins = network.createGroup("token", "coins", ALICE, BOB);
    network.confirm(List.of(Intents.mint(coins, ALICE, 100)));
    long kept = network.ledger().headHeight().value();
    var before = group("node1", coins);
    var quorum = new Quorum(before.committee(), 1, 1);
    var change = new CommitteeChange(1, quorum, new BlockHeight(kept + 10_000));
    for (var name : NODES) {
      get(network.node(name).sequencer().agree(coins, change, "operator"));
    }
    await()
        .atMost(PATIENCE)
        .until(
            () -> NODES.stream().allMatch(name -> group(name, coins).committees().number() == 1));
    await().atMost(PATIENCE).until(() -> NODES.stream().allMatch(name -> isInForce(name, coins)));

    reorganise(kept, 1);

    NODES.forEach(name -> assertThat(group(name, coins)).isEqualTo(before));
    network.confirm(List.of(Intents.transfer(coins, ALICE, BOB, 2)));
  }

  private boolean isInForce(String name, ContractAddress contract) {
    return get(network.node(name).sequencer().store().agreed(contract)).orElseThrow().phase()
        == Phase.IN_FORCE;
  }

  private PrivacyGroup group(String name, ContractAddress contract) {
    return get(network.node(name).sequencer().store().groupAt(contract))
        .flatMap(StoredGroup::group)
        .orElseThrow();
  }

  /** No group tells of it: it is looked for by its hash. */
  @Test
  void aPublicTransactionIsToldOfWhereTheNewBlocksHaveIt() {
    var coins = network.createGroup("token", "coins", ALICE, BOB);
    network.confirm(List.of(Intents.mint(coins, ALICE, 100)));
    long kept = network.ledger().headHeight().value();
    for (int i = 0; i < 6; i++) {
      network.confirm(List.of(Intents.transfer(coins, ALICE, BOB, 1 + i)));
    }
    var placed =
        get(network.ledger().blocks(new BlockHeight(kept + 1), 1_000)).stream()
            .flatMap(block -> block.receipts().stream())
            .toList();
    var told = new LinkedHashMap<TransactionId, LedgerReceipt>();
    placed.forEach(receipt -> told.put(new TransactionId(new UUID(7, told.size())), receipt));
    var receipts = told.entrySet().stream().map(ReindexTest::publicly).toList();
    get(network.node("node1").sequencer().store().complete(receipts));

    reorganise(kept, 0);

    var changed = new ArrayList<Receipt>();
    for (var before : receipts) {
      var now = newest("node1", before.transaction());
      var found = get(network.ledger().receipt(told.get(before.transaction()).hash()));
      assertThat(now.onLedger()).isEqualTo(found.map(ReindexTest::place));
      assertThat(now.success()).isEqualTo(found.isPresent());
      if (found.isPresent() && !now.onLedger().equals(before.onLedger())) {
        changed.add(now);
      }
    }
    assertThat(changed).as("those that have another place").isNotEmpty();
  }

  private Receipt newest(String name, TransactionId id) {
    return receipts(name).stream()
        .map(NumberedReceipt::receipt)
        .filter(receipt -> receipt.transaction().equals(id))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  private static Receipt.OnLedger place(LedgerReceipt found) {
    return new Receipt.OnLedger(
        found.hash(), found.block(), found.index(), List.of(), List.of(), List.of());
  }

  private static Receipt publicly(Map.Entry<TransactionId, LedgerReceipt> told) {
    var nonce = new Receipt.Nonce(told.getValue().signer(), told.getValue().nonce());
    return new Receipt(
        told.getKey(),
        new ContractAddress("0x" + "cc".repeat(20)),
        "",
        true,
        Optional.of(place(told.getValue())),
        Optional.empty(),
        Instant.EPOCH,
        Optional.empty(),
        Optional.of(new Receipt.Called(Optional.empty(), Bytes.EMPTY, Optional.of(nonce))));
  }

  @Test
  void withoutAForkNothingIsReadAgain() {
    var coins = network.createGroup("token", "coins", ALICE, BOB);
    network.confirm(List.of(Intents.mint(coins, ALICE, 100)));
    network.stop("node1");

    network.reindex("node1", TestNode.Kind.OF_ONE_RANGE, new Hash(1, 2, 3, 4));

    assertThat(isDone("node1")).isTrue();
    network.confirm(List.of(Intents.transfer(coins, ALICE, BOB, 1)));
    assertThat(network.balance(coins, ALICE)).contains("99");
  }

  /** Has the ledger replace all blocks above this one, and the nodes read it again. */
  private void reorganise(long kept, double shareLost) {
    long depth = network.ledger().headHeight().value() - kept;
    network.ledger().reorganise(new Reorganisation((int) depth, 7, 0, shareLost));
    await()
        .atMost(PATIENCE)
        .until(() -> NODES.stream().allMatch(name -> parted(name).contains("--reindex")));
    await().atMost(PATIENCE).until(() -> NODES.stream().allMatch(this::hasStoredWhatItNames));
    var gone = NODES.stream().map(this::named).toList();
    NODES.forEach(network::stop);
    for (int i = 0; i < NODES.size(); i++) {
      network.reindex(NODES.get(i), TestNode.Kind.OF_ONE_RANGE, gone.get(i));
    }
    await().atMost(PATIENCE).until(() -> NODES.stream().allMatch(this::isDone));
  }

  /** By the sentence that says what to do. */
  private Hash named(String name) {
    var sentence = parted(name);
    int at = sentence.indexOf("--reindex ") + "--reindex ".length();
    return Hash.hex(sentence.substring(at, at + 66));
  }

  private boolean hasStoredWhatItNames(String name) {
    return get(network.node(name).sequencer().store().indexedTo())
        .filter(read -> read.hash().equals(named(name)))
        .isPresent();
  }

  private String parted(String name) {
    return network.node(name).sequencer().health().ledgerParted().orElse("");
  }

  private boolean isDone(String name) {
    return get(network.node(name).sequencer().store().readSoFar())
        .flatMap(ReadSoFar::reindex)
        .isEmpty();
  }

  private List<NumberedReceipt> receipts(String name) {
    return get(network.node(name).sequencer().store().receipts(0, 1_000));
  }

  private ComparisonProgress.Status compared(String name, ContractAddress contract) {
    var node = network.node(name).sequencer();
    get(node.compareWithLedger(contract, false));
    var found = new ArrayList<ComparisonProgress>();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              found.clear();
              get(node.comparison(contract)).ifPresent(found::add);
              return !found.isEmpty()
                  && found.getFirst().status() != ComparisonProgress.Status.RUNNING;
            });
    return found.getFirst().status();
  }

  /** It says what the ledger has, at the place where it has it. */
  private void isTrue(Receipt receipt) {
    assertThat(place(receipt.transaction()))
        .isEqualTo(receipt.onLedger().map(Receipt.OnLedger::block).map(block -> block.value()));
  }

  private Optional<Long> place(TransactionId transaction) {
    return get(network.ledger().blocks(new BlockHeight(1), 100_000)).stream()
        .filter(
            block ->
                block.receipts().stream()
                    .flatMap(receipt -> receipt.results().stream())
                    .anyMatch(
                        result ->
                            result instanceof LedgerReceipt.Fulfilled done
                                && done.transaction().equals(transaction)))
        .map(block -> block.height().value())
        .findFirst();
  }
}
