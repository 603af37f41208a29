package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static dev.sequitur.ledger.TestNetwork.now;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReorganisationTest {
  private static final LedgerSettings SETTINGS = LedgerSettings.DEFAULT.withFinalityDepth(5);
  private static final List<Party> SIGNERS =
      IntStream.range(0, 5).mapToObj(i -> Party.named("signer" + i)).toList();

  @Test
  void theNewestBlocksAreReplacedAndThoseBelowStay() {
    try (var network = network()) {
      cutEmpty(network, 6);
      var before = network.blocks();

      network.ledger.reorganise(3);

      var after = network.blocks();
      assertThat(after).hasSize(6);
      assertThat(after.subList(0, 3)).isEqualTo(before.subList(0, 3));
      for (int i = 3; i < 6; i++) {
        assertThat(after.get(i).hash()).isNotEqualTo(before.get(i).hash());
        assertThat(after.get(i).parent()).isEqualTo(after.get(i - 1).hash());
      }
    }
  }

  @Test
  void aFinalBlockIsNeverReplaced() {
    try (var network = network()) {
      cutEmpty(network, 8);

      assertThatThrownBy(() -> network.ledger.reorganise(6))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at most 5 blocks");
      network.ledger.reorganise(5);
    }
  }

  @Test
  void thereIsNothingToReplaceBelowTheFirstBlock() {
    try (var network = network()) {
      cutEmpty(network, 2);

      assertThatThrownBy(() -> network.ledger.reorganise(3))
          .hasMessageContaining("at most 2 blocks");
      network.ledger.reorganise(2);
      assertThat(network.head()).isEqualTo(2);
    }
  }

  @Test
  void everyTransactionComesBackInABlockWithItsNonceInOrder() {
    try (var network = network()) {
      var contract = network.deployed();
      cutEmpty(network, 5);
      var transactions = independent(contract, 40);
      submitInBlocks(network, transactions, 4);

      network.ledger.reorganise(4);
      network.cut();

      for (var transaction : transactions) {
        assertThat(network.result(transaction)).isInstanceOf(LedgerReceipt.Fulfilled.class);
      }
      assertThat(audit(network).holds()).isTrue();
      assertThat(network.ledger.poolSize()).isZero();
    }
  }

  @Test
  void theOrderIsAnother() {
    try (var network = network()) {
      var contract = network.deployed();
      cutEmpty(network, 5);
      submitInBlocks(network, independent(contract, 40), 2);
      var before = hashes(network.blocks());

      network.ledger.reorganise(2);
      network.cut();

      assertThat(hashes(network.blocks())).isNotEqualTo(before).hasSameElementsAs(before);
    }
  }

  @Test
  void whoSpentAStateFirstMayFindItSpent() {
    var winners = new HashSet<Integer>();
    for (int seed = 0; seed < 20; seed++) {
      winners.add(winnerAfterReorganisation(seed));
    }

    assertThat(winners).hasSizeGreaterThan(1);
  }

  /** Four signers spend one coin in one block, which is then replaced. */
  private static int winnerAfterReorganisation(long seed) {
    try (var network = network()) {
      var contract = network.deployed();
      network.mined(SIGNERS.get(0).signed(0, make(contract, "m", "coin")));
      var rivals =
          SIGNERS.subList(1, 5).stream()
              .map(party -> party.signed(0, spendCoin(contract, party)))
              .toList();
      submitInBlocks(network, rivals, 1);
      assertThat(network.result(rivals.get(0))).isInstanceOf(LedgerReceipt.Fulfilled.class);

      network.ledger.reorganise(new Reorganisation(1, seed, 0, 0));
      network.cut();

      assertThat(audit(network).holds()).isTrue();
      assertThat(audit(network).reverts()).containsEntry(RevertReason.STATE_SPENT, 3L);
      return IntStream.range(0, 4)
          .filter(i -> network.result(rivals.get(i)) instanceof LedgerReceipt.Fulfilled)
          .sum();
    }
  }

  private static Invoke spendCoin(ContractAddress contract, Party party) {
    return Intent.on(contract, party.identity().name())
        .spends("coin")
        .endorsedBy(ALICE, BOB, CAROL);
  }

  @Test
  void theSamePlanGivesTheSameBlocks() {
    var first = reorganised(7);
    var second = reorganised(7);
    var other = reorganised(8);

    assertThat(first).isEqualTo(second).isNotEqualTo(other);
  }

  @Test
  void aPlanMayRevertAndLoseTransactions() {
    try (var network = network()) {
      var contract = network.deployed();
      cutEmpty(network, 5);
      var transactions = independent(contract, 100);
      submitInBlocks(network, transactions, 3);

      network.ledger.reorganise(new Reorganisation(3, 1, 0.2, 0.1));
      network.cut();

      assertThat(audit(network).holds()).isTrue();
      assertThat(audit(network).transactions()).isLessThan(101);

      network.ledger.submit(transactions);
      network.cut();
      assertThat(audit(network).transactions()).isEqualTo(101);
      assertThat(audit(network).reverts().get(RevertReason.INJECTED)).isBetween(5L, 40L);
      assertThat(network.ledger.poolSize()).isZero();
    }
  }

  @Test
  void nonceAndReceiptFollowTheNewBlocks() {
    try (var network = network()) {
      var contract = network.deployed();
      cutEmpty(network, 5);
      var transactions = independent(contract, 5);
      submitInBlocks(network, transactions, 1);

      network.ledger.reorganise(new Reorganisation(1, 1, 0, 1));

      assertThat(network.blocks().get(6).receipts()).isEmpty();
      for (var transaction : transactions) {
        assertThat(now(network.ledger.receipt(transaction.hash()))).isEmpty();
        var signer = transaction.transaction().signer();
        assertThat(now(network.ledger.nonce(signer))).isZero();
        var index = network.ledger.nonces().orElseThrow();
        assertThat(now(index.receipt(new Receipt.Nonce(signer, 0)))).isEmpty();
      }
    }
  }

  @Test
  void aReorganisationSurvivesARestart() {
    var storage = LedgerStorage.inMemory();
    List<Block> after;
    try (var network = new TestNetwork(storage, SETTINGS)) {
      var contract = network.deployed();
      submitInBlocks(network, independent(contract, 20), 3);
      network.ledger.reorganise(3);
      after = network.blocks();
    }
    try (var network = new TestNetwork(storage, SETTINGS)) {
      assertThat(network.blocks()).isEqualTo(after);
      network.ledger.reorganise(2);
      assertThat(audit(network).holds()).isTrue();
    }
  }

  @Test
  void withoutAFinalityDepthNothingCanBeReplaced() {
    try (var network =
        new TestNetwork(LedgerStorage.inMemory(), LedgerSettings.DEFAULT.withFinalityDepth(0))) {
      network.deployed();

      assertThatThrownBy(() -> network.ledger.reorganise(1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static List<Block> reorganised(long seed) {
    try (var network = network()) {
      var contract = network.deployed();
      submitInBlocks(network, independent(contract, 30), 3);
      network.ledger.reorganise(new Reorganisation(3, seed, 0.1, 0.1));
      return network.blocks();
    }
  }

  private static List<SignedLedgerTransaction> independent(ContractAddress contract, int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> {
              var signer = SIGNERS.get(i % SIGNERS.size());
              return signer.signed(i / SIGNERS.size(), make(contract, "t" + i, "s" + i));
            })
        .toList();
  }

  private static Invoke make(ContractAddress contract, String name, String state) {
    return Intent.on(contract, name).makes(state).endorsedBy(ALICE, BOB, CAROL);
  }

  private static void submitInBlocks(
      TestNetwork network, List<SignedLedgerTransaction> transactions, int blocks) {
    int each = (transactions.size() + blocks - 1) / blocks;
    for (int from = 0; from < transactions.size(); from += each) {
      network.ledger.submit(transactions.subList(from, Math.min(transactions.size(), from + each)));
      network.cut();
    }
  }

  private static void cutEmpty(TestNetwork network, int blocks) {
    for (int i = 0; i < blocks; i++) {
      network.cut();
    }
  }

  private static AuditReport audit(TestNetwork network) {
    return new LedgerAudit(Conservation.UNKNOWN)
        .read(network.ledger, new BlockHeight(network.head()))
        .report();
  }

  private static List<TransactionHash> hashes(List<Block> blocks) {
    return blocks.stream()
        .flatMap(block -> block.receipts().stream())
        .map(LedgerReceipt::hash)
        .toList();
  }

  private static TestNetwork network() {
    return new TestNetwork(LedgerStorage.inMemory(), SETTINGS);
  }
}
