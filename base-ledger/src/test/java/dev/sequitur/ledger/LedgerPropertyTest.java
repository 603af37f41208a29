package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class LedgerPropertyTest {
  private static final Deploy DEPLOYMENT =
      new Deploy("token", TestNetwork.genesis(2, ALICE, BOB, CAROL));
  private static final List<Party> SIGNERS =
      IntStream.range(0, 3).mapToObj(i -> Party.named("signer" + i)).toList();

  private long price = 1_000_000;

  @Property(tries = 200)
  void theLedgerDoesWhatTheModelDoes(@ForAll long seed, @ForAll @IntRange(max = 120) int steps) {
    var random = new Random(seed);
    var model = new LedgerModel();
    try (var network = new TestNetwork()) {
      var contract = network.deployed(DEPLOYMENT);
      for (int step = 0; step < steps; step++) {
        if (random.nextInt(6) == 0) {
          assertSameBlock(network.cut(), model.cut());
        } else {
          var transaction = random(random, contract);
          assertThat(network.submit(transaction).getClass().getSimpleName())
              .isEqualTo(model.submit(transaction));
        }
        assertThat(network.ledger.poolSize()).isEqualTo(model.poolSize());
      }
      assertSameBlock(network.cut(), model.cut());
      var report = audit(network);
      assertThat(report.holds()).isTrue();
      assertThat(report.contracts().get(contract).unspent()).isEqualTo(model.unspent().size());
    }
  }

  @Property(tries = 100)
  void whateverIsReorganisedTheLedgerKeepsItsPromises(
      @ForAll long seed, @ForAll @IntRange(max = 80) int steps) {
    var random = new Random(seed);
    var storage = LedgerStorage.inMemory();
    try (var network = new TestNetwork(storage, LedgerSettings.DEFAULT.withCheckpointEvery(3))) {
      var contract = network.deployed(DEPLOYMENT);
      for (int step = 0; step < steps; step++) {
        switch (random.nextInt(8)) {
          case 0, 1 -> network.cut();
          case 2 -> {
            int most = (int) Math.min(network.head(), 12);
            network.ledger.reorganise(
                new Reorganisation(
                    1 + random.nextInt(most),
                    random.nextLong(),
                    random.nextInt(3) * 0.2,
                    random.nextInt(3) * 0.2));
          }
          default -> network.submit(random(random, contract));
        }
        assertThat(audit(network).violations()).isEmpty();
      }
      // Counted anew, and not only as the blocks tell it.
      assertThat(new StoredSums(storage).matchTables(() -> true)).isTrue();
    }
  }

  private static void assertSameBlock(Block block, List<LedgerModel.Ran> expected) {
    assertThat(block.receipts())
        .extracting(LedgerReceipt::hash)
        .isEqualTo(expected.stream().map(ran -> ran.transaction().hash()).toList());
    for (int i = 0; i < expected.size(); i++) {
      assertThat(block.receipts().get(i).results())
          .<Optional<RevertReason>>extracting(
              result ->
                  result instanceof Reverted reverted
                      ? Optional.of(reverted.reason())
                      : Optional.empty())
          .isEqualTo(expected.get(i).reasons());
    }
  }

  /** Few states, intents and nonces, so that everything that can collide does. */
  private SignedLedgerTransaction random(Random random, ContractAddress contract) {
    var invoke =
        new Invoke(
            Stream.generate(() -> transition(random, contract))
                .limit(1 + random.nextInt(3))
                .toList());
    // never the same price twice, sometimes too low for a replacement
    price += random.nextInt(3) == 0 ? 1 : price / 8;
    if (price > Long.MAX_VALUE / 100) {
      price = 1_000_000;
    }
    return SIGNERS.get(random.nextInt(SIGNERS.size())).signed(random.nextInt(12), price, invoke);
  }

  private static PreparedTransaction transition(Random random, ContractAddress contract) {
    var intent =
        Intent.on(contract, "intent" + random.nextInt(30))
            .spends(names(random, 1))
            .reads(names(random, 1))
            .makes(names(random, 2));
    return random.nextInt(5) == 0
        ? intent.preparedBy(CAROL)
        : intent.preparedBy(ALICE, random.nextBoolean() ? BOB : CAROL);
  }

  private static String[] names(Random random, int most) {
    int count = random.nextInt(most + 1);
    int first = random.nextInt(12);
    return IntStream.range(0, count).mapToObj(i -> "state" + (first + i)).toArray(String[]::new);
  }

  private static AuditReport audit(TestNetwork network) {
    return new LedgerAudit(Conservation.UNKNOWN)
        .withCheckpoints()
        .read(network.ledger, new BlockHeight(network.head()))
        .report();
  }
}
