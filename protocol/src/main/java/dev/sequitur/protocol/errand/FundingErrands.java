package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.funding.Funding;
import dev.sequitur.protocol.funding.FundingSettings;
import dev.sequitur.protocol.funding.GasReport;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.ledger.Signer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.GasMoney;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** What whoever sees to the money for gas has done by the base ledger. */
public final class FundingErrands {
  private final GasMoney money;
  private final Signer payer;
  private final Optional<LedgerAddress> account;
  private final int confirmations;
  private final Executor signing;
  private final Edge edge;

  /** Who is told of it. Thread-safe. */
  public interface Edge {
    /** The machine itself; an answer to it is lost with its life. */
    void answer(Funding.Input input);

    /** The same, and the ledger could not be asked. */
    void failed(Throwable why, Funding.Input input);

    /** A final block has a transfer. */
    void toppedUp();

    /** How the node stands with the money for gas now. */
    void tell(GasReport report);

    /** The chain takes a transfer at no fees. */
    void refused(String reason);
  }

  /**
   * @param payer signs as {@code address}
   * @param computing signs, which takes milliseconds, if the payer's key is here
   * @param waiting does if it is elsewhere, and waits for it
   */
  public FundingErrands(
      GasMoney money,
      FundingSettings settings,
      Signer payer,
      LedgerAddress address,
      int confirmations,
      Executor computing,
      Executor waiting,
      Edge edge) {
    this.money = money;
    this.payer = payer;
    this.account = settings.fromAccount() ? Optional.of(address) : Optional.empty();
    this.confirmations = confirmations;
    this.signing = payer.isHere() ? computing : waiting;
    this.edge = edge;
  }

  public void run(Funding.Effect effect) {
    switch (effect) {
      case Funding.Effect.Look(var keys, var once) -> look(keys, once);
      case Funding.Effect.Pay(var transfer) -> pay(transfer);
      case Funding.Effect.CountTopUp() -> edge.toppedUp();
      case Funding.Effect.Tell(var report) -> edge.tell(report);
    }
  }

  private void look(List<LedgerAddress> keys, List<LedgerAddress> once) {
    var unused =
        money
            .accounts(account, keys, once, confirmations)
            .whenComplete(
                (accounts, failure) -> {
                  if (failure == null) {
                    edge.answer(new Funding.Input.Seen(accounts));
                  } else {
                    edge.failed(failure, new Funding.Input.NotSeen());
                  }
                });
  }

  private void pay(GasTransfer transfer) {
    var unused =
        CompletableFuture.supplyAsync(() -> money.transfer(transfer, payer), signing)
            .thenCompose(outcome -> outcome)
            .whenComplete(
                (outcome, failure) -> {
                  if (failure == null) {
                    edge.answer(new Funding.Input.Answered(transfer, outcome));
                  } else {
                    edge.failed(failure, new Funding.Input.NotAnswered(transfer));
                  }
                  if (outcome instanceof SubmitOutcome.Invalid invalid) {
                    edge.refused(invalid.reason());
                  }
                });
  }
}
