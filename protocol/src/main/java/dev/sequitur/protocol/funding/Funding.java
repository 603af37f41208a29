package dev.sequitur.protocol.funding;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.funding.Funding.GasReport.Status;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.machine.Step;
import dev.sequitur.protocol.port.GasMoney.Accounts;
import dev.sequitur.protocol.submitter.SubmitterSetup.Gas;
import dev.sequitur.protocol.trie.HashTrie;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.pcollections.PMap;

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

  /** Keys named in a sentence. */
  private static final int NAMED = 3;

  private static final String TOO_DEAR =
      "it asks for fees above ledger.gas.max-fee or max-priority-fee";

  /** Of a key that was not asked for in time. */
  private static final BigInteger UNKNOWN = BigInteger.TWO.pow(300);

  private final FundingSettings settings;
  private final Optional<LedgerAddress> payer;
  private final Gas gas;

  /**
   * A key of the node is about to pay for gas. Amounts are in the ledger's smallest unit.
   *
   * @param needs for the gas of what it submits now, at most
   * @param sends what it sends along, which nobody tops up (FND-6)
   * @param waits whether the ledger has refused it for want of money
   * @param lacks whether some of its transactions wait for what they are to send along, which is
   *     not in {@code sends}
   * @param dear whether some of its transactions wait since the chain asks for more than the node
   *     ever pays
   * @param once whether it pays for this and then never again
   */
  public record KeyUse(
      LedgerAddress key,
      BigInteger needs,
      BigInteger sends,
      boolean waits,
      boolean lacks,
      boolean dear,
      boolean once) {
    KeyUse funded() {
      return new KeyUse(key, needs, sends, false, lacks, dear, once);
    }
  }

  /** What the rules are told. */
  public sealed interface Input {
    record Tick() implements Input {}

    record Used(KeyUse use) implements Input {}

    record Seen(Accounts accounts) implements Input {}

    record NotSeen() implements Input {}

    /** What the pool said to the transfer. */
    record Answered(SubmitOutcome outcome) implements Input {}

    record NotAnswered() implements Input {}
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

    /** A final block has it. */
    record CountTopUp() implements Effect {}

    /** It is another one than before. */
    record Tell(GasReport report) implements Effect {}
  }

  /**
   * How the node stands with the money for gas.
   *
   * @param payer the funding account, if there is one
   * @param payerBalance in the ledger's smallest unit; 0 without one
   * @param keys that have paid for gas lately
   * @param low of them, those that have less than they should
   * @param waiting of them, those whose transactions wait for money
   * @param sentence for the operator, who learns what to do; empty if there is enough
   */
  public record GasReport(
      Status status,
      Optional<LedgerAddress> payer,
      BigInteger payerBalance,
      int keys,
      int low,
      int waiting,
      String sentence) {
    /** Nothing was looked at yet. */
    public static final GasReport NONE =
        new GasReport(Status.ENOUGH, Optional.empty(), BigInteger.ZERO, 0, 0, 0, "");

    /** What the operator has to know. */
    public enum Status {
      /** Nothing needs to be done. */
      ENOUGH,
      /** It will run out: nothing waits yet. */
      RUNS_OUT,
      /** Transactions wait until the chain asks for less, or the node may pay more. */
      FEES_TOO_HIGH,
      /** Transactions wait until somebody sends money. */
      WAITS_FOR_GAS_MONEY
    }
  }

  /** A key that is used. */
  record Watched(KeyUse use, Instant at) {}

  /**
   * @param since when it was offered at these fees first
   * @param underway whether the pool has not answered yet
   */
  record Open(GasTransfer transfer, Instant since, boolean underway) {}

  /**
   * @param looking while the ledger has not answered
   * @param lookedAt when it was asked last
   * @param accounts as they were seen last
   * @param open the transfer whose nonce no final block has used yet
   * @param refusal why no pool took the last transfer that one was asked to take; empty if one did
   */
  @Copyable
  public record State(
      PMap<LedgerAddress, Watched> watched,
      boolean looking,
      Instant lookedAt,
      Optional<Accounts> accounts,
      Optional<Open> open,
      Optional<String> refusal,
      GasReport report)
      implements FundingStateBuilder.With {
    static State initial() {
      return new State(
          HashTrie.empty(),
          false,
          Instant.MIN,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          GasReport.NONE);
    }

    /** A transfer is on its way, as far as is known. */
    private boolean comes() {
      return open.isPresent() && refusal.isEmpty();
    }
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
  }

  public Machine<Input, State, Void, Effect> machine() {
    return Machine.storingNothing(State.initial(), this::decide, new Input.Tick());
  }

  public OfKey of(State state, LedgerAddress key) {
    var use =
        Optional.ofNullable(state.watched().get(key))
            .map(Watched::use)
            .orElse(new KeyUse(key, BigInteger.ZERO, BigInteger.ZERO, false, false, false, false));
    return new OfKey(
        state.accounts().map(accounts -> accounts.balances().get(key)),
        use.needs(),
        use.waits(),
        state
            .accounts()
            .map(
                accounts ->
                    report(
                        state,
                        accounts,
                        state.watched().containsKey(key) ? List.of(use) : List.of()))
            .orElse(GasReport.NONE));
  }

  Decision<State, Void, Effect> decide(State state, Input input, Instant now) {
    var step = Step.<State, Effect>storingNothing(state, now);
    switch (input) {
      case Input.Tick ignored -> onTick(step);
      case Input.Used(var use) -> onUsed(step, use);
      case Input.Seen(var accounts) -> onSeen(step, accounts);
      case Input.NotSeen ignored -> step.become(state.withLooking(false));
      case Input.Answered(var outcome) -> onAnswered(step, outcome);
      case Input.NotAnswered ignored -> answered(step);
    }
    return step.finish();
  }

  /** Who needs money now is looked at now, if it is not being looked at (FND-1). */
  private void onUsed(Step<State, Void, Effect> step, KeyUse use) {
    var before = step.state().watched().get(use.key());
    boolean waits = use.waits() || (use.once() && before != null && before.use().waits());
    var now =
        new KeyUse(use.key(), use.needs(), use.sends(), waits, use.lacks(), use.dear(), use.once());
    step.become(
        step.state()
            .withWatched(step.state().watched().plus(use.key(), new Watched(now, step.now()))));
    boolean begins = before == null || (use.waits() && !before.use().waits());
    if (begins || use.lacks() != before.use().lacks() || use.dear() != before.use().dear()) {
      look(step);
    }
  }

  private void onTick(Step<State, Void, Effect> step) {
    if (!step.state().lookedAt().plus(settings.lookEvery()).isAfter(step.now())) {
      look(step);
    }
  }

  private void look(Step<State, Void, Effect> step) {
    var state = step.state();
    if (state.looking()) {
      return;
    }
    var watched = state.watched();
    for (var each : state.watched().values()) {
      if (each.at().plus(WATCHED).isBefore(step.now())) {
        watched = watched.minus(each.use().key());
      }
    }
    step.become(state.with().watched(watched).looking(true).lookedAt(step.now()).build());
    var once =
        watched.values().stream().map(Watched::use).filter(KeyUse::once).map(KeyUse::key).toList();
    step.effect(new Effect.Look(List.copyOf(watched.keySet()), once));
  }

  private void onSeen(Step<State, Void, Effect> step, Accounts accounts) {
    step.become(
        step.state()
            .with()
            .watched(step.state().watched().minusAll(accounts.used()))
            .looking(false)
            .accounts(Optional.of(accounts))
            .build());
    funded(step, accounts);
    step.state().open().ifPresent(open -> onNonce(step, open, accounts.payerNonce()));
    if (step.state().open().isPresent()) {
      step.state().open().filter(one -> !one.underway()).ifPresent(one -> again(step, one));
    } else {
      next(step, accounts).ifPresent(transfer -> pay(step, transfer, step.now()));
    }
    tell(step, accounts);
    if (!accounts.balances().keySet().containsAll(step.state().watched().keySet())) {
      // Somebody has begun to use a key while the ledger was asked.
      look(step);
    }
  }

  /**
   * A block that was final may have been replaced, and a pool may have lost what was in it: no
   * block takes this one before another one has the nonce before it (FND-3).
   */
  private static void onNonce(Step<State, Void, Effect> step, Open open, long next) {
    long nonce = open.transfer().nonce();
    if (nonce < next) {
      step.effect(new Effect.CountTopUp());
      step.become(step.state().withRefusal(Optional.empty()));
    }
    if (nonce != next) {
      step.become(withoutOpen(step.state()));
    }
  }

  /** Whoever has the money does not wait for it. */
  private static void funded(Step<State, Void, Effect> step, Accounts accounts) {
    var watched = step.state().watched();
    for (var each : step.state().watched().values()) {
      var use = each.use();
      if (use.waits() && !hasLess(accounts, use, use.needs())) {
        watched = watched.plus(use.key(), new Watched(use.funded(), each.at()));
      }
    }
    step.become(step.state().withWatched(watched));
  }

  /** The very same again, or at higher fees if it is in no block for long (FND-3). */
  private void again(Step<State, Void, Effect> step, Open open) {
    var transfer = open.transfer();
    if (open.since().plus(gas.overdueAfter()).isAfter(step.now())) {
      pay(step, transfer, open.since());
    } else {
      pay(step, transfer.with(gas.increased(transfer.fees())), step.now());
    }
  }

  private static void pay(Step<State, Void, Effect> step, GasTransfer transfer, Instant since) {
    step.become(step.state().withOpen(Optional.of(new Open(transfer, since, true))));
    step.effect(new Effect.Pay(transfer));
  }

  /** Who waits is first, then who has least (FND-2). */
  private Optional<GasTransfer> next(Step<State, Void, Effect> step, Accounts accounts) {
    if (payer.isEmpty()) {
      return Optional.empty();
    }
    return step.state().watched().values().stream()
        .map(Watched::use)
        .filter(use -> !lacksWhatItSends(accounts, use) && hasLess(accounts, use, least(use)))
        .sorted(
            Comparator.<KeyUse, Boolean>comparing(use -> !use.waits())
                .thenComparing(use -> has(accounts, use))
                .thenComparing(use -> use.key().value()))
        .flatMap(use -> transfer(accounts, use).stream())
        .findFirst();
  }

  /** As much as there is, if it is enough for what the key should have at least. */
  private Optional<GasTransfer> transfer(Accounts accounts, KeyUse use) {
    var fees = gas.initial();
    var there = accounts.payerBalance().subtract(gas.ceiling().cost(GasTransfer.GAS));
    var amount = there.min(most(use).subtract(has(accounts, use)));
    return has(accounts, use).add(amount).compareTo(least(use)) >= 0
        ? Optional.of(new GasTransfer(accounts.payerNonce(), use.key(), amount, fees))
        : Optional.empty();
  }

  /**
   * For gas; below 0 if it lacks some of what it sends along. A key that was not asked for in time
   * has what nobody knows, and gets nothing yet.
   */
  private static BigInteger has(Accounts accounts, KeyUse use) {
    var balance = accounts.balances().get(use.key());
    return balance == null ? UNKNOWN : balance.subtract(use.sends());
  }

  private static boolean hasLess(Accounts accounts, KeyUse use, BigInteger than) {
    return has(accounts, use).compareTo(than) < 0;
  }

  /** What goes along is the caller's, and gas for what cannot go is of no use (FND-6). */
  private static boolean lacksWhatItSends(Accounts accounts, KeyUse use) {
    return has(accounts, use).signum() < 0;
  }

  private BigInteger least(KeyUse use) {
    return use.once() ? use.needs() : settings.low().max(use.needs());
  }

  private BigInteger most(KeyUse use) {
    return use.once() ? use.needs() : settings.full().max(use.needs());
  }

  /** It is tried again at the next look; a chain that asks for more is offered more then. */
  private void onAnswered(Step<State, Void, Effect> step, SubmitOutcome outcome) {
    answered(step);
    switch (outcome) {
      case SubmitOutcome.Underpriced(var hash, var needed) ->
          step.state().open().ifPresent(open -> raise(step, open, needed));
      // The nonce is free as far as is known: the next look decides anew what it is for.
      case SubmitOutcome.InsufficientFunds ignored -> {
        step.become(withoutOpen(step.state()));
        refused(step, "the account has less in the newest block");
      }
      case SubmitOutcome.Invalid(var hash, var reason) -> {
        step.become(withoutOpen(step.state()));
        refused(step, reason);
      }
      // A final block tells what has become of it.
      case SubmitOutcome.Pooled ignored -> step.become(step.state().withRefusal(Optional.empty()));
      case SubmitOutcome.NonceTooLow ignored ->
          step.become(step.state().withRefusal(Optional.empty()));
      case SubmitOutcome.PoolFull ignored -> {}
    }
  }

  /** As long as no pool takes it, nothing is on its way (FND-4). */
  private void refused(Step<State, Void, Effect> step, String why) {
    step.become(step.state().withRefusal(Optional.of(why)));
    step.state().accounts().ifPresent(accounts -> tell(step, accounts));
  }

  private static State withoutOpen(State state) {
    return state.withOpen(Optional.empty());
  }

  private void raise(Step<State, Void, Effect> step, Open open, Fees needed) {
    var transfer = open.transfer();
    var fees = gas.increased(transfer.fees()).orMore(needed);
    if (gas.ceiling().cover(fees)) {
      var raised = new Open(transfer.with(fees), step.now(), false);
      step.become(step.state().withOpen(Optional.of(raised)));
    } else {
      refused(step, TOO_DEAR);
    }
  }

  private static void answered(Step<State, Void, Effect> step) {
    step.become(
        step.state()
            .withOpen(
                step.state().open().map(one -> new Open(one.transfer(), one.since(), false))));
  }

  private void tell(Step<State, Void, Effect> step, Accounts accounts) {
    var uses = step.state().watched().values().stream().map(Watched::use).toList();
    var report = report(step.state(), accounts, uses);
    if (!report.equals(step.state().report())) {
      step.become(step.state().withReport(report));
      step.effect(new Effect.Tell(report));
    }
  }

  /**
   * FND-4.
   *
   * @param uses of the keys that it is about
   */
  private GasReport report(State state, Accounts accounts, List<KeyUse> uses) {
    var low = uses.stream().filter(use -> hasLess(accounts, use, least(use))).toList();
    var waiting = uses.stream().filter(use -> use.waits() || use.lacks()).toList();
    var empty =
        waiting.stream().filter(use -> use.lacks() || lacksWhatItSends(accounts, use)).toList();
    boolean comes = state.comes();
    boolean transferIsDear = state.refusal().filter(TOO_DEAR::equals).isPresent() && !low.isEmpty();
    var dear = uses.stream().filter(KeyUse::dear).toList();
    var forGas =
        uses.stream()
            .filter(
                use -> !comes && !transferIsDear && use.waits() && !lacksWhatItSends(accounts, use))
            .toList();
    var status =
        !forGas.isEmpty() || !empty.isEmpty()
            ? Status.WAITS_FOR_GAS_MONEY
            : transferIsDear || !dear.isEmpty()
                ? Status.FEES_TOO_HIGH
                : runsOut(accounts, low, comes) ? Status.RUNS_OUT : Status.ENOUGH;
    return new GasReport(
        status,
        payer,
        accounts.payerBalance(),
        uses.size(),
        low.size(),
        waiting.size(),
        switch (status) {
          case ENOUGH -> "";
          case FEES_TOO_HIGH -> feesTooHigh(dear);
          case RUNS_OUT -> runsOut(accounts, low) + notTaken(state);
          case WAITS_FOR_GAS_MONEY -> waits(forGas, empty) + notTaken(state);
        });
  }

  private String feesTooHigh(List<KeyUse> dear) {
    return "The chain asks for higher fees than ledger.gas.max-fee (%d) and max-priority-fee (%d) let this node pay: %s. Raise them, or wait until the chain asks for less."
        .formatted(
            gas.ceiling().max(),
            gas.ceiling().priority(),
            dear.isEmpty()
                ? "the transfer from the funding account waits"
                : "the transactions of " + keys(dear) + " wait");
  }

  private static String notTaken(State state) {
    return state
        .refusal()
        .map(why -> " The chain did not take the last transfer from the funding account: " + why)
        .orElse("");
  }

  private boolean runsOut(Accounts accounts, List<KeyUse> low, boolean comes) {
    return payer.isPresent()
        ? accounts.payerBalance().compareTo(settings.alarmBelow()) < 0 || (!low.isEmpty() && !comes)
        : !low.isEmpty();
  }

  private String runsOut(Accounts accounts, List<KeyUse> low) {
    return payer.isPresent()
        ? "The money for gas runs out: the funding account has %d left. Send money to %s."
            .formatted(accounts.payerBalance(), whom(low))
        : "The money for gas of %s runs out. Send money to %s.".formatted(keys(low), whom(low));
  }

  /**
   * @param forGas those that wait for money that nobody sends
   * @param empty those that wait for what they send along
   */
  private String waits(List<KeyUse> forGas, List<KeyUse> empty) {
    var sentences = new ArrayList<String>();
    if (!forGas.isEmpty()) {
      sentences.add(
          "The transactions of %s wait for gas money. Send money to %s."
              .formatted(keys(forGas), whom(forGas)));
    }
    if (!empty.isEmpty()) {
      sentences.add(
          "The transactions of %s wait for the money that they send along, which nobody tops up. Send money to %s."
              .formatted(keys(empty), named(empty)));
    }
    return String.join(" ", sentences);
  }

  private static String keys(List<KeyUse> uses) {
    return uses.size() == 1 ? "1 key" : uses.size() + " keys";
  }

  private String whom(List<KeyUse> poor) {
    return payer.map(account -> "the funding account " + account).orElseGet(() -> named(poor));
  }

  private static String named(List<KeyUse> uses) {
    var keys = uses.stream().map(use -> use.key().value()).sorted().toList();
    var first = keys.stream().limit(NAMED).collect(Collectors.joining(", "));
    return keys.size() > NAMED ? first + " and " + (keys.size() - NAMED) + " more" : first;
  }
}
