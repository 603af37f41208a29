package dev.sequitur.ledger;

import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static dev.sequitur.ledger.TestNetwork.SALLY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.Result;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One base-ledger transaction with many transitions: each is fulfilled or reverts by itself. */
class TransitionsTest {
  private TestNetwork network;
  private ContractAddress contract;

  @BeforeEach
  void deploy() {
    network = new TestNetwork();
    contract = network.deployed();
  }

  @AfterEach
  void close() {
    network.close();
  }

  @Test
  void halfOfThemRevertingLeavesTheOthersFulfilledEachWithItsOwnReason() {
    var batch =
        SALLY.signed(
            0,
            new Invoke(
                Stream.of(
                        intent("a").makes("coin"),
                        intent("b").spends("gold"),
                        intent("c").makes("ring"),
                        intent("d").makes("coin"))
                    .map(each -> each.preparedBy(ALICE, BOB, CAROL))
                    .toList()));

    network.mined(batch);

    assertThat(ends(batch))
        .containsExactly(
            "fulfilled",
            RevertReason.STATE_UNKNOWN.name(),
            "fulfilled",
            RevertReason.STATE_EXISTS.name());
    var report = audit();
    assertThat(report.holds()).isTrue();
    assertThat(report.contracts().get(contract)).isEqualTo(new AuditReport.Tally(2, 2, 2, 0, 2));
  }

  @Test
  void theSameIntentTwiceIsFulfilledOnce() {
    assertThat(mined(intent("a").makes("coin"), intent("a").makes("ring")))
        .containsExactly("fulfilled", RevertReason.INTENT_FULFILLED.name());
  }

  @Test
  void whatOneMakesTheNextMaySpendAndOnlyOne() {
    assertThat(
            mined(
                intent("a").makes("coin"),
                intent("b").spends("coin").makes("gold"),
                intent("c").spends("coin").makes("ring")))
        .containsExactly("fulfilled", "fulfilled", RevertReason.STATE_SPENT.name());
  }

  @Test
  void theyAreExecutedInTheirOrder() {
    assertThat(mined(intent("b").spends("coin"), intent("a").makes("coin")))
        .containsExactly(RevertReason.STATE_UNKNOWN.name(), "fulfilled");
  }

  @Test
  void eachNeedsItsOwnThreshold() {
    var batch =
        SALLY.signed(
            0,
            new Invoke(
                List.of(
                    intent("a").makes("coin").preparedBy(ALICE, BOB, CAROL),
                    intent("b").makes("ring").preparedBy(ALICE, ALICE, ALICE))));

    network.mined(batch);

    assertThat(ends(batch)).containsExactly("fulfilled", RevertReason.ENDORSEMENT_INVALID.name());
  }

  @Test
  void aBatchOfAHigherPriceReplacesTheOtherWhole() {
    var first = SALLY.signed(0, 100, batch("a", "b"));
    var replacement = SALLY.signed(0, 200, batch("a", "b"));
    network.submit(first);
    assertThat(network.submit(replacement)).isInstanceOf(SubmitOutcome.Pooled.class);
    assertThat(network.ledger.poolSize()).isEqualTo(2);

    network.cut();

    assertThat(ends(replacement)).containsExactly("fulfilled", "fulfilled");
    assertThat(TestNetwork.now(network.ledger.receipt(first.hash()))).isEmpty();
  }

  @Test
  void thoseThatWereToRevertStillDoWhenItIsReplaced() {
    var first = SALLY.signed(0, 100, batch("a", "b", "c"));
    network.ledger.submit(List.of(first), Map.of(first.hash(), Set.of(0, 2)));
    var replacement = SALLY.signed(0, 200, batch("a", "b", "c"));

    network.mined(replacement);

    assertThat(ends(replacement))
        .containsExactly(RevertReason.INJECTED.name(), "fulfilled", RevertReason.INJECTED.name());
  }

  @Test
  void aReorganisationTakesItBackAndPutsItInAgainWhole() {
    var batch = SALLY.signed(0, batch("a", "b", "c", "d"));
    network.mined(batch);

    network.ledger.reorganise(new Reorganisation(1, 4, 0.5, 0));
    network.cut();

    assertThat(ends(batch)).hasSize(4).contains("fulfilled", RevertReason.INJECTED.name());
    var report = audit();
    assertThat(report.holds()).isTrue();
    assertThat(report.fulfilled() + report.reverted()).isEqualTo(4);
  }

  @Test
  void whatIsToRevertNextIsTakenFromABatchOneByOne() {
    var reverts = new InjectedReverts();
    reverts.next(contract, 4);
    var first = SALLY.signed(0, batch("a", "b", "c"));
    var second = SALLY.signed(1, batch("d", "e", "f"));

    for (int i = 0; i < 2; i++) {
      assertThat(reverts.among(List.of(first, second)))
          .as("also when they are submitted again")
          .containsOnly(
              Map.entry(first.hash(), Set.of(0, 1, 2)), Map.entry(second.hash(), Set.of(0)));
    }
    assertThat(reverts.left(contract)).isZero();
  }

  @Test
  void noneTooManyAndThoseOfTwoContractsAreRefusedForGood() {
    var one = intent("a").makes("coin").preparedBy(ALICE, BOB, CAROL);
    var other =
        Intent.on(new ContractAddress("0x" + "ab".repeat(20)), "b").preparedBy(ALICE, BOB, CAROL);

    assertThat(
            Stream.of(
                List.of(one).subList(0, 0),
                Collections.nCopies(TransactionCheck.MAX_TRANSITIONS + 1, one),
                List.of(one, other)))
        .allSatisfy(
            transitions ->
                assertThat(network.submit(SALLY.signed(0, new Invoke(transitions))))
                    .isInstanceOf(SubmitOutcome.Invalid.class));
  }

  @Test
  void aBlockAndThePoolCountTransitions() {
    try (var small =
        new TestNetwork(
            LedgerStorage.inMemory(),
            LedgerSettings.DEFAULT.withBlockLimit(3).withPoolCapacity(5))) {
      contract = small.deployed();
      assertThat(small.submit(SALLY.signed(0, batch("a", "b"))))
          .isInstanceOf(SubmitOutcome.Pooled.class);
      assertThat(small.submit(SALLY.signed(1, batch("c", "d"))))
          .isInstanceOf(SubmitOutcome.Pooled.class);
      assertThat(small.submit(SALLY.signed(2, batch("e", "f"))))
          .as("the last may exceed it")
          .isInstanceOf(SubmitOutcome.Pooled.class);
      assertThat(small.submit(SALLY.signed(3, batch("g"))))
          .isInstanceOf(SubmitOutcome.PoolFull.class);

      assertThat(small.cut().receipts()).hasSize(2);
      assertThat(small.ledger.poolSize()).isEqualTo(2);
    }
  }

  private Intent intent(String name) {
    return Intent.on(contract, name);
  }

  private Invoke batch(String... names) {
    return new Invoke(
        Stream.of(names)
            .map(name -> intent(name).makes("made by " + name).preparedBy(ALICE, BOB, CAROL))
            .toList());
  }

  private List<String> mined(Intent... intents) {
    var batch =
        SALLY.signed(
            0,
            new Invoke(
                Stream.of(intents).map(each -> each.preparedBy(ALICE, BOB, CAROL)).toList()));
    network.mined(batch);
    return ends(batch);
  }

  private List<String> ends(SignedLedgerTransaction batch) {
    return network.results(batch).stream().map(TransitionsTest::end).toList();
  }

  private static String end(Result result) {
    return result instanceof Fulfilled ? "fulfilled" : ((Reverted) result).reason().name();
  }

  private AuditReport audit() {
    return new LedgerAudit(Conservation.UNKNOWN)
        .read(network.ledger, new BlockHeight(network.head()))
        .report();
  }
}
