package dev.sequitur.protocol.errand;

import static java.math.BigInteger.ONE;
import static java.math.BigInteger.TEN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.funding.Funding.Effect;
import dev.sequitur.protocol.funding.Funding.Input;
import dev.sequitur.protocol.funding.FundingSettings;
import dev.sequitur.protocol.funding.GasReport;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.GasMoney;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** Which question to the ledger an effect is, and as what its answer comes back (FND-3, FND-7). */
class FundingErrandsTest {
  private static final LedgerAddress ACCOUNT = new LedgerAddress("0x" + "aa".repeat(20));
  private static final LedgerAddress KEY = new LedgerAddress("0x" + "bb".repeat(20));
  private static final GasTransfer TRANSFER = new GasTransfer(7, KEY, TEN, Fees.flat(1));
  private static final TransactionHash HASH = new TransactionHash(new Hash(1, 2, 3, 4));
  private static final GasMoney.Accounts SEEN =
      new GasMoney.Accounts(7, TEN, Map.of(KEY, ONE), Set.of());
  private static final int CONFIRMATIONS = 3;

  private static final Executor NOBODY =
      work -> {
        throw new AssertionError("It is not to be done here.");
      };

  private final Money money = new Money();
  private final List<String> told = new ArrayList<>();
  private final List<Input> answers = new ArrayList<>();

  private static final class Money implements GasMoney {
    private final CompletableFuture<Accounts> accounts = new CompletableFuture<>();
    private final CompletableFuture<SubmitOutcome> outcome = new CompletableFuture<>();
    private final List<Object> asked = new ArrayList<>();

    @Override
    public CompletionStage<Accounts> accounts(
        Optional<LedgerAddress> payer,
        List<LedgerAddress> keys,
        List<LedgerAddress> once,
        int confirmations) {
      asked.addAll(List.of(payer, keys, once, confirmations));
      return accounts;
    }

    @Override
    public CompletionStage<SubmitOutcome> transfer(GasTransfer transfer, Signer payer) {
      asked.add(transfer);
      return outcome;
    }
  }

  private final class Told implements FundingErrands.Edge {
    @Override
    public void answer(Input input) {
      answers.add(input);
    }

    @Override
    public void failed(Throwable why, Input input) {
      told.add("failed");
      answers.add(input);
    }

    @Override
    public void toppedUp() {
      told.add("topped up");
    }

    @Override
    public void tell(GasReport report) {
      told.add(report.status().name());
    }

    @Override
    public void refused(String reason) {
      told.add(reason);
    }
  }

  private FundingErrands errands(boolean fromAccount) {
    var settings = new FundingSettings(fromAccount, ONE, TEN, ONE, Duration.ofSeconds(10));
    var signer =
        new Signer(new Verifier(Bytes.hex("0x02" + "01".repeat(32))), digest -> Bytes.EMPTY);
    return new FundingErrands(
        money, settings, signer, ACCOUNT, CONFIRMATIONS, Runnable::run, NOBODY, new Told());
  }

  /** Who waits for a signature from elsewhere would hold up what is computed. */
  @Test
  void anAccountWhoseKeyIsElsewherePaysWhereItMayWait() {
    var settings = new FundingSettings(true, ONE, TEN, ONE, Duration.ofSeconds(10));
    var signer =
        new Signer(
            new Verifier(Bytes.hex("0x02" + "01".repeat(32))),
            digest -> Bytes.EMPTY,
            Optional.of(message -> Bytes.EMPTY));

    new FundingErrands(
            money, settings, signer, ACCOUNT, CONFIRMATIONS, NOBODY, Runnable::run, new Told())
        .run(new Effect.Pay(TRANSFER));

    assertThat(money.asked).containsExactly(TRANSFER);
  }

  @Test
  void accountsAreLookedAtInFinalBlocksAndTheFundingAccountOnlyIfItPays() {
    errands(true).run(new Effect.Look(List.of(KEY), List.of()));
    errands(false).run(new Effect.Look(List.of(KEY), List.of(KEY)));
    money.accounts.complete(SEEN);

    assertThat(money.asked)
        .containsExactly(
            Optional.of(ACCOUNT),
            List.of(KEY),
            List.of(),
            CONFIRMATIONS,
            Optional.empty(),
            List.of(KEY),
            List.of(KEY),
            CONFIRMATIONS);
    assertThat(answers).containsExactly(new Input.Seen(SEEN), new Input.Seen(SEEN));
  }

  @Test
  void whatThePoolSaysNamesTheTransferAndWhyItIsRefusedIsTold() {
    errands(true).run(new Effect.Pay(TRANSFER));
    var refused = new SubmitOutcome.Invalid(HASH, "none of yours");
    money.outcome.complete(refused);

    assertThat(answers).containsExactly(new Input.Answered(TRANSFER, refused));
    assertThat(told).containsExactly("none of yours");
  }

  @Test
  void whoCannotBeAskedIsToldOfAndTheMachineAsksAgain() {
    errands(true).run(new Effect.Look(List.of(KEY), List.of()));
    errands(true).run(new Effect.Pay(TRANSFER));
    money.accounts.completeExceptionally(new IllegalStateException("away"));
    money.outcome.completeExceptionally(new IllegalStateException("away"));

    assertThat(answers).containsExactly(new Input.NotSeen(), new Input.NotAnswered(TRANSFER));
    assertThat(told).containsExactly("failed", "failed");
  }

  @Test
  void whatTheOperatorIsToldAndWhatIsCountedGoesOn() {
    errands(true).run(new Effect.CountTopUp());
    errands(true).run(new Effect.Tell(GasReport.NONE));

    assertThat(told).containsExactly("topped up", "ENOUGH");
  }
}
