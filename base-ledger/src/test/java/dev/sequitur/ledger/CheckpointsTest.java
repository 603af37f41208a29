package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static dev.sequitur.ledger.TestNetwork.SALLY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.ledger.AuditReport.Kind;
import dev.sequitur.ledger.LedgerTable.Fulfilment;
import dev.sequitur.ledger.LedgerTable.Only;
import dev.sequitur.ledger.LedgerTable.Standing;
import dev.sequitur.ledger.LedgerTable.Within;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.port.BaseLedger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a block says of all that the ledger keeps. */
class CheckpointsTest {
  private static final LedgerSettings NONE = LedgerSettings.DEFAULT;
  private static final LedgerSettings EACH_TWO = NONE.withCheckpointEvery(2);
  private static final Deploy OTHER = new Deploy("token", TestNetwork.genesis(2, ALICE, BOB));

  private final LedgerStorage storage = LedgerStorage.inMemory();
  private long nonce;

  @Test
  void afterSoManyBlocksTheNextCarriesADigest() {
    try (var network = new TestNetwork(storage, EACH_TWO)) {
      cut(network, 7);

      assertThat(network.blocks())
          .extracting(block -> block.checkpoint().isPresent())
          .containsExactly(false, false, true, false, true, false, true);
    }
  }

  @Test
  void withoutTheSettingNoBlockCarriesOneAndNothingIsKeptForIt() {
    try (var network = new TestNetwork(storage, NONE)) {
      work(network);

      assertThat(network.blocks()).allMatch(block -> block.checkpoint().isEmpty());
      assertThat(sums()).isZero();
    }
  }

  /** It stands in the block that follows, so that whoever agrees to that one agrees to it. */
  @Test
  void theHashOfABlockCoversIt() {
    try (var network = new TestNetwork(storage, EACH_TWO)) {
      cut(network, 3);
      var block = network.blocks().getLast();

      assertThat(BlockHash.isTrue(block)).isTrue();
      assertThat(BlockHash.isTrue(with(block, Optional.of(new Hash(1, 2, 3, 4))))).isFalse();
      assertThat(BlockHash.isTrue(with(block, Optional.empty()))).isFalse();
    }
  }

  @Test
  void whatIsKeptMakesItAndNotHowItWasCutIntoBlocks() {
    try (var slow = new TestNetwork(storage, EACH_TWO);
        var quick = new TestNetwork(LedgerStorage.inMemory(), EACH_TWO)) {
      var contract = slow.deployed();
      slow.mined(SALLY.signed(0, endorsed(Intent.on(contract, "a").makes("x", "y"))));
      slow.mined(SALLY.signed(1, endorsed(Intent.on(contract, "b").spends("x"))));
      cut(slow, 2);
      quick.deployed();
      quick.submit(SALLY.signed(0, endorsed(Intent.on(contract, "a").makes("x", "y"))));
      quick.submit(SALLY.signed(1, endorsed(Intent.on(contract, "b").spends("x"))));
      cut(quick, 2);

      assertThat(slow.blocks().getLast().checkpoint())
          .isPresent()
          .isEqualTo(quick.blocks().getLast().checkpoint());
    }
  }

  @Test
  void eachKindOfChangeMakesAnother() {
    try (var network = new TestNetwork(storage, NONE.withCheckpointEvery(1))) {
      var contract = work(network);
      network.mined(SALLY.signed(nonce++, change(contract)));
      cut(network, 1);

      var digests = network.blocks().stream().flatMap(it -> it.checkpoint().stream()).toList();

      assertThat(digests).hasSize(network.blocks().size() - 1).doesNotHaveDuplicates();
      assertHolds(network);
    }
  }

  @Test
  void aBlockThatChangesNothingLeavesItAsItWas() {
    try (var network = new TestNetwork(storage, NONE.withCheckpointEvery(1))) {
      work(network);
      cut(network, 3);
      var blocks = network.blocks();

      assertThat(blocks.getLast().checkpoint())
          .isPresent()
          .isEqualTo(blocks.get(blocks.size() - 2).checkpoint());
    }
  }

  @Test
  void blocksThatAreReplacedCarryWhatTheNewOnesLeave() {
    try (var network = new TestNetwork(storage, NONE.withCheckpointEvery(1))) {
      work(network);
      network.deployed(OTHER);
      cut(network, 1);
      network.ledger.reorganise(new Reorganisation(4, 7, 0.3, 0.3));
      cut(network, 2);

      assertHolds(network);
    }
  }

  /** No entry of a contract is left of which the ledger knows nothing. */
  @Test
  void aContractThatIsUndoneIsCountedNoMore() {
    try (var network = new TestNetwork(storage, NONE.withCheckpointEvery(1))) {
      network.deployed();
      network.ledger.reorganise(new Reorganisation(1, 1, 0, 1));
      cut(network, 2);

      assertThat(sums()).isZero();
      assertHolds(network);
    }
  }

  @Test
  void itIsSwitchedOnAndOffWhileTheLedgerIsThere() {
    try (var network = new TestNetwork(storage, NONE)) {
      work(network);
    }
    Optional<Hash> first;
    try (var network = new TestNetwork(storage, NONE.withCheckpointEvery(1))) {
      first = network.cut().checkpoint();
      assertThat(first).isPresent();
      assertHolds(network);
    }
    try (var network = new TestNetwork(storage, NONE)) {
      assertThat(sums()).isZero();
      network.deployed(OTHER);
    }
    try (var network = new TestNetwork(storage, NONE.withCheckpointEvery(1))) {
      assertThat(network.cut().checkpoint()).isPresent().isNotEqualTo(first);
      assertHolds(network);
    }
  }

  /** What undoes those has nothing of checkpoints. */
  @Test
  void blocksOfBeforeItWasSwitchedOnMayBeReplaced() {
    try (var network = new TestNetwork(storage, NONE)) {
      work(network);
    }
    try (var network = new TestNetwork(storage, NONE.withCheckpointEvery(1))) {
      network.ledger.reorganise(new Reorganisation(3, 5, 0.3, 0.3));
      cut(network, 1);

      assertHolds(network);
    }
  }

  @Test
  void countingThatDidNotEndBeginsAnew() {
    try (var network = new TestNetwork(storage, EACH_TWO)) {
      work(network);
    }
    change(LedgerTable.NONCE_SUM.at(Only.ONE), Optional.empty());
    try (var network = new TestNetwork(storage, EACH_TWO)) {
      assertHolds(network);
    }
  }

  static Stream<BiConsumer<ContractAddress, Map<Key, Optional<byte[]>>>> damages() {
    return Stream.of(
        (contract, batch) ->
            LedgerTable.STATES.put(
                new Within<>(contract, Intent.state("x")), Standing.UNSPENT, batch),
        (contract, batch) ->
            batch.put(
                LedgerTable.STATES.at(new Within<>(contract, Intent.state("y"))), Optional.empty()),
        (contract, batch) ->
            batch.put(
                LedgerTable.INTENTS.at(new Within<>(contract, Intent.on(contract, "a").key())),
                Optional.empty()),
        (contract, batch) ->
            LedgerTable.INTENTS.put(
                new Within<>(contract, Intent.on(contract, "never").key()), Fulfilment.DONE, batch),
        (contract, batch) -> LedgerTable.NONCES.put(SALLY.address(), 1L, batch),
        (contract, batch) -> batch.put(LedgerTable.COMMITTEES.at(contract), Optional.empty()),
        (contract, batch) -> LedgerTable.CONTRACTS.put(contract, OTHER, batch),
        (contract, batch) -> LedgerTable.DIGESTS.put(contract, new Hash(1, 2, 3, 4), batch),
        (contract, batch) -> LedgerTable.SUMS.put(contract, new ContractSums(), batch));
  }

  /** Whoever set something right in the tables by hand would have the next checkpoint be wrong. */
  @ParameterizedTest
  @MethodSource("damages")
  void aLedgerWhoseTablesWereChangedMakesNoMoreBlocksOnceItIsStarted(
      BiConsumer<ContractAddress, Map<Key, Optional<byte[]>>> damage) {
    ContractAddress contract;
    try (var network = new TestNetwork(storage, EACH_TWO)) {
      contract = work(network);
    }
    var batch = new HashMap<Key, Optional<byte[]>>();
    damage.accept(contract, batch);
    storage.write(batch);

    try (var network = new TestNetwork(storage, EACH_TWO)) {
      network.ledger.start();

      assertThatThrownBy(network::cut)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("storage is damaged");
      assertThatThrownBy(() -> network.ledger.reorganise(1))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aLedgerWhoseTablesAreSoundGoesOnOnceItIsStarted() {
    try (var network = new TestNetwork(storage, EACH_TWO)) {
      work(network);
    }
    try (var network = new TestNetwork(storage, EACH_TWO)) {
      network.ledger.start();

      assertThat(network.cut().height().value()).isPositive();
    }
  }

  @Test
  void countingEndsWithTheLedger() {
    try (var network = new TestNetwork(storage, EACH_TWO)) {
      work(network);
    }
    var batch = new HashMap<Key, Optional<byte[]>>();
    LedgerTable.NONCES.put(SALLY.address(), 77L, batch);
    storage.write(batch);

    assertThat(new StoredSums(storage).matchTables(() -> false)).isTrue();
  }

  @Test
  void anAuditFindsADigestThatTheBlocksBelowDoNotLeave() {
    try (var network = new TestNetwork(storage, EACH_TWO)) {
      work(network);
      var audit = new LedgerAudit(Conservation.UNKNOWN).withCheckpoints();
      var parent = BlockHash.beforeFirst();
      for (var block : network.blocks()) {
        var wrong = block.checkpoint().map(digest -> new Hash(1, 2, 3, 4));
        var sealed = BlockHash.seal(after(parent, with(block, wrong)));
        audit.accept(sealed);
        parent = sealed.hash();
      }

      assertThat(audit.report().violations()).containsOnlyKeys(Kind.CHECKPOINT_WRONG);
    }
  }

  /** Two contracts; states made, read and spent; a revert. */
  private ContractAddress work(TestNetwork network) {
    var contract = network.deployed();
    var other = network.deployed(OTHER);
    run(network, Intent.on(contract, "a").makes("x", "y"));
    run(network, Intent.on(contract, "b").spends("x").reads("y").makes("z"));
    run(network, Intent.on(contract, "c").spends("x"));
    run(network, Intent.on(other, "a").makes("x"));
    return contract;
  }

  private void run(TestNetwork network, Intent intent) {
    network.mined(SALLY.signed(nonce++, endorsed(intent)));
  }

  private static Invoke endorsed(Intent intent) {
    return intent.endorsedBy(ALICE, BOB, CAROL);
  }

  private static ChangeCommittee change(ContractAddress contract) {
    var quorum = new Quorum(new Committee(List.of(ALICE.member(), BOB.member())), 2);
    var change = new CommitteeChange(1, quorum, new BlockHeight(100));
    var digest = change.digest(BaseLedger.LOCAL_CHAIN, contract);
    return new ChangeCommittee(
        contract, change, Stream.of(ALICE, BOB, CAROL).map(it -> it.sign(digest)).toList());
  }

  private static void cut(TestNetwork network, int blocks) {
    for (int i = 0; i < blocks; i++) {
      network.cut();
    }
  }

  /** By its blocks and by its tables, which are counted apart from each other. */
  private void assertHolds(TestNetwork network) {
    var audit = new LedgerAudit(Conservation.UNKNOWN).withCheckpoints();
    audit.read(network.ledger, new BlockHeight(network.head()));
    assertThat(audit.report().violations()).isEmpty();
    assertThat(new StoredSums(storage).matchTables(() -> true)).isTrue();
  }

  private void change(Key key, Optional<byte[]> value) {
    storage.write(Map.of(key, value));
  }

  private int sums() {
    var found = new HashMap<ContractAddress, Hash>();
    new StoredSums(storage).digests(found::put);
    storage.scan(
        LedgerTable.SUMS.all(),
        (key, value) -> {
          found.put(LedgerTable.contractOf(key), new Hash(0, 0, 0, 0));
          return true;
        });
    return found.size();
  }

  private static Block with(Block block, Optional<Hash> checkpoint) {
    return new Block(
        block.height(),
        block.hash(),
        block.parent(),
        block.timestamp(),
        block.receipts(),
        checkpoint);
  }

  private static Block after(Hash parent, Block block) {
    return new Block(
        block.height(),
        block.hash(),
        parent,
        block.timestamp(),
        block.receipts(),
        block.checkpoint());
  }
}
