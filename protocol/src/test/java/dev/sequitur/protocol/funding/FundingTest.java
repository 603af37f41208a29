package dev.sequitur.protocol.funding;

import static java.math.BigInteger.valueOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.funding.Funding.Effect;
import dev.sequitur.protocol.funding.Funding.Input;
import dev.sequitur.protocol.funding.GasReport.Status;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.AboveCeiling;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.GasMoney.Accounts;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** FND-1 to FND-4. */
final class FundingTest {
  private static final LedgerAddress PAYER = address(0);
  private static final TransactionHash HASH = new TransactionHash(new Hash(1, 2, 3, 4));
  private static final long LOW = 1_000;
  private static final long FULL = 10_000;
  private static final Gas GAS =
      new Gas(Fees.flat(1), Fees.flat(3), 20, 110, Duration.ofMinutes(1));
  private static final long TRANSFER = 3 * GasTransfer.GAS;
  private static final long PLENTY = 1_000_000;

  private Instant now = Instant.EPOCH;
  private final Host<Input, FundingState, Void, Effect> keeper = keeper(true);
  private List<Effect> last = List.of();

  private static LedgerAddress address(int number) {
    return new LedgerAddress("0x" + "%040x".formatted(number));
  }

  private static Host<Input, FundingState, Void, Effect> keeper(boolean fromAccount) {
    var settings =
        new FundingSettings(
            fromAccount, valueOf(LOW), valueOf(FULL), valueOf(200_000), Duration.ofSeconds(10));
    var machine = new Funding(settings, PAYER, GAS).machine();
    return new Host<>(machine, machine.initial());
  }

  private void tell(Input input) {
    tell(keeper, input);
  }

  private void tell(Host<Input, FundingState, Void, Effect> whom, Input input) {
    last = whom.fold(List.of(input), now).effects();
  }

  /** Of the transfer that was offered last. */
  private void answered(SubmitOutcome outcome) {
    answered(keeper, outcome);
  }

  private void answered(Host<Input, FundingState, Void, Effect> whom, SubmitOutcome outcome) {
    tell(
        whom, new Input.Answered(whom.state().working().offer().orElseThrow().transfer(), outcome));
  }

  /** A key needs this for gas, sends nothing along, and pays again and again. */
  private static KeyUse used(int key, long needs, boolean waits) {
    return new KeyUse(
        address(key), valueOf(needs), BigInteger.ZERO, waits, false, AboveCeiling.NOTHING, false);
  }

  private static KeyUse usedOnce(int key, long needs, boolean waits) {
    return new KeyUse(
        address(key), valueOf(needs), BigInteger.ZERO, waits, false, AboveCeiling.NOTHING, true);
  }

  private void use(int key, long needs, boolean waits) {
    tell(new Input.Used(used(key, needs, waits)));
  }

  private void send(int key, long needs, long sends, boolean waits) {
    tell(
        new Input.Used(
            new KeyUse(
                address(key),
                valueOf(needs),
                valueOf(sends),
                waits,
                false,
                AboveCeiling.NOTHING,
                false)));
  }

  private void seen(long nonce, long balance, long... ofKeys) {
    seen(keeper, nonce, balance, ofKeys);
  }

  /** The keys are 1 and on. */
  private void seen(
      Host<Input, FundingState, Void, Effect> by, long nonce, long balance, long... ofKeys) {
    Map<LedgerAddress, BigInteger> balances = new HashMap<>();
    for (int key = 1; key <= ofKeys.length; key++) {
      balances.put(address(key), valueOf(ofKeys[key - 1]));
    }
    tell(by, new Input.Seen(new Accounts(nonce, valueOf(balance), balances, Set.of())));
  }

  private void later(Host<Input, FundingState, Void, Effect> whom, Duration time) {
    now = now.plus(time);
    tell(whom, new Input.Tick());
  }

  private void later(Duration time) {
    later(keeper, time);
  }

  private List<GasTransfer> paid() {
    return last.stream()
        .filter(Effect.Pay.class::isInstance)
        .map(effect -> ((Effect.Pay) effect).transfer())
        .toList();
  }

  private GasReport report() {
    return keeper.state().report();
  }

  @Test
  void aKeyThatIsUsedForTheFirstTimeIsLookedAtAtOnce() {
    use(1, 500, false);

    assertThat(last).containsExactly(new Effect.Look(List.of(address(1)), List.of()));
  }

  @Test
  void aKeyWithTooLittleIsToppedUpWithTheNextNonceOfTheAccount() {
    use(1, 500, false);
    seen(7, PLENTY, LOW - 1);

    assertThat(paid())
        .containsExactly(new GasTransfer(7, address(1), valueOf(FULL - LOW + 1), Fees.flat(1)));
  }

  /** FND-2, FND-4: the amounts of a chain, of whose coin a long holds nine. */
  @Test
  void aKeyThatNeedsMoreThanALongHoldsIsToppedUpAndNothingElseIsSaid() {
    var coins = BigInteger.TEN.pow(18);
    tell(
        new Input.Used(
            new KeyUse(
                address(1),
                coins.multiply(valueOf(20)),
                BigInteger.ZERO,
                true,
                false,
                AboveCeiling.NOTHING,
                false)));
    tell(
        new Input.Seen(
            new Accounts(
                7,
                coins.multiply(valueOf(50)),
                Map.of(address(1), coins.multiply(valueOf(10))),
                Set.of())));

    assertThat(paid())
        .containsExactly(new GasTransfer(7, address(1), coins.multiply(valueOf(10)), Fees.flat(1)));
    assertThat(report().sentence()).isEmpty();
  }

  /** FND-3, FND-4. */
  @Test
  void aTransferOffersWhatBlocksChargeAndWhatIsAboveTheCeilingIsToldWithItsFigure() {
    var gas = new Gas(Fees.flat(1), Fees.flat(30), 20, 110, Duration.ofMinutes(1)).following();
    var settings =
        new FundingSettings(
            true, valueOf(LOW), valueOf(FULL), valueOf(200_000), Duration.ofSeconds(10));
    var machine = new Funding(settings, PAYER, gas).machine();
    var following = new Host<>(machine, machine.initial());
    tell(following, new Input.Used(used(1, 500, false)));
    tell(following, new Input.Seen(charging(12)));

    assertThat(paid()).extracting(GasTransfer::fees).containsExactly(new Fees(25, 1));
    answered(following, new SubmitOutcome.Underpriced(HASH, Fees.flat(31)));
    later(following, Duration.ofSeconds(10));
    tell(following, new Input.Seen(charging(40)));
    assertThat(following.state().report().status()).isEqualTo(Status.FEES_TOO_HIGH);
    assertThat(following.state().report().sentence()).contains("(40)", "(30)");
  }

  private static Accounts charging(long baseFee) {
    return new Accounts(
        7, valueOf(10 * PLENTY), Map.of(address(1), BigInteger.ZERO), Set.of(), baseFee);
  }

  @Test
  void aKeyWithEnoughGetsNothing() {
    use(1, 500, false);
    seen(7, PLENTY, LOW);

    assertThat(paid()).isEmpty();
    assertThat(report().status()).isEqualTo(Status.ENOUGH);
  }

  @Test
  void aKeyGetsWhatItsTransactionsNeedEvenIfThatIsMoreThanFull() {
    use(1, 3 * FULL, true);
    seen(7, PLENTY, FULL);

    assertThat(paid()).extracting(GasTransfer::amount).containsExactly(valueOf(2 * FULL));
  }

  @Test
  void onceItsTransactionsHaveEndedAKeyGetsNoMoreForThem() {
    use(1, 3 * FULL, false);
    seen(7, PLENTY, 3 * FULL);

    use(1, 0, false);
    later(Duration.ofSeconds(10));
    seen(7, PLENTY, LOW);

    assertThat(paid()).isEmpty();
    assertThat(report().low()).isZero();
  }

  @Test
  void aKeyThatPaysOnceGetsNoMoreThanItNeeds() {
    tell(new Input.Used(usedOnce(1, 300, false)));
    seen(7, PLENTY, 100);

    assertThat(paid()).extracting(GasTransfer::amount).containsExactly(valueOf(200L));
  }

  @Test
  void aKeyThatHasPaidOnceGetsNothingAnyMore() {
    tell(new Input.Used(usedOnce(1, 300, true)));
    assertThat(last).containsExactly(new Effect.Look(List.of(address(1)), List.of(address(1))));

    tell(
        new Input.Seen(
            new Accounts(
                7, valueOf(PLENTY), Map.of(address(1), BigInteger.ZERO), Set.of(address(1)))));

    assertThat(paid()).isEmpty();
    assertThat(report().keys()).isZero();
  }

  @Test
  void whoWaitsIsFirstThenWhoHasLeast() {
    use(1, 500, false);
    use(2, 500, false);
    use(3, 500, true);
    seen(0, PLENTY, 20, 10, 400);
    assertThat(paid()).extracting(GasTransfer::to).containsExactly(address(3));

    later(Duration.ofSeconds(10));
    seen(1, PLENTY, 20, 10, FULL);
    assertThat(paid()).extracting(GasTransfer::to).containsExactly(address(2));
  }

  @Test
  void nothingElseIsDecidedBeforeAFinalBlockHasTheTransfer() {
    use(1, 500, false);
    use(2, 500, false);
    seen(4, PLENTY, 0, 0);
    var first = paid();
    answered(new SubmitOutcome.Pooled(HASH));

    for (int look = 0; look < 3; look++) {
      later(Duration.ofSeconds(10));
      seen(4, PLENTY, 0, 0);
      assertThat(paid()).as("the very same again").isEqualTo(first);
      answered(new SubmitOutcome.Pooled(HASH));
    }
    later(Duration.ofSeconds(10));
    seen(5, PLENTY, FULL, 0);

    assertThat(last).contains(new Effect.CountTopUp());
    assertThat(paid()).extracting(GasTransfer::nonce).containsExactly(5L);
  }

  @Test
  void oneThatIsInNoBlockForLongOffersMoreUpToTheCeiling() {
    use(1, 500, false);
    seen(4, PLENTY, 0);
    answered(new SubmitOutcome.Pooled(HASH));
    for (long fee : List.of(2L, 3L, 3L)) {
      later(Duration.ofMinutes(1));
      seen(4, PLENTY, 0);
      assertThat(paid()).extracting(GasTransfer::fees).containsExactly(Fees.flat(fee));
      answered(new SubmitOutcome.Pooled(HASH));
    }
  }

  @Test
  void whatAPoolFindsTooLittleIsOfferedWithMore() {
    use(1, 500, false);
    seen(4, PLENTY, 0);
    answered(new SubmitOutcome.Underpriced(HASH, Fees.flat(3)));
    later(Duration.ofSeconds(10));
    seen(4, PLENTY, 0);

    assertThat(paid()).extracting(GasTransfer::fees).containsExactly(Fees.flat(3));
  }

  @Test
  void anAccountThatRunsOutIsToldOfBeforeAnythingWaits() {
    use(1, 500, false);
    seen(4, 199_999, FULL);

    assertThat(report().status()).isEqualTo(Status.RUNS_OUT);
    assertThat(report().sentence()).contains(PAYER.value(), "199999");
    assertThat(last).contains(new Effect.Tell(report()));

    later(Duration.ofSeconds(10));
    seen(4, 200_000, FULL);
    assertThat(report().status()).isEqualTo(Status.ENOUGH);
  }

  @Test
  void anAccountThatCannotPayLeavesItsKeysWaitingAndSaysSo() {
    use(1, 500, true);
    seen(4, TRANSFER + LOW - 1, 0);

    assertThat(paid()).isEmpty();
    assertThat(report().status()).isEqualTo(Status.WAITS_FOR_GAS_MONEY);
    assertThat(report().sentence()).contains("1 key ", PAYER.value());

    later(Duration.ofSeconds(10));
    seen(4, TRANSFER + LOW, 0);
    assertThat(paid())
        .as("what is left")
        .extracting(GasTransfer::amount)
        .containsExactly(valueOf(LOW));
    assertThat(report().waiting()).isOne();

    later(Duration.ofSeconds(10));
    answered(new SubmitOutcome.Pooled(HASH));
    seen(5, 0, LOW);
    assertThat(report().waiting()).isZero();
    assertThat(report().status()).isEqualTo(Status.RUNS_OUT);
  }

  @Test
  void keysThatAreFundedByHandAreToldOf() {
    var byHand = keeper(false);
    tell(byHand, new Input.Used(used(1, 500, false)));
    seen(byHand, 0, 0, LOW - 1);

    assertThat(paid()).isEmpty();
    assertThat(byHand.state().report().status()).isEqualTo(Status.RUNS_OUT);
    assertThat(byHand.state().report().sentence()).contains(address(1).value());

    tell(byHand, new Input.Used(used(1, 500, true)));
    seen(byHand, 0, 0, 499);
    assertThat(byHand.state().report().status()).isEqualTo(Status.WAITS_FOR_GAS_MONEY);
  }

  @Test
  void aKeyThatIsNotUsedForAnHourIsNotWatchedAnyMore() {
    use(1, 500, false);
    seen(4, PLENTY, FULL);

    later(Funding.WATCHED.plusSeconds(1));

    assertThat(last).containsExactly(new Effect.Look(List.of(), List.of()));
  }

  @Test
  void aKeyThatIsUsedWhileTheLedgerIsAskedIsLookedAtNext() {
    use(1, 500, false);
    use(2, 500, false);
    assertThat(last).isEmpty();

    seen(4, PLENTY, FULL);

    assertThat(last)
        .filteredOn(Effect.Look.class::isInstance)
        .singleElement()
        .satisfies(look -> assertThat(((Effect.Look) look).keys()).contains(address(2)));
  }

  /**
   * Every transfer that was ever signed may be put into a block, whenever its nonce fits; lives end
   * at any moment and remember nothing; blocks that are not final are replaced. No key ever has
   * more than it is topped up to, and in the end each has enough.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void noKeyIsToppedUpTwiceForOneNeedWhateverCrashes(int confirmations) {
    for (int seed = 0; seed < 300; seed++) {
      new World(seed, confirmations).run();
    }
  }

  private static final class World {
    private static final int KEYS = 3;

    private final Random random;
    private final int seed;
    private final int confirmations;
    private final List<Accounts> blocks = new ArrayList<>();
    private final List<GasTransfer> signed = new ArrayList<>();
    private Host<Input, FundingState, Void, Effect> life = keeper(true);
    private Instant now = Instant.EPOCH;
    private List<LedgerAddress> looking;
    private boolean paying;
    private boolean calm;
    private int newestFinal;

    World(int seed, int confirmations) {
      this.seed = seed;
      this.random = new Random(seed);
      this.confirmations = confirmations;
      Map<LedgerAddress, BigInteger> none = new HashMap<>();
      for (int key = 1; key <= KEYS; key++) {
        none.put(address(key), BigInteger.ZERO);
      }
      blocks.add(new Accounts(0, valueOf(100 * PLENTY), none, Set.of()));
    }

    void run() {
      for (int step = 0; step < 300; step++) {
        now = now.plusSeconds(random.nextInt(20));
        switch (random.nextInt(10)) {
          case 0 -> crash();
          case 1, 2 -> feed(used(1 + random.nextInt(KEYS)));
          case 3, 4, 5 -> mine(random.nextInt(3) > 0);
          case 6 -> reorganise();
          default -> answer(random.nextInt(4) > 0);
        }
      }
      calm = true;
      for (int step = 0; step < 100; step++) {
        now = now.plusSeconds(20);
        feed(used(1 + step % KEYS));
        answer(true);
        mine(true);
      }
      for (int key = 1; key <= KEYS; key++) {
        assertThat(newest().balances().get(address(key)))
            .as("seed " + seed)
            .isGreaterThanOrEqualTo(valueOf(LOW));
      }
    }

    private Accounts newest() {
      return blocks.getLast();
    }

    private Input used(int key) {
      return new Input.Used(FundingTest.used(key, 500, random.nextBoolean()));
    }

    private void feed(Input input) {
      for (var effect : life.fold(List.of(input, new Input.Tick()), now).effects()) {
        switch (effect) {
          case Effect.Look(var keys, var once) -> looking = keys;
          case Effect.Pay(var transfer) -> {
            signed.add(transfer);
            paying = true;
          }
          case Effect.CountTopUp ignored -> {}
          case Effect.Tell ignored -> {}
        }
      }
    }

    private void crash() {
      life = keeper(true);
      looking = null;
      paying = false;
    }

    private void answer(boolean reached) {
      if (paying) {
        paying = false;
        feed(
            reached
                ? new Input.Answered(signed.getLast(), new SubmitOutcome.Pooled(HASH))
                : new Input.NotAnswered(signed.getLast()));
      } else if (looking != null) {
        var keys = looking;
        looking = null;
        var at = blocks.get(Math.max(0, blocks.size() - 1 - confirmations));
        Map<LedgerAddress, BigInteger> balances = new HashMap<>(at.balances());
        balances.keySet().retainAll(keys);
        feed(
            reached
                ? new Input.Seen(
                    new Accounts(at.payerNonce(), at.payerBalance(), balances, Set.of()))
                : new Input.NotSeen());
      }
    }

    private void mine(boolean takesTransfers) {
      long nonce = newest().payerNonce();
      var left = newest().payerBalance();
      Map<LedgerAddress, BigInteger> balances = new HashMap<>(newest().balances());
      for (int room = random.nextInt(3); takesTransfers && room > 0; room--) {
        long wanted = nonce;
        var fitting = signed.stream().filter(one -> one.nonce() == wanted).toList();
        if (!fitting.isEmpty()) {
          var one = fitting.get(random.nextInt(fitting.size()));
          balances.merge(one.to(), one.amount(), BigInteger::add);
          left = left.subtract(one.amount().add(one.fees().cost(GasTransfer.GAS)));
          nonce++;
        }
      }
      balances
          .values()
          .forEach(has -> assertThat(has).as("seed " + seed).isLessThanOrEqualTo(valueOf(FULL)));
      if (!calm && random.nextInt(4) == 0) {
        balances.computeIfPresent(
            address(1 + random.nextInt(KEYS)), (key, has) -> has.divide(valueOf(20)));
      }
      blocks.add(new Accounts(nonce, left, balances, Set.of()));
      newestFinal = Math.max(newestFinal, blocks.size() - 1 - confirmations);
    }

    private void reorganise() {
      int least = newestFinal + 1 + random.nextInt(confirmations + 1);
      while (blocks.size() > least) {
        blocks.removeLast();
      }
    }
  }

  /** FND-6. */
  @Test
  void whatAKeySendsAlongIsNoMoneyForGas() {
    send(1, 500, 5_000, false);
    seen(7, PLENTY, 5_000 + LOW - 1);

    assertThat(paid())
        .containsExactly(new GasTransfer(7, address(1), valueOf(FULL - LOW + 1), Fees.flat(1)));
  }

  /** FND-6: whoever sends it along has it on the key. */
  @Test
  void whatAKeySendsAlongIsNeverToppedUp() {
    send(1, 500, 5_000, true);
    seen(7, PLENTY, 4_999);

    assertThat(paid()).isEmpty();
    assertThat(report().status()).isEqualTo(Status.WAITS_FOR_GAS_MONEY);
    assertThat(report().sentence())
        .isEqualTo(
            "The transactions of 1 key wait for the money that they send along, which nobody tops up."
                + " Send money to "
                + address(1)
                + ".");

    seen(7, PLENTY, 5_000);
    assertThat(paid()).extracting(GasTransfer::amount).containsExactly(valueOf(FULL));
    seen(8, PLENTY, 5_000 + FULL);
    assertThat(report().status()).isEqualTo(Status.ENOUGH);
  }

  /** FND-4: nobody is to send money for that. */
  @Test
  void feesAboveWhatTheNodePaysAreToldAsWhatTheyAre() {
    tell(
        new Input.Used(
            new KeyUse(
                address(1),
                valueOf(500),
                BigInteger.ZERO,
                false,
                false,
                AboveCeiling.TRANSACTIONS,
                false)));
    seen(7, PLENTY, FULL);

    assertThat(report().status()).isEqualTo(Status.FEES_TOO_HIGH);
    assertThat(report().sentence())
        .startsWith("The chain asks for higher fees than ledger.gas.max-fee (")
        .contains("the transactions of 1 key wait. Raise them")
        .doesNotContain("money");

    tell(
        new Input.Used(
            new KeyUse(
                address(1),
                valueOf(500),
                BigInteger.ZERO,
                false,
                false,
                AboveCeiling.REPLACEMENTS,
                false)));
    seen(7, PLENTY, FULL);
    assertThat(report().status()).isEqualTo(Status.FEES_TOO_HIGH);
    assertThat(report().sentence())
        .startsWith("A pool has the transactions of 1 key and no block takes them, and to replace")
        .contains("ledger.gas.max-fee (");

    tell(new Input.Used(used(1, 500, false)));
    seen(7, PLENTY, FULL);
    assertThat(report().status()).isEqualTo(Status.ENOUGH);
  }

  /** PUB-7: what waits without a nonce keeps nothing from what goes on. */
  @Test
  void whatLacksWhatItSendsAlongIsToldOfAndTheOthersOfTheKeyAreToppedUp() {
    tell(
        new Input.Used(
            new KeyUse(
                address(1), valueOf(500), valueOf(0), true, true, AboveCeiling.NOTHING, false)));
    seen(7, PLENTY, 499);

    assertThat(paid()).extracting(GasTransfer::to).containsExactly(address(1));
    assertThat(report().status()).isEqualTo(Status.WAITS_FOR_GAS_MONEY);
    assertThat(report().sentence()).startsWith("The transactions of 1 key wait for the money that");

    tell(new Input.Used(used(1, 0, false)));
    assertThat(last).as("at once").contains(new Effect.Look(List.of(address(1)), List.of()));
    seen(8, PLENTY, FULL);
    assertThat(report().status()).isEqualTo(Status.ENOUGH);
  }

  /** A transfer to another key is nothing to one that waits for what it sends along. */
  @Test
  void whoWaitsForWhatItSendsAlongIsToldOfWhileOthersAreToppedUp() {
    send(1, 500, 5_000, true);
    use(2, 500, true);
    seen(7, PLENTY, 0, 0);

    assertThat(paid()).extracting(GasTransfer::to).containsExactly(address(2));
    assertThat(report().status()).isEqualTo(Status.WAITS_FOR_GAS_MONEY);
    assertThat(report().sentence()).contains(address(1).value()).doesNotContain(PAYER.value());
  }

  @Test
  void aKeyIsToppedUpToNoLessThanItShouldHave() {
    assertThatThrownBy(
            () ->
                new FundingSettings(
                    true, valueOf(2), valueOf(1), valueOf(0), Duration.ofSeconds(10)))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(
            new FundingSettings(true, valueOf(2), valueOf(2), valueOf(0), Duration.ofSeconds(10))
                .full())
        .isEqualTo(2);
  }

  @Test
  void ofAKeyIsKnownWhatItHadAndWhatItNeeds() {
    var funding =
        new Funding(
            new FundingSettings(
                true, valueOf(LOW), valueOf(FULL), valueOf(0), Duration.ofSeconds(10)),
            PAYER,
            GAS);
    assertThat(funding.of(keeper.state(), address(1)))
        .isEqualTo(new Funding.OfKey(Optional.empty(), valueOf(0), false, GasReport.NONE));

    use(1, 500, true);
    assertThat(funding.of(keeper.state(), address(1)))
        .isEqualTo(new Funding.OfKey(Optional.empty(), valueOf(500), true, GasReport.NONE));

    seen(7, PLENTY, 20);
    var first = funding.of(keeper.state(), address(1));
    assertThat(first.balance()).contains(valueOf(20));
    assertThat(first.needs()).isEqualTo(500);
    assertThat(first.waits()).isTrue();
    var other = funding.of(keeper.state(), address(2));
    assertThat(other.balance()).isEmpty();
    assertThat(other.needs()).isZero();
    assertThat(other.waits()).isFalse();
  }

  /** Who asks about one key was told that another one waits for money. */
  @Test
  void ofAKeyIsSaidWhatGoesForItAlone() {
    var settings =
        new FundingSettings(false, valueOf(LOW), valueOf(FULL), valueOf(0), Duration.ofSeconds(10));
    var funding = new Funding(settings, PAYER, GAS);
    var alone = keeper(false);
    tell(alone, new Input.Used(used(1, 500, true)));
    tell(alone, new Input.Used(used(2, 500, false)));
    seen(alone, 0, 0, 20, FULL);

    var poor = funding.of(alone.state(), address(1)).report();
    var rich = funding.of(alone.state(), address(2)).report();

    assertThat(poor.status()).isEqualTo(Status.WAITS_FOR_GAS_MONEY);
    assertThat(poor.sentence()).contains(address(1).value());
    assertThat(rich.status()).isEqualTo(Status.ENOUGH);
    assertThat(rich.sentence()).isEmpty();
    assertThat(funding.of(alone.state(), address(3)).report().status()).isEqualTo(Status.ENOUGH);
  }

  @Test
  void theLedgerIsAskedAgainAfterAsLongAsTheSettingsSay() {
    use(1, 500, false);
    seen(7, PLENTY, FULL);

    later(Duration.ofSeconds(10).minusMillis(1));
    assertThat(last).isEmpty();
    later(Duration.ofMillis(1));
    assertThat(last).containsExactly(new Effect.Look(List.of(address(1)), List.of()));
    later(Duration.ofSeconds(10));
    assertThat(last).as("it has not answered").isEmpty();

    tell(new Input.NotSeen());
    later(Duration.ZERO);
    assertThat(last).hasSize(1);
  }

  @Test
  void whoBeginsToWaitIsLookedAtAtOnceAndNotAgainWhileItWaits() {
    use(1, 500, false);
    seen(7, PLENTY, FULL);
    use(1, 500, false);
    assertThat(last).isEmpty();

    use(1, 2 * FULL, true);
    assertThat(last).containsExactly(new Effect.Look(List.of(address(1)), List.of()));
    seen(7, 0, FULL);
    use(1, 2 * FULL, true);
    assertThat(last).isEmpty();
  }

  /** It pays for this one use, so that a second sign of it does not say that the money has come. */
  @Test
  void aKeyThatPaysOnceWaitsUntilTheLedgerShowsTheMoney() {
    tell(new Input.Used(usedOnce(1, 300, true)));
    tell(new Input.Used(usedOnce(1, 300, false)));
    seen(7, 0, 299);
    assertThat(report().waiting()).isOne();

    later(Duration.ofSeconds(10));
    seen(7, 0, 300);
    assertThat(report().waiting()).isZero();
    tell(new Input.Used(usedOnce(1, 300, false)));
    later(Duration.ofSeconds(10));
    seen(7, 0, 0);
    assertThat(report().waiting()).isZero();
  }

  @Test
  void aKeyThatPaysAgainAndAgainWaitsNoLongerThanItsNewestUseSays() {
    use(1, 500, true);
    use(1, 500, false);
    seen(7, 0, 0);

    assertThat(report().waiting()).isZero();
  }

  @Test
  void ofTwoKeysThatHaveTheSameTheOneWithTheLowerAddressIsFirst() {
    for (int key = 9; key > 0; key--) {
      use(key, 500, false);
    }
    seen(0, PLENTY, 10, 10, 10, 10, 10, 10, 10, 10, 10);

    assertThat(paid()).extracting(GasTransfer::to).containsExactly(address(1));
  }

  @Test
  void whatNoPoolAnsweredIsOfferedAgainAtTheNextLook() {
    use(1, 500, false);
    seen(4, PLENTY, 0);
    var first = paid();
    later(Duration.ofSeconds(10));
    seen(4, PLENTY, 0);
    assertThat(paid()).as("it is underway").isEmpty();

    tell(new Input.NotAnswered(first.getFirst()));
    later(Duration.ofSeconds(10));
    seen(4, PLENTY, 0);

    assertThat(paid()).isEqualTo(first);
  }

  @Test
  void aTransferThatThePoolRefusedIsDecidedAnew() {
    for (var refusal :
        List.of(
            new SubmitOutcome.InsufficientFunds(HASH), new SubmitOutcome.Invalid(HASH, "none"))) {
      use(1, 500, false);
      seen(4, PLENTY, 0);
      answered(refusal);
      later(Duration.ofSeconds(10));
      seen(4, PLENTY, 300);

      assertThat(paid()).extracting(GasTransfer::amount).containsExactly(valueOf(FULL - 300));
      answered(refusal);
      later(Duration.ofSeconds(10));
      seen(4, PLENTY, FULL);
    }
  }

  /** Such as one whose fees are above what a node passes on: every look would try it again. */
  @Test
  void aTransferThatNoPoolTakesIsNotOnItsWay() {
    use(1, 500, true);
    seen(4, PLENTY, 0);
    assertThat(report().status()).as("it is on its way").isEqualTo(Status.ENOUGH);
    answered(new SubmitOutcome.Invalid(HASH, "none of yours"));
    assertThat(report().status()).isEqualTo(Status.WAITS_FOR_GAS_MONEY);
    assertThat(report().sentence()).contains(PAYER.value()).endsWith("none of yours");
    assertThat(last).contains(new Effect.Tell(report()));

    later(Duration.ofSeconds(10));
    seen(4, PLENTY, 0);
    assertThat(paid()).hasSize(1);
    assertThat(report().status()).as("tried again").isEqualTo(Status.WAITS_FOR_GAS_MONEY);

    answered(new SubmitOutcome.Pooled(HASH));
    later(Duration.ofSeconds(10));
    seen(4, PLENTY, 0);
    assertThat(report().status()).isEqualTo(Status.ENOUGH);
  }

  @Test
  void aKeyThatIsLowIsToldOfWhileTheAccountCannotPayInTheNewestBlock() {
    use(1, 500, false);
    seen(4, PLENTY, 0);
    answered(new SubmitOutcome.InsufficientFunds(HASH));
    assertThat(report().status()).isEqualTo(Status.RUNS_OUT);

    later(Duration.ofSeconds(10));
    seen(4, PLENTY, FULL);
    assertThat(report().status()).isEqualTo(Status.ENOUGH);
  }

  @Test
  void aTransferThatAChainAsksMoreForThanTheCeilingIsNotOnItsWay() {
    use(1, 500, true);
    seen(4, PLENTY, 0);
    answered(new SubmitOutcome.Underpriced(HASH, Fees.flat(3)));
    assertThat(report().status()).isEqualTo(Status.ENOUGH);

    later(Duration.ofSeconds(10));
    seen(4, PLENTY, 0);
    answered(new SubmitOutcome.Underpriced(HASH, Fees.flat(4)));
    assertThat(report().status()).isEqualTo(Status.FEES_TOO_HIGH);
    assertThat(report().sentence())
        .contains("ledger.gas.max-fee", "the transfer from the funding account waits")
        .doesNotContain("Send money");

    later(Duration.ofSeconds(10));
    seen(5, PLENTY, FULL);
    assertThat(report().status()).as("a block has it all the same").isEqualTo(Status.ENOUGH);
  }

  /** A block that was final was replaced, and what it held is in no pool any more. */
  @Test
  void aTransferWhoseNonceIsAheadOfTheAccountsIsGivenUpSoThatAnotherGoesBeforeIt() {
    use(1, 500, false);
    use(2, 500, false);
    seen(4, PLENTY, 0, 0);
    answered(new SubmitOutcome.Pooled(HASH));
    later(Duration.ofSeconds(10));
    seen(5, PLENTY, FULL, 0);
    assertThat(paid()).extracting(GasTransfer::nonce).containsExactly(5L);
    answered(new SubmitOutcome.Pooled(HASH));

    later(Duration.ofSeconds(10));
    seen(4, PLENTY, 0, 0);

    assertThat(paid()).extracting(GasTransfer::nonce).containsExactly(4L);
    assertThat(last).doesNotContain(new Effect.CountTopUp());
  }

  /** The pool may answer after a block has it, and the next one was sent (FND-3). */
  @Test
  void whatIsSaidOfATransferThatABlockHasIsNotSaidOfTheNext() {
    use(1, 500, true);
    use(2, 500, true);
    seen(4, PLENTY, 0, 0);
    var first = paid().getFirst();
    later(Duration.ofSeconds(10));
    seen(5, PLENTY, FULL, 0);
    var second = paid();
    assertThat(second).extracting(GasTransfer::nonce).containsExactly(5L);

    tell(new Input.Answered(first, new SubmitOutcome.Invalid(HASH, "its nonce is used")));
    tell(new Input.NotAnswered(first));

    assertThat(report().status()).as("the second one is on its way").isEqualTo(Status.ENOUGH);
    later(Duration.ofSeconds(10));
    seen(5, PLENTY, FULL, 0);
    assertThat(paid()).as("nobody has answered it").isEmpty();
    tell(new Input.Answered(second.getFirst(), new SubmitOutcome.PoolFull(HASH)));
    later(Duration.ofSeconds(10));
    seen(5, PLENTY, FULL, 0);
    assertThat(paid()).isEqualTo(second);
  }

  /** Each answer is to one offer: whoever answers twice is not asked twice. */
  @Test
  void aSecondAnswerToOneOfferChangesNothing() {
    use(1, 500, true);
    seen(4, PLENTY, 0);
    answered(new SubmitOutcome.Pooled(HASH));
    answered(new SubmitOutcome.Invalid(HASH, "known already"));

    assertThat(report().status()).isEqualTo(Status.ENOUGH);
    later(Duration.ofSeconds(10));
    seen(4, PLENTY, 0);
    assertThat(paid()).as("the very same").hasSize(1);
  }

  /** A block that was final was replaced before the pool had answered. */
  @Test
  void aTransferAheadOfTheAccountIsGivenUpAlsoBeforeThePoolHasAnswered() {
    use(1, 500, false);
    seen(5, PLENTY, 0);
    assertThat(paid()).hasSize(1);

    later(Duration.ofSeconds(10));
    seen(4, PLENTY, 0);

    assertThat(paid()).extracting(GasTransfer::nonce).containsExactly(4L);
  }

  @Test
  void noPoolIsOfferedMoreThanTheCeiling() {
    use(1, 500, false);
    seen(4, PLENTY, 0);
    answered(new SubmitOutcome.Underpriced(HASH, Fees.flat(4)));
    later(Duration.ofSeconds(10));
    seen(4, PLENTY, 0);

    assertThat(paid()).extracting(GasTransfer::fees).containsExactly(Fees.flat(1));
  }

  @Test
  void anAccountThatHasLessThanAKeyWillNeedRunsOut() {
    use(1, 2 * PLENTY, false);
    seen(4, PLENTY, LOW);

    assertThat(report().status()).isEqualTo(Status.RUNS_OUT);
    assertThat(report().low()).isOne();

    later(Duration.ofSeconds(10));
    seen(4, 3 * PLENTY, LOW);
    assertThat(paid()).isNotEmpty();
    assertThat(report().status()).as("it is on its way").isEqualTo(Status.ENOUGH);
  }

  @Test
  void theOperatorIsToldOfTheFirstThreeKeysByName() {
    var byHand = keeper(false);
    for (int key = 4; key > 0; key--) {
      tell(byHand, new Input.Used(used(key, 500, false)));
    }
    seen(byHand, 0, 0, FULL, 0, 0, 0);
    assertThat(byHand.state().report().sentence())
        .isEqualTo(
            "The money for gas of 3 keys runs out. Send money to %s, %s, %s."
                .formatted(address(2), address(3), address(4)));

    later(byHand, Duration.ofSeconds(10));
    seen(byHand, 0, 0, 0, 0, 0, 0);
    assertThat(byHand.state().report().sentence())
        .isEqualTo(
            "The money for gas of 4 keys runs out. Send money to %s, %s, %s and 1 more."
                .formatted(address(1), address(2), address(3)));
    assertThat(byHand.state().report().payer()).isEmpty();
  }

  @Test
  void whatIsReportedIsToldOnce() {
    use(1, 500, true);
    seen(4, 0, 0);
    assertThat(last).contains(new Effect.Tell(report()));

    later(Duration.ofSeconds(10));
    seen(4, 0, 0);
    assertThat(last).isEmpty();
  }
}
