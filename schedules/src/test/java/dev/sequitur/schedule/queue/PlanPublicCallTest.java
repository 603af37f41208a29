package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.PlansUnderTest.PRICE;
import static dev.sequitur.schedule.queue.PlansUnderTest.START;
import static dev.sequitur.schedule.queue.PlansUnderTest.WINDOW;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.plan.Plan;
import dev.sequitur.schedule.plan.PlanOperation;
import dev.sequitur.schedule.plan.PlanTerms;
import java.math.BigInteger;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Calls on the base ledger, and the gas that a plan gives what it executes (PLN-14). */
class PlanPublicCallTest {
  private static final long PROMISED = 50_000;
  private static final Optional<ContractAddress> CALLED =
      Optional.of(new ContractAddress("0x" + "0a".repeat(20)));

  private final PlansUnderTest plans = new PlansUnderTest();

  @Test
  void aCallThatNamesNoGasGetsWhatThePlanPromises() {
    long plan = bought(PROMISED);
    plans.schedule(execution(plan, call(CALLED, 0)));

    plans.blockAt(15);

    assertThat(plans.queue.handedOver())
        .singleElement()
        .satisfies(handed -> assertThat(handed.request()).isEqualTo(call(CALLED, PROMISED)));
  }

  @Test
  void aCallGetsTheGasThatItNames() {
    long plan = bought(PROMISED);
    plans.schedule(execution(plan, call(CALLED, 30_000)));

    plans.blockAt(15);

    assertThat(plans.queue.handedOver().get(0).request()).isEqualTo(call(CALLED, 30_000));
  }

  /** It would fail, and use up what was bought. */
  @Test
  void whatThePlanGivesTooLittleGasForIsNotScheduled() {
    assertThat(refused(bought(PROMISED), call(CALLED, PROMISED + 1)))
        .isEqualTo(Code.TOO_LITTLE_GAS);
    plans.schedule(execution(bought(PROMISED), call(CALLED, PROMISED)));
    assertThat(refused(bought(20_999), call(CALLED, 0))).isEqualTo(Code.TOO_LITTLE_GAS);
    plans.schedule(execution(bought(21_000), call(CALLED, 0)));
    var privately = PlansUnderTest.call(0, 15, 0).target();
    assertThat(refused(bought(99), privately)).isEqualTo(Code.TOO_LITTLE_GAS);
    plans.schedule(execution(bought(100), privately));
  }

  @Test
  void whatMakesAContractIsNotScheduled() {
    assertThat(refused(bought(PROMISED), call(Optional.empty(), 0))).isEqualTo(Code.BAD_STATE);
  }

  /** A new plan of which Alice has bought one execution. */
  private long bought(long gas) {
    long plan = plans.addPlan(Plan.of(PRICE, WINDOW, gas, Optional.empty()));
    plans.buy(plan, 1);
    return plan;
  }

  private Code refused(long plan, Target target) {
    return plans.refused(ALICE, execution(plan, target));
  }

  private static PlanOperation.Schedule execution(long plan, Target target) {
    return new PlanOperation.Schedule(new PlanTerms(plan, START + 15, Amount.ZERO), target);
  }

  private static Target.PublicCall call(Optional<ContractAddress> to, long gas) {
    return new Target.PublicCall(
        Identity.parse("alice@node1"),
        to,
        Bytes.hex("0x371303c0"),
        BigInteger.ZERO,
        gas,
        PublicTransaction.Source.NONE);
  }
}
