package dev.sequitur.protocol.funding;

import dev.sequitur.protocol.funding.FundingState.Facts;
import dev.sequitur.protocol.funding.FundingState.Offer;
import dev.sequitur.protocol.funding.FundingState.Watched;
import dev.sequitur.protocol.funding.FundingTable.Action;
import dev.sequitur.protocol.funding.FundingTable.TransferEvent;
import dev.sequitur.protocol.funding.FundingTable.TransferState;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.AboveCeiling;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.port.GasMoney.Accounts;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Sees to the money that the node's keys pay for gas with (FND-1 to FND-4). Keys that are used are
 * watched; one that has too little gets money from the funding account, in one transfer at a time.
 *
 * <p>Nothing outlives a life, and still no key is topped up twice for one need. A transfer is
 * decided upon one final block, which tells the account's nonce and what the key has. It takes that
 * nonce, and no other is decided before a final block has used it. So of all transfers that were
 * ever decided at that nonce, by this life or an earlier one, the ledger takes one; and whoever
 * decides the next one sees its money.
 */
public final class Funding {
  /** A key that has not been used for so long is not watched any more. */
  static final Duration WATCHED = Duration.ofHours(1);

  private final FundingSettings settings;
  private final Optional<LedgerAddress> payer;
  private final Gas gas;
  private final GasReporting reporting;

  /** What the rules are told. */
  public sealed interface Input {
    record Tick() implements Input {}

    record Used(KeyUse use) implements Input {}

    record Seen(Accounts accounts) implements Input {}

    record NotSeen() implements Input {}

    /** What the pool said to a transfer. */
    record Answered(GasTransfer transfer, SubmitOutcome outcome) implements Input {}

    /** Nobody has said anything to it. */
    record NotAnswered(GasTransfer transfer) implements Input {}
  }

  /** What is to be done. */
  public sealed interface Effect {
    /**
     * Look at these and the funding account: answered by Seen or NotSeen.
     *
     * @param once of them, those that pay only once
     */
    record Look(List<LedgerAddress> keys, List<LedgerAddress> once) implements Effect {}

    /** Sign and submit: answered by Answered or NotAnswered. */
    record Pay(GasTransfer transfer) implements Effect {}

    /** A final block has the transfer. */
    record CountTopUp() implements Effect {}

    /** The report has changed. */
    record Tell(GasReport report) implements Effect {}
  }

  /**
   * What is known of one key.
   *
   * @param balance if it was looked at
   * @param needs for what it submitted last
   * @param report how the node stands with the money of this key alone
   */
  public record OfKey(
      Optional<BigInteger> balance, BigInteger needs, boolean waits, GasReport report) {}

  /**
   * @param account tops up the keys, if the settings say that one does
   * @param gas what transfers offer
   */
  public Funding(FundingSettings settings, LedgerAddress account, Gas gas) {
    this.settings = settings;
    this.payer = settings.fromAccount() ? Optional.of(account) : Optional.empty();
    this.gas = gas;
    this.reporting = new GasReporting(settings, payer, gas.ceiling());
  }

  public Machine<Input, FundingState, Void, Effect> machine() {
    return Machine.storingNothing(FundingState.initial(), this::decide, new Input.Tick());
  }

  public OfKey of(FundingState state, LedgerAddress key) {
    var facts = state.facts();
    var use =
        Optional.ofNullable(facts.watched().get(key))
            .map(Watched::use)
            .orElse(
                new KeyUse(
                    key,
                    BigInteger.ZERO,
                    BigInteger.ZERO,
                    false,
                    false,
                    AboveCeiling.NOTHING,
                    false));
    return new OfKey(
        facts.accounts().map(accounts -> accounts.balances().get(key)),
        use.needs(),
        use.waits(),
        facts
            .accounts()
            .map(
                accounts ->
                    reporting.of(
                        state,
                        accounts,
                        facts.watched().containsKey(key) ? List.of(use) : List.of()))
            .orElse(GasReport.NONE));
  }

  Decision<FundingState, Void, Effect> decide(FundingState state, Input input, Instant now) {
    var step = Step.<FundingState, Effect>storingNothing(state, now);
    switch (input) {
      case Input.Tick ignored -> onTick(step);
      case Input.Used(var use) -> onUsed(step, use);
      case Input.Seen(var accounts) -> onSeen(step, accounts);
      case Input.NotSeen ignored -> step.become(state.with(state.working().withLooking(false)));
      case Input.Answered(var transfer, var outcome) ->
          offered(state, transfer).ifPresent(offer -> onAnswered(step, offer, outcome));
      case Input.NotAnswered(var transfer) ->
          offered(state, transfer)
              .ifPresent(offer -> move(step, TransferEvent.NOT_POOLED, offer, ""));
    }
    return step.finish();
  }

  /** What is said of another transfer comes too late: a final block has told more. */
  private static Optional<Offer> offered(FundingState state, GasTransfer transfer) {
    return state.working().offer().filter(offer -> offer.transfer().equals(transfer));
  }

  /** Who needs money now is looked at now, if it is not being looked at (FND-1). */
  private void onUsed(Step<FundingState, Void, Effect> step, KeyUse use) {
    var watched = step.state().facts().watched();
    var before = watched.get(use.key());
    boolean waits = use.waits() || (use.once() && before != null && before.use().waits());
    var now =
        new KeyUse(
            use.key(), use.needs(), use.sends(), waits, use.lacks(), use.above(), use.once());
    step.become(step.state().withWatched(watched.plus(use.key(), new Watched(now, step.now()))));
    boolean begins = before == null || (use.waits() && !before.use().waits());
    if (begins || use.lacks() != before.use().lacks() || use.above() != before.use().above()) {
      look(step);
    }
  }

  private void onTick(Step<FundingState, Void, Effect> step) {
    if (!step.state().working().lookedAt().plus(settings.lookEvery()).isAfter(step.now())) {
      look(step);
    }
  }

  private static void look(Step<FundingState, Void, Effect> step) {
    var state = step.state();
    if (state.working().looking()) {
      return;
    }
    var watched = state.facts().watched();
    for (var each : state.facts().watched().values()) {
      if (each.at().plus(WATCHED).isBefore(step.now())) {
        watched = watched.minus(each.use().key());
      }
    }
    step.become(
        state
            .withWatched(watched)
            .with(state.working().with().looking(true).lookedAt(step.now()).build()));
    var once = step.state().uses().filter(KeyUse::once).map(KeyUse::key).toList();
    step.effect(new Effect.Look(List.copyOf(watched.keySet()), once));
  }

  private void onSeen(Step<FundingState, Void, Effect> step, Accounts accounts) {
    var watched = step.state().facts().watched().minusAll(accounts.used());
    step.become(
        step.state()
            .with(new Facts(watched, Optional.of(accounts)))
            .with(step.state().working().withLooking(false)));
    funded(step, accounts);
    step.state().working().offer().ifPresent(offer -> onNonce(step, offer, accounts));
    if (step.state().working().transfer() == TransferState.NONE) {
      next(step, accounts)
          .ifPresent(
              transfer -> move(step, TransferEvent.NEEDED, new Offer(transfer, step.now()), ""));
    }
    tell(step, accounts);
    if (!accounts.balances().keySet().containsAll(step.state().facts().watched().keySet())) {
      // Somebody has begun to use a key while the ledger was asked.
      look(step);
    }
  }

  /**
   * A block that was final may have been replaced, and a pool may have lost what was in it: no
   * block takes this one before another one has the nonce before it (FND-3).
   */
  private void onNonce(Step<FundingState, Void, Effect> step, Offer offer, Accounts accounts) {
    long nonce = offer.transfer().nonce();
    if (nonce < accounts.payerNonce()) {
      move(step, TransferEvent.USED, offer, "");
    } else if (nonce > accounts.payerNonce()) {
      move(step, TransferEvent.AHEAD, offer, "");
    } else if (offer.since().plus(gas.overdueAfter()).isAfter(step.now())) {
      move(step, TransferEvent.UNUSED, offer, "");
    } else {
      move(step, TransferEvent.OVERDUE, at(step, offer, more(step, offer)), "");
    }
  }

  /** Whoever has the money does not wait for it. */
  private static void funded(Step<FundingState, Void, Effect> step, Accounts accounts) {
    var watched = step.state().facts().watched();
    for (var each : step.state().facts().watched().values()) {
      var use = each.use();
      if (use.waits() && !use.hasLess(accounts, use.needs())) {
        watched = watched.plus(use.key(), new Watched(use.funded(), each.at()));
      }
    }
    step.become(step.state().withWatched(watched));
  }

  /**
   * @param offer as it is from now on, unless the row forgets it
   * @param why no pool takes it, for a row that remembers it
   */
  private static void move(
      Step<FundingState, Void, Effect> step, TransferEvent event, Offer offer, String why) {
    FundingTable.TRANSFER.move(
        step.state().working().transfer(),
        event,
        offer,
        (next, action) -> {
          var before = step.state().working().withTransfer(next);
          var without = before.withOffer(Optional.empty());
          step.become(
              step.state()
                  .with(
                      switch (action) {
                        case NOTHING -> before;
                        case PAY, RAISE -> before.withOffer(Optional.of(offer));
                        case BELIEVE -> before.withRefusal(Optional.empty());
                        case BLAME -> before.withRefusal(Optional.of(why));
                        case FORGET -> without;
                        case GIVE_UP -> without.withRefusal(Optional.of(why));
                        case COUNT -> without.withRefusal(Optional.empty());
                      }));
          if (action == Action.PAY) {
            step.effect(new Effect.Pay(offer.transfer()));
          } else if (action == Action.COUNT) {
            step.effect(new Effect.CountTopUp());
          }
          return next;
        });
  }

  /** Who waits is first, then who has least (FND-2). */
  private Optional<GasTransfer> next(Step<FundingState, Void, Effect> step, Accounts accounts) {
    if (payer.isEmpty()) {
      return Optional.empty();
    }
    return step.state()
        .uses()
        .filter(
            use -> !use.lacksWhatItSends(accounts) && use.hasLess(accounts, settings.least(use)))
        .sorted(
            Comparator.<KeyUse, Boolean>comparing(use -> !use.waits())
                .thenComparing(use -> use.has(accounts))
                .thenComparing(use -> use.key().value()))
        .flatMap(use -> transfer(accounts, use).stream())
        .findFirst();
  }

  /** As much as there is, if it is enough for what the key should have at least. */
  private Optional<GasTransfer> transfer(Accounts accounts, KeyUse use) {
    var fees = gas.first(accounts.baseFee());
    var there = accounts.payerBalance().subtract(gas.ceiling().cost(GasTransfer.GAS));
    var amount = there.min(settings.most(use).subtract(use.has(accounts)));
    return use.has(accounts).add(amount).compareTo(settings.least(use)) >= 0
        ? Optional.of(new GasTransfer(accounts.payerNonce(), use.key(), amount, fees))
        : Optional.empty();
  }

  /**
   * It is tried again at the next look; a chain that asks for more is offered more then. As long as
   * no pool takes it, nothing is on its way (FND-4).
   */
  private void onAnswered(
      Step<FundingState, Void, Effect> step, Offer offer, SubmitOutcome outcome) {
    switch (outcome) {
      case SubmitOutcome.Underpriced(var hash, var needed) -> {
        var fees = more(step, offer).orMore(needed);
        if (gas.ceiling().cover(fees)) {
          move(step, TransferEvent.UNDERPRICED, at(step, offer, fees), "");
        } else {
          move(step, TransferEvent.TOO_DEAR, offer, GasReporting.TOO_DEAR);
        }
      }
      case SubmitOutcome.InsufficientFunds ignored ->
          move(step, TransferEvent.REFUSED, offer, "the account has less in the newest block");
      case SubmitOutcome.Invalid(var hash, var reason) ->
          move(step, TransferEvent.REFUSED, offer, reason);
      // A final block tells what has become of it.
      case SubmitOutcome.Pooled ignored -> move(step, TransferEvent.POOLED, offer, "");
      case SubmitOutcome.NonceTooLow ignored -> move(step, TransferEvent.POOLED, offer, "");
      case SubmitOutcome.PoolFull ignored -> move(step, TransferEvent.NOT_POOLED, offer, "");
    }
    if (step.state().working().refusal().isPresent()) {
      step.state().facts().accounts().ifPresent(accounts -> tell(step, accounts));
    }
  }

  private static Offer at(Step<FundingState, Void, Effect> step, Offer offer, Fees fees) {
    return new Offer(offer.transfer().with(fees), step.now());
  }

  private Fees more(Step<FundingState, Void, Effect> step, Offer offer) {
    long baseFee = step.state().facts().accounts().map(Accounts::baseFee).orElse(0L);
    return gas.more(offer.transfer().fees(), baseFee);
  }

  private void tell(Step<FundingState, Void, Effect> step, Accounts accounts) {
    var report = reporting.of(step.state(), accounts, step.state().uses().toList());
    if (!report.equals(step.state().report())) {
      step.become(step.state().with(step.state().working().withReport(report)));
      step.effect(new Effect.Tell(report));
    }
  }
}
