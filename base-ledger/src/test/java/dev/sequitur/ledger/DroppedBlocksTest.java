package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static dev.sequitur.ledger.TestNetwork.MALLORY;
import static dev.sequitur.ledger.TestNetwork.SALLY;
import static dev.sequitur.ledger.TestNetwork.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.ledger.LedgerTable.Only;
import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.persistence.map.MemoryMap;
import dev.sequitur.protocol.checkpoint.Agreement;
import dev.sequitur.protocol.checkpoint.Agreements.Answer;
import dev.sequitur.protocol.checkpoint.Agreements.Standing;
import dev.sequitur.protocol.checkpoint.Checkpoint;
import dev.sequitur.protocol.checkpoint.CheckpointStanding;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.BlocksDroppedException;
import dev.sequitur.protocol.port.CheckpointWitness.Step;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** All who read a ledger agree to what its blocks have left, and then it drops them (ROM-9, 10). */
class DroppedBlocksTest {
  private static final LedgerSettings KEEPS_ALL =
      LedgerSettings.DEFAULT
          .withFinalityDepth(2)
          .withCheckpointEvery(5)
          .withReaders(Map.of("alice", ALICE.address(), "bob", BOB.address()));
  private static final LedgerSettings KEEPS_TWO = KEEPS_ALL.withKeep(Optional.of(2L));

  private final LedgerStorage storage = LedgerStorage.inMemory();
  private final MemoryMap ofAlice = new MemoryMap();
  private final MemoryMap ofBob = new MemoryMap();
  private TestNetwork network = new TestNetwork(storage, KEEPS_TWO);
  private long nonce;

  @Test
  void aReaderAgreesToWhatItHasCountedOutOfTheBlocks() {
    work();
    cutUpTo(20);

    assertThat(witnessed(ofAlice, ALICE)).isEqualTo(new Step(false, Optional.empty()));

    assertThat(standing(ALICE)).isEqualTo(Standing.AGREES);
    assertThat(standing(BOB)).isEqualTo(Standing.SILENT);
    assertThat(standing().newest()).contains(new BlockHeight(15));
  }

  @Test
  void blocksStayUntilTheLastReaderAgrees() {
    var contract = work();
    cutUpTo(20);
    witnessed(ofAlice, ALICE);
    cutUpTo(25);
    assertThat(standing().oldest()).isEqualTo(new BlockHeight(1));
    assertThat(standing().lacking()).contains("alice agrees up to block 15, bob has said nothing");

    witnessed(ofBob, BOB);
    assertThat(standing().agreed()).contains(new BlockHeight(15));
    assertThat(standing().droppable()).isEqualTo(15);
    network.cut();

    assertThat(standing().oldest()).isEqualTo(new BlockHeight(16));
    assertThat(standing().droppable()).isZero();
    assertGone(15);
    assertThat(now(network.ledger.blocks(new BlockHeight(16), 100))).hasSize(11);
    assertSpentOnlyOnce(contract);
  }

  /** Those are what whoever was set back to an older copy still reads. */
  @Test
  void theNewestBlocksAreKeptThoughAllAgree() {
    network.close();
    network = new TestNetwork(storage, KEEPS_ALL.withKeep(Optional.of(14L)));
    allAgreeAt(20);
    network.cut();

    assertThat(standing().agreed()).contains(new BlockHeight(15));
    assertThat(standing().oldest()).isEqualTo(new BlockHeight(8));
  }

  /** A ledger that goes on for long, with readers that look now and then. */
  @Test
  void whatIsKeptOfBlocksDoesNotGrow() {
    var contract = network.deployed();
    for (int block = 2; block <= 600; block++) {
      network.mined(signed(Intent.on(contract, "a" + block).makes("x" + block)));
      if (block % 20 == 0) {
        witnessed(ofAlice, ALICE);
        witnessed(ofBob, BOB);
      }
      assertThat(keys(LedgerTable.BLOCKS)).isLessThan(40);
      assertThat(keys(LedgerTable.TRANSACTIONS)).isLessThan(40);
      assertThat(keys(LedgerTable.POSITIONS)).isLessThan(40);
      assertThat(keys(LedgerTable.USED)).isLessThan(40);
    }
    assertThat(standing().oldest().value()).isGreaterThan(560);
    assertThat(keys(LedgerTable.STATES)).isEqualTo(599);
  }

  @Test
  void nothingGoesWhereAllIsToBeKept() {
    network.close();
    network = new TestNetwork(storage, KEEPS_ALL);
    allAgreeAt(20);
    cutUpTo(30);

    assertThat(standing().agreed()).contains(new BlockHeight(15));
    assertThat(standing().oldest()).isEqualTo(new BlockHeight(1));
    assertThat(network.blocks()).hasSize(30);
  }

  @Test
  void whatIsLeftOfADroppedBlockIsWhatRefusesItASecondTime() {
    var contract = network.deployed();
    var made = signed(Intent.on(contract, "a").makes("x"));
    network.mined(made);
    allAgreeAt(20);
    network.cut();

    assertThat(keys(LedgerTable.BLOCKS)).isEqualTo(network.head() - 15);
    assertThat(keys(LedgerTable.TRANSACTIONS)).isEqualTo(network.head() - 15);
    assertThat(keys(LedgerTable.POSITIONS)).isZero();
    assertThat(keys(LedgerTable.USED)).isZero();
    assertThat(now(network.ledger.receipt(made.hash()))).isEmpty();
    assertThat(now(network.ledger.transaction(made.hash()))).isEmpty();
    assertThat(now(network.ledger.nonce(SALLY.address()))).isEqualTo(1);
    network.submit(made);
    assertThat(network.cut().receipts()).isEmpty();
    assertThat(network.mined(signed(Intent.on(contract, "a").makes("y"))))
        .isInstanceOfSatisfying(
            Reverted.class, it -> assertThat(it.reason()).isEqualTo(RevertReason.INTENT_FULFILLED));
  }

  @Test
  void whoHasSomethingElseHoldsAllBack() {
    work();
    cutUpTo(20);
    witnessed(ofAlice, ALICE);

    var wrong = new Checkpoint(new BlockHeight(15), network.blocks().get(15).hash(), hash(7));
    assertThat(agree(Agreement.by(BOB.signer(), wrong, BaseLedger.LOCAL_CHAIN)))
        .isEqualTo(Answer.DIFFERS);
    cutUpTo(22);

    assertThat(standing(BOB)).isEqualTo(Standing.DIFFERS);
    assertThat(standing().agreed()).isEmpty();
    assertThat(network.blocks()).hasSize(22);
  }

  /** Its state of affairs, and what the ledger says of the same blocks, can't both be right. */
  @Test
  void aReaderWhoseCountIsAnotherSaysSoUntilItAgrees() {
    work();
    cutUpTo(20);
    var batch = new HashMap<Key, Optional<byte[]>>();
    LedgerTable.NONCES.put(MALLORY.address(), 4L, batch);
    var forged = new TableSums(new StoredSums(storage));
    forged.follow(LedgerTable.NONCES, MALLORY.address(), Optional.empty(), Optional.of(4L));
    forged.addTo(batch);
    storage.write(batch);
    cutUpTo(40);

    assertThat(witnessed(ofAlice, ALICE).remark())
        .hasValueSatisfying(remark -> assertThat(remark).contains("up to 35 have left something"));
    assertThat(witnessed(ofAlice, ALICE).remark()).isPresent();
    assertThat(standing(ALICE)).isEqualTo(Standing.DIFFERS);
  }

  @Test
  void whatIsNoReadersWordIsRefused() {
    cutUpTo(20);
    var right = checkpoint(15);
    var signed = Agreement.by(ALICE.signer(), right, BaseLedger.LOCAL_CHAIN);
    var ofOtherChain = Agreement.by(ALICE.signer(), right, 7);
    var ofOther = new Agreement(checkpoint(10), ALICE.verifier(), signed.signature());

    assertThat(agree(Agreement.by(CAROL.signer(), right, BaseLedger.LOCAL_CHAIN)))
        .isEqualTo(Answer.NO_READER);
    assertThat(agree(ofOtherChain)).isEqualTo(Answer.NOT_SIGNED);
    assertThat(agree(ofOther)).isEqualTo(Answer.NOT_SIGNED);
    assertThat(agree(signed)).isEqualTo(Answer.AGREED);
    assertThat(agree(signed)).isEqualTo(Answer.KNOWN);
  }

  /** With a finality depth of 2 block 21 is final at 23. */
  @Test
  void aCheckpointThatMayBeReplacedIsNone() {
    cutUpTo(22);
    assertThat(standing().newest()).contains(new BlockHeight(15));
    assertThat(agree(Agreement.by(ALICE.signer(), checkpoint(20), BaseLedger.LOCAL_CHAIN)))
        .isEqualTo(Answer.NO_CHECKPOINT);

    network.cut();

    assertThat(standing().newest()).contains(new BlockHeight(20));
    assertThat(agree(Agreement.by(ALICE.signer(), checkpoint(20), BaseLedger.LOCAL_CHAIN)))
        .isEqualTo(Answer.AGREED);
  }

  @Test
  void blocksThatAreNotFinalAreReplacedThoughAllBelowThemAreGone() {
    network.close();
    network = new TestNetwork(storage, KEEPS_ALL.withKeep(Optional.of(0L)));
    allAgreeAt(18);
    assertThat(standing().agreed()).contains(new BlockHeight(15));
    network.cut();
    assertThat(standing().oldest()).isEqualTo(new BlockHeight(16));

    network.ledger.reorganise(2);
    cutUpTo(25);
    witnessed(ofAlice, ALICE);
    witnessed(ofBob, BOB);

    assertThat(standing().agreed()).contains(new BlockHeight(20));
  }

  @Test
  void theLedgerRemembersWhatWasSaidAndWhatIsGone() {
    allAgreeAt(20);
    network.cut();
    var before = standing();
    network.close();

    network = new TestNetwork(storage, KEEPS_TWO);

    assertThat(standing()).isEqualTo(before);
    assertGone(15);
    network.cut();
    assertThat(new StoredSums(storage).matchTables(() -> true)).isTrue();
  }

  @Test
  void aReaderGoesOnWhereItWasAfterARestart() {
    allAgreeAt(20);
    cutUpTo(40);
    assertGone(15);

    assertThat(witnessed(ofAlice, ALICE)).isEqualTo(new Step(false, Optional.empty()));

    assertThat(standing(ALICE)).isEqualTo(Standing.AGREES);
  }

  @Test
  void aReaderThatComesTooLateSaysSo() {
    allAgreeAt(20);
    network.cut();

    assertThat(witnessed(new MemoryMap(), CAROL).remark())
        .hasValueSatisfying(
            remark -> assertThat(remark).contains("agrees to no checkpoint", "below 16"));
  }

  /** A ledger that was replaced, or that leaves out what a block has: it agrees to nothing. */
  @Test
  void blocksThatAreNotOneChainAreNotCounted() {
    work();
    cutUpTo(20);
    now(witness(ofAlice, ALICE).goOn(new BlockHeight(8)));
    var next = network.blocks().get(8);
    var later = new BlockHeight(10);
    for (var wrong :
        List.of(
            BlockHash.seal(like(next, later, next.parent(), next.hash())),
            BlockHash.seal(like(next, next.height(), hash(7), next.hash())),
            like(next, next.height(), next.parent(), hash(7)))) {
      var voice = new LedgerWitness.Voice(ALICE.signer(), ALICE.address(), BaseLedger.LOCAL_CHAIN);
      var records = LedgerStorage.in(ofAlice, KeySpace.LEDGER_WITNESS);

      var step =
          now(
              new LedgerWitness(records, showing(wrong), voice, Runnable::run)
                  .goOn(new BlockHeight(18)));

      assertThat(step.goesOn()).isFalse();
      assertThat(step.remark())
          .hasValueSatisfying(
              remark ->
                  assertThat(remark)
                      .contains(
                          "agrees to no checkpoint",
                          "block %s does not follow from the block 8".formatted(wrong.height())));
      assertThat(records.get(LedgerTable.WITNESSED, Only.ONE).orElseThrow().height()).isEqualTo(8);
    }

    assertThat(witnessed(ofAlice, ALICE)).isEqualTo(new Step(false, Optional.empty()));
    assertThat(standing(ALICE)).isEqualTo(Standing.AGREES);
  }

  private static Block like(Block block, BlockHeight height, Hash parent, Hash hash) {
    return new Block(height, hash, parent, block.timestamp(), block.receipts(), block.checkpoint());
  }

  /** As the network's, but for its blocks. */
  private BaseLedger showing(Block only) {
    return (BaseLedger)
        Proxy.newProxyInstance(
            BaseLedger.class.getClassLoader(),
            new Class<?>[] {BaseLedger.class},
            (proxy, method, arguments) ->
                method.getName().equals("blocks")
                    ? CompletableFuture.completedFuture(List.of(only))
                    : method.invoke(network.ledger, arguments));
  }

  /** Of two JVMs of a node that both count for a while: one writes between read and write. */
  @Test
  void whatTwoHaveCountedCountsOnce() {
    work();
    cutUpTo(20);
    var other = witness(ofAlice, ALICE);
    var steps = new AtomicInteger();
    var one =
        witness(
            ofAlice,
            ALICE,
            step -> {
              if (steps.incrementAndGet() == 2) {
                now(other.goOn(new BlockHeight(12)));
              }
              step.run();
            });
    now(one.goOn(new BlockHeight(14)));
    assertThat(steps).hasValue(2);

    assertThat(witnessed(ofAlice, ALICE)).isEqualTo(new Step(false, Optional.empty()));
    assertThat(standing(ALICE)).isEqualTo(Standing.AGREES);
  }

  @Test
  void aReaderCountsNoFurtherThanItsNodeHasCome() {
    cutUpTo(30);
    now(witness(ofAlice, ALICE).goOn(new BlockHeight(15)));
    assertThat(standing().readers().getFirst().upTo()).contains(new BlockHeight(10));

    now(witness(ofAlice, ALICE).goOn(new BlockHeight(16)));
    assertThat(standing().readers().getFirst().upTo()).contains(new BlockHeight(15));
  }

  @Test
  void aReaderReadsNothingOfALedgerWithoutCheckpoints() {
    network.close();
    network = new TestNetwork(storage, LedgerSettings.DEFAULT);
    cutUpTo(10);

    assertThat(witnessed(ofAlice, ALICE)).isEqualTo(new Step(false, Optional.empty()));
    assertThat(
            LedgerStorage.in(ofAlice, KeySpace.LEDGER_WITNESS).get(LedgerTable.WITNESSED, Only.ONE))
        .isEmpty();
  }

  /** Two contracts, of which one changes its committee; states made, read and spent; a revert. */
  private ContractAddress work() {
    var contract = network.deployed();
    network.mined(signed(Intent.on(contract, "a").makes("x", "y")));
    network.mined(signed(Intent.on(contract, "b").spends("x").reads("y").makes("z")));
    network.mined(signed(Intent.on(contract, "c").spends("x")));
    var quorum = new Quorum(new Committee(List.of(ALICE.member(), BOB.member())), 2);
    var change = new CommitteeChange(1, quorum, new BlockHeight(100));
    var digest = change.digest(BaseLedger.LOCAL_CHAIN, contract);
    network.mined(
        SALLY.signed(
            nonce++,
            new ChangeCommittee(
                contract,
                change,
                Stream.of(ALICE, BOB, CAROL).map(it -> it.sign(digest)).toList())));
    return contract;
  }

  private void assertSpentOnlyOnce(ContractAddress contract) {
    assertThat(network.mined(signed(Intent.on(contract, "d").spends("x"))))
        .isInstanceOfSatisfying(
            Reverted.class, it -> assertThat(it.reason()).isEqualTo(RevertReason.STATE_SPENT));
  }

  private void allAgreeAt(long height) {
    cutUpTo(height);
    witnessed(ofAlice, ALICE);
    witnessed(ofBob, BOB);
  }

  private void cutUpTo(long height) {
    while (network.head() < height) {
      network.cut();
    }
  }

  private Step witnessed(MemoryMap map, Party party) {
    return now(witness(map, party).goOn(new BlockHeight(network.head() - 2)));
  }

  private LedgerWitness witness(MemoryMap map, Party party) {
    return witness(map, party, Runnable::run);
  }

  private LedgerWitness witness(MemoryMap map, Party party, Executor executor) {
    return new LedgerWitness(
        LedgerStorage.in(map, KeySpace.LEDGER_WITNESS),
        network.ledger,
        new LedgerWitness.Voice(party.signer(), party.address(), BaseLedger.LOCAL_CHAIN),
        executor);
  }

  private Checkpoint checkpoint(long height) {
    var carrier = network.blocks().get((int) height);
    return new Checkpoint(
        new BlockHeight(height), carrier.hash(), carrier.checkpoint().orElseThrow());
  }

  private Answer agree(Agreement word) {
    return now(network.ledger.checkpoints().orElseThrow().agree(word));
  }

  private CheckpointStanding standing() {
    return now(network.ledger.checkpoints().orElseThrow().standing());
  }

  private Standing standing(Party party) {
    return standing().readers().stream()
        .filter(reader -> reader.address().equals(party.address()))
        .findFirst()
        .orElseThrow()
        .standing();
  }

  private SignedLedgerTransaction signed(Intent intent) {
    Invoke invoke = intent.endorsedBy(ALICE, BOB, CAROL);
    return SALLY.signed(nonce++, invoke);
  }

  private void assertGone(long height) {
    assertThatThrownBy(() -> now(network.ledger.blocks(new BlockHeight(height), 1)))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(BlocksDroppedException.class)
        .hasMessageContaining("dropped all blocks below " + (height + 1));
  }

  private long keys(LedgerTable<?, ?> table) {
    var found = new long[1];
    storage.scan(
        table.all(),
        (key, value) -> {
          found[0]++;
          return true;
        });
    return found[0];
  }

  private static Hash hash(long number) {
    return new Hash(number, number, number, number);
  }
}
