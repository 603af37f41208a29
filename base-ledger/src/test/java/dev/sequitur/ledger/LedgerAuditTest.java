package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static dev.sequitur.ledger.TestNetwork.SALLY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.ledger.AuditReport.Kind;
import dev.sequitur.ledger.AuditReport.Tally;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.Result;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LedgerAuditTest {
  private static final ContractAddress CONTRACT = ContractRules.contractAddress(ALICE.address(), 0);

  private final LedgerAudit audit = new LedgerAudit(Conservation.UNKNOWN);

  @Test
  void anHonestLedgerHolds() {
    try (var network = new TestNetwork()) {
      var contract = network.deployed();
      network.mined(SALLY.signed(0, invoke(Intent.on(contract, "a").makes("x", "y"))));
      network.mined(SALLY.signed(1, invoke(Intent.on(contract, "b").spends("x").reads("y"))));
      network.mined(SALLY.signed(2, invoke(Intent.on(contract, "c").spends("x"))));

      var report = audit.read(network.ledger, new BlockHeight(100)).report();

      assertThat(report.holds()).isTrue();
      assertThat(report.height()).isEqualTo(new BlockHeight(4));
      assertThat(report.transactions()).isEqualTo(4);
      assertThat(report.fulfilled()).isEqualTo(2);
      assertThat(report.reverted()).isEqualTo(1);
      assertThat(report.reverts()).containsOnlyKeys(RevertReason.STATE_SPENT);
      assertThat(report.contracts()).containsEntry(contract, new Tally(2, 1, 2, 1, 1));
      assertThat(audit.isFulfilled(contract, Intent.on(contract, "b").key())).isTrue();
      assertThat(audit.isFulfilled(contract, Intent.on(contract, "c").key())).isFalse();
    }
  }

  @Test
  void itReadsNoFurtherThanItIsTold() {
    try (var network = new TestNetwork()) {
      network.deployed();
      network.cut();
      network.cut();

      assertThat(audit.read(network.ledger, new BlockHeight(2)).report().height())
          .isEqualTo(new BlockHeight(2));
    }
  }

  @Test
  void anIntentFulfilledTwiceIsFound() {
    assertThat(kinds(made("a", "x"), made("a", "y"))).containsExactly(Kind.INTENT_TWICE);
  }

  @Test
  void twoSendersMayUseTheSameId() {
    var ofBob = Intent.on(CONTRACT, "a").from("bob@node2").makes("y");

    assertThat(kinds(made("a", "x"), fulfilled(ofBob))).isEmpty();
  }

  @Test
  void aStateSpentTwiceIsFound() {
    assertThat(kinds(made("a", "x"), spent("b", "x"), spent("c", "x")))
        .containsExactly(Kind.SPENT_TWICE);
  }

  @Test
  void aStateSpentTwiceInOneIntentIsFound() {
    var twice = Intent.on(CONTRACT, "b").spends("x", "x");

    assertThat(kinds(made("a", "x"), fulfilled(twice))).containsExactly(Kind.SPENT_TWICE);
  }

  @Test
  void aStateSpentThatNobodyMadeIsFound() {
    assertThat(kinds(spent("b", "x"))).containsExactly(Kind.SPENT_UNMADE);
  }

  @Test
  void aReadOfWhatDoesNotStandIsFound() {
    assertThat(kinds(fulfilled(Intent.on(CONTRACT, "a").reads("x"))))
        .containsExactly(Kind.READ_GONE);
    assertThat(
            kinds(made("a", "x"), spent("b", "x"), fulfilled(Intent.on(CONTRACT, "c").reads("x"))))
        .containsExactly(Kind.READ_GONE);
  }

  @Test
  void aStateMadeTwiceIsFound() {
    assertThat(kinds(made("a", "x"), made("b", "x"))).containsExactly(Kind.CREATED_TWICE);
  }

  @Test
  void aContractThatWasNeverDeployedOrTwiceIsFound() {
    var elsewhere = ContractRules.contractAddress(ALICE.address(), 9);

    assertThat(kinds(fulfilled(Intent.on(elsewhere, "a")))).containsExactly(Kind.CONTRACT_WRONG);
    assertThat(kinds(deployed())).containsExactly(Kind.CONTRACT_WRONG);
  }

  @Test
  void sumsThatDifferAreFound() {
    var audit = new LedgerAudit(fulfilled -> Optional.of("1 in, 2 out"));
    blocks(List.of(deployed(), made("a", "x"))).forEach(audit::accept);

    assertThat(audit.report().count(Kind.NOT_CONSERVED)).isEqualTo(1);
    assertThat(audit.report().examples())
        .extracting(it -> it.description())
        .contains("1 in, 2 out");
  }

  @Test
  void aNonceThatIsLeftOutIsFound() {
    var blocks = blocks(List.of(deployed(), made("a", "x"), made("b", "y")));
    audit.accept(blocks.get(0));
    audit.accept(reseal(blocks.get(2), 2, blocks.get(0).hash()));

    assertThat(audit.report().violations()).containsOnlyKeys(Kind.NONCE_WRONG, Kind.CHAIN_BROKEN);
  }

  @Test
  void aBlockWhoseContentWasChangedIsFound() {
    var honest = blocks(List.of(deployed())).get(0);
    audit.accept(
        new Block(
            honest.height(),
            honest.hash(),
            honest.parent(),
            honest.timestamp().plusSeconds(1),
            honest.receipts()));

    assertThat(audit.report().violations()).containsOnlyKeys(Kind.CHAIN_BROKEN);
  }

  @Test
  void aMissingBlockIsFound() {
    var blocks = blocks(List.of(deployed(), made("a", "x")));
    audit.accept(blocks.get(1));

    assertThat(audit.report().count(Kind.CHAIN_BROKEN)).isEqualTo(1);
  }

  @Test
  void onlyTheFirstViolationsAreDescribedButAllAreCounted() {
    var results = new ArrayList<Result>();
    results.add(deployed());
    for (int i = 0; i < 1_000; i++) {
      results.add(spent("a" + i, "x" + i));
    }
    blocks(results).forEach(audit::accept);

    assertThat(audit.report().count(Kind.SPENT_UNMADE)).isEqualTo(1_000);
    assertThat(audit.report().examples()).hasSize(LedgerAudit.MAX_EXAMPLES);
  }

  private static LedgerAudit onChain(LedgerAddress... own) {
    return new LedgerAudit(Conservation.UNKNOWN, LedgerAudit.Keeper.CHAIN, Set.of(own));
  }

  /** Its genesis is not read, and its hashes are its own. */
  @Test
  void onAChainBlocksFollowByTheHashesThatTheyTell() {
    var chain = onChain();
    chain.accept(chainBlock(1, hash(7), hash(8)));
    chain.accept(chainBlock(2, hash(8), hash(9)));

    assertThat(chain.report().count(Kind.CHAIN_BROKEN)).isZero();

    chain.accept(chainBlock(3, hash(8), hash(10)));

    assertThat(chain.report().count(Kind.CHAIN_BROKEN)).isEqualTo(1);
  }

  @Test
  void onAChainSeveralBlocksMayHaveOneSecondAndNoneAnEarlierOne() {
    var chain = onChain();
    chain.accept(chainBlock(1, hash(7), hash(8), 100));
    chain.accept(chainBlock(2, hash(8), hash(9), 100));

    assertThat(chain.report().violations()).isEmpty();

    chain.accept(chainBlock(3, hash(9), hash(10), 99));

    assertThat(chain.report().examples())
        .extracting(it -> it.description())
        .containsExactly(
            "Block 3 does not follow from the one below it: its time, 1970-01-01T00:01:39Z, comes"
                + " after 1970-01-01T00:01:40Z.");
  }

  /** What stands between them is none of ours. */
  @Test
  void onAChainReceiptsOfABlockMayLeaveOutPlacesButStandInTheirOrder() {
    var chain = onChain();
    chain.accept(chainBlock(1, hash(7), hash(8), 1, used(SALLY, 0, 1, 3), used(SALLY, 1, 1, 5)));

    assertThat(chain.report().violations()).isEmpty();

    chain.accept(chainBlock(2, hash(8), hash(9), 2, used(SALLY, 2, 2, 3), used(SALLY, 3, 2, 3)));

    assertThat(chain.report().violations()).containsOnlyKeys(Kind.CHAIN_BROKEN);
  }

  @Test
  void onAChainNoNonceOfOurOwnKeysIsMissingButStrangersMayUseTheirsElsewhere() {
    var stranger = onChain();
    stranger.accept(chainBlock(1, hash(7), hash(8), 1, used(SALLY, 1, 1, 0)));

    assertThat(stranger.report().violations()).isEmpty();

    var own = onChain(SALLY.address());
    own.accept(chainBlock(1, hash(7), hash(8), 1, used(SALLY, 1, 1, 0)));

    assertThat(own.report().violations()).containsOnlyKeys(Kind.NONCE_WRONG);
  }

  /** Another network's, say, or what only claims to be one. */
  @Test
  void onAChainGroupsOfStrangersAreNotLookedAt() {
    var chain = onChain();

    blocks(List.of(made("a", "x"), made("a", "x"))).forEach(chain::accept);

    assertThat(chain.report().violations()).isEmpty();
    assertThat(chain.report().contracts()).isEmpty();
  }

  private static Block chainBlock(long height, Hash parent, Hash hash) {
    return chainBlock(height, parent, hash, height);
  }

  private static Block chainBlock(
      long height, Hash parent, Hash hash, long time, LedgerReceipt... receipts) {
    return new Block(
        new BlockHeight(height), hash, parent, Instant.ofEpochSecond(time), List.of(receipts));
  }

  private static LedgerReceipt used(Party key, long nonce, long height, int index) {
    return new LedgerReceipt(
        new TransactionHash(hash(100 * height + nonce)),
        key.address(),
        nonce,
        new BlockHeight(height),
        index,
        List.of(new LedgerReceipt.NonceUsed()));
  }

  @Test
  void veryManyFingerprintsAreToldApart() {
    var table = new FingerprintTable();
    for (long i = 0; i < 200_000; i++) {
      table.put(hash(i), (byte) (1 + i % 3));
    }

    assertThat(table.size()).isEqualTo(200_000);
    for (long i = 0; i < 200_000; i++) {
      assertThat(table.get(hash(i))).isEqualTo((byte) (1 + i % 3));
      assertThat(table.get(hash(-1 - i))).isZero();
    }
  }

  private static Hash hash(long i) {
    // same low bits, so that they all want the same few slots
    return new Hash(i << 8, i, 0, 0);
  }

  private static Iterable<Kind> kinds(Result... results) {
    var all = new ArrayList<Result>(List.of(deployed()));
    all.addAll(List.of(results));
    var audit = new LedgerAudit(Conservation.UNKNOWN);
    blocks(all).forEach(audit::accept);
    return audit.report().violations().keySet();
  }

  private static List<Block> blocks(List<Result> results) {
    var blocks = new ArrayList<Block>();
    var parent = BlockHash.beforeFirst();
    for (int i = 0; i < results.size(); i++) {
      var height = new BlockHeight(i + 1);
      var receipt =
          new LedgerReceipt(
              new TransactionHash(hash(i)), ALICE.address(), i, height, 0, List.of(results.get(i)));
      var block = sealed(height, parent, Instant.EPOCH.plusSeconds(i), List.of(receipt));
      blocks.add(block);
      parent = block.hash();
    }
    return blocks;
  }

  private static Block reseal(Block block, long height, Hash parent) {
    return sealed(new BlockHeight(height), parent, block.timestamp(), block.receipts());
  }

  private static Block sealed(
      BlockHeight height, Hash parent, Instant timestamp, List<LedgerReceipt> receipts) {
    return BlockHash.seal(new Block(height, parent, parent, timestamp, receipts));
  }

  private static Deployed deployed() {
    return new Deployed(CONTRACT, "token", TestNetwork.deployment().genesis());
  }

  private static Fulfilled made(String intent, String state) {
    return fulfilled(Intent.on(CONTRACT, intent).makes(state));
  }

  private static Fulfilled spent(String intent, String state) {
    return fulfilled(Intent.on(CONTRACT, intent).spends(state));
  }

  private static Fulfilled fulfilled(Intent intent) {
    return new Fulfilled(
        intent.contract(), intent.key(), intent.inputs(), intent.reads(), intent.outputs());
  }

  private static LedgerTransaction.Invoke invoke(Intent intent) {
    return intent.endorsedBy(ALICE, BOB, CAROL);
  }
}
