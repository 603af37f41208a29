package dev.sequitur.schedule.chainexecution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.GasPrice;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.abi.EvmAddress;
import dev.sequitur.schedule.chainexecution.BlockTiming.Verdict;
import java.math.BigInteger;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** When an execution is sent, with how much gas and at what price. */
class ProviderRulesTest {
  private static final long REQUESTED = 1_000_000;

  private static ChainPlan plan(long window) {
    return new ChainPlan(BigInteger.ONE, EvmAddress.ZERO, window, 100_000, true);
  }

  @Test
  void theBeginOfTheWindowIsNotPartOfItAndItsEndIs() {
    var plan = plan(10);

    assertThat(plan.isTooSoon(REQUESTED, REQUESTED - 10)).isTrue();
    assertThat(plan.isTooSoon(REQUESTED, REQUESTED - 9)).isFalse();
    assertThat(plan.first(REQUESTED)).isEqualTo(REQUESTED - 9);
    assertThat(plan.isOver(REQUESTED, REQUESTED + 10)).isFalse();
    assertThat(plan.isOver(REQUESTED, REQUESTED + 11)).isTrue();
  }

  @Test
  void aPlanWithoutAWindowOrWithOneLongerThanTheTimeSince1970NeverRuns() {
    assertThat(plan(0).never(REQUESTED)).hasValueSatisfying(why -> assertThat(why).contains("0"));
    assertThat(plan(REQUESTED + 1).never(REQUESTED)).isPresent();
    assertThat(plan(REQUESTED).never(REQUESTED)).isEmpty();
    assertThat(plan(10).never(ChainPlan.MOST)).isPresent();
  }

  @Test
  void itIsSentForTheFirstBlockThatIsExpectedAtTheRequestedTime() {
    assertThat(new BlockTiming(REQUESTED - 2, 0, 1).of(plan(100), REQUESTED))
        .isEqualTo(Verdict.WAIT);
    assertThat(new BlockTiming(REQUESTED - 1, 0, 1).of(plan(100), REQUESTED))
        .isEqualTo(Verdict.SEND);
    assertThat(new BlockTiming(REQUESTED - 15, 0, 15).of(plan(100), REQUESTED))
        .isEqualTo(Verdict.SEND);
    assertThat(new BlockTiming(REQUESTED - 16, 0, 15).of(plan(100), REQUESTED))
        .isEqualTo(Verdict.WAIT);
  }

  @Test
  void aBlockThatIsLateIsAwaitedNoLonger() {
    assertThat(new BlockTiming(REQUESTED - 60, 30, 15).of(plan(100), REQUESTED))
        .isEqualTo(Verdict.WAIT);
    assertThat(new BlockTiming(REQUESTED - 60, 60, 15).of(plan(100), REQUESTED))
        .isEqualTo(Verdict.SEND);
  }

  @Test
  void itIsNotSentWhileABlockThatCameAtOnceWouldBeTooSoon() {
    var narrow = plan(5);
    assertThat(new BlockTiming(REQUESTED - 15, 9, 15).of(narrow, REQUESTED))
        .isEqualTo(Verdict.WAIT);
    assertThat(new BlockTiming(REQUESTED - 15, 11, 15).of(narrow, REQUESTED))
        .isEqualTo(Verdict.SEND);
  }

  @Test
  void itIsSentUpToTheEndOfTheWindowAndNotAfter() {
    assertThat(new BlockTiming(REQUESTED + 9, 0, 1).of(plan(10), REQUESTED))
        .isEqualTo(Verdict.SEND);
    assertThat(new BlockTiming(REQUESTED + 10, 0, 1).of(plan(10), REQUESTED))
        .isEqualTo(Verdict.OVER);
    assertThat(new BlockTiming(REQUESTED, 11, 1).of(plan(10), REQUESTED)).isEqualTo(Verdict.OVER);
  }

  /** Whatever the chain's pace: what comes at once, or when it is due, is never too soon. */
  @Property
  void whatIsSentIsNeverTooSoon(
      @ForAll @LongRange(max = 200) long before,
      @ForAll @LongRange(max = 100) long elapsed,
      @ForAll @LongRange(min = 1, max = 60) long interval,
      @ForAll @LongRange(min = 1, max = 100) long window) {
    var timing = new BlockTiming(REQUESTED - before, elapsed, interval);
    if (timing.of(plan(window), REQUESTED) == Verdict.SEND) {
      assertThat(plan(window).isTooSoon(REQUESTED, timing.soonest())).isFalse();
      assertThat(plan(window).isOver(REQUESTED, timing.soonest())).isFalse();
    }
  }

  /** What the contract's call gets is the lesser of what it names and 63/64 of what is left. */
  @Property
  void theCallIsNeverStarved(@ForAll @LongRange(max = 30_000_000) long promised) {
    long left = new ExecutionGas(0).limit(promised, 0);

    assertThat(left - left / 64).isGreaterThanOrEqualTo(promised);
  }

  @Test
  void dataCostsGasByTheWord() {
    var gas = new ExecutionGas(0);

    assertThat(gas.limit(0, 1)).isEqualTo(gas.limit(0, 32));
    assertThat(gas.limit(0, 33)).isEqualTo(2 * gas.limit(0, 1));
    assertThat(gas.limit(0, 33)).isEqualTo(2 * 2_600);
    assertThat(new ExecutionGas(1_000).limit(0, 33)).isEqualTo(1_000 + 2 * 2_600);
    assertThat(gas.limit(63, 0)).isEqualTo(64);
    assertThat(gas.limit(ChainPlan.MOST, Integer.MAX_VALUE)).isPositive();
  }

  @Test
  void theOfferIsTwiceTheBaseFeeUpToWhatMayBePaid() {
    var price = new GasPrice(100, 2);

    assertThat(price.at(0)).contains(new Fees(2, 2));
    assertThat(price.at(10)).contains(new Fees(22, 2));
    assertThat(price.at(98)).contains(new Fees(100, 2));
    assertThat(price.at(48)).contains(new Fees(98, 2));
    assertThat(price.at(49)).contains(new Fees(100, 2));
    assertThat(price.at(50)).contains(new Fees(100, 2));
    assertThat(price.at(99)).isEmpty();
    assertThat(new GasPrice(99, 2).at(48)).contains(new Fees(98, 2));
    assertThat(new GasPrice(Long.MAX_VALUE, 1).at(10)).contains(new Fees(21, 1));
    assertThat(new GasPrice(Long.MAX_VALUE, 0).at(Long.MAX_VALUE))
        .contains(new Fees(Long.MAX_VALUE, 0));
    assertThat(new GasPrice(0, 0).at(0)).contains(new Fees(0, 0));
  }

  @Test
  void aReplacementOffersATenthMoreAtLeastAndNeverMoreThanMayBePaid() {
    var price = new GasPrice(100, 2);

    assertThat(price.again(new Fees(22, 2), 10)).contains(new Fees(25, 3));
    assertThat(price.again(new Fees(22, 2), 40)).contains(new Fees(82, 3));
    assertThat(price.again(new Fees(90, 2), 10)).contains(new Fees(99, 3));
    assertThat(new GasPrice(99, 2).again(new Fees(90, 2), 10)).contains(new Fees(99, 3));
    assertThat(new GasPrice(98, 2).again(new Fees(90, 2), 10)).isEmpty();
    assertThat(price.again(new Fees(99, 2), 10)).isEmpty();
  }

  @Test
  void aNumberOfTheContractThatIsTooLargeStandsAsTheMost() {
    var most = BigInteger.valueOf(ChainPlan.MOST);

    assertThat(ChainPlan.number(BigInteger.ZERO)).isZero();
    assertThat(ChainPlan.number(most.subtract(BigInteger.ONE))).isEqualTo(ChainPlan.MOST - 1);
    assertThat(ChainPlan.number(most)).isEqualTo(ChainPlan.MOST);
    assertThat(ChainPlan.number(most.add(BigInteger.ONE))).isEqualTo(ChainPlan.MOST);
    assertThat(ChainPlan.number(BigInteger.ONE.shiftLeft(255))).isEqualTo(ChainPlan.MOST);
  }

  @Test
  void aPlanIsOfNumbersThatStandHere() {
    assertThat(new ChainPlan(BigInteger.ONE, EvmAddress.ZERO, 0, 0, true).window()).isZero();
    assertThat(new ChainPlan(BigInteger.ONE, EvmAddress.ZERO, ChainPlan.MOST, ChainPlan.MOST, true))
        .matches(ChainPlan::active);
    for (long bad : new long[] {-1, ChainPlan.MOST + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new ChainPlan(BigInteger.ONE, EvmAddress.ZERO, bad, 0, true));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new ChainPlan(BigInteger.ONE, EvmAddress.ZERO, 0, bad, true));
    }
  }

  @Test
  void noNumberOfARequestIsNegative() {
    assertThat(terms(0, 0, 0, 0).family()).isEqualTo(FamilyKind.CHAIN_EXECUTION);
    assertThatIllegalArgumentException().isThrownBy(() -> terms(-1, 0, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> terms(0, -1, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> terms(0, 0, -1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> terms(0, 0, 0, -1));
  }

  private static ChainExecutionTerms terms(long plan, int dataSize, long timestamp, long value) {
    return new ChainExecutionTerms(
        plan, EvmAddress.ZERO, dataSize, timestamp, BigInteger.valueOf(value));
  }

  @Test
  void aPlanThatIsRemovedIsTheSameButNoLongerSold() {
    assertThat(plan(10).removed())
        .isEqualTo(new ChainPlan(BigInteger.ONE, EvmAddress.ZERO, 10, 100_000, false));
  }

  @Test
  void aTimeIsWrittenUpToTheLastThatHasFourDigitsOfAYear() {
    long last = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

    assertThat(ChainPlan.time(0)).isEqualTo("1970-01-01T00:00:00Z");
    assertThat(ChainPlan.time(last)).isEqualTo("9999-12-31T23:59:59Z");
    assertThat(ChainPlan.time(last + 1)).isEqualTo("the end of time");
    assertThat(ChainPlan.time(ChainPlan.MOST)).isEqualTo("the end of time");
  }
}
