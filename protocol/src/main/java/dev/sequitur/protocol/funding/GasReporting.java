package dev.sequitur.protocol.funding;

import dev.sequitur.protocol.funding.GasReport.Status;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.AboveCeiling;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.port.GasMoney.Accounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What an operator is told of the money for gas.
 *
 * @param ceiling what the node offers at most
 */
record GasReporting(FundingSettings settings, Optional<LedgerAddress> payer, Fees ceiling) {
  /** Why the pool takes no transfer whose fees are above the ceiling. */
  static final String TOO_DEAR = "it asks for fees above ledger.gas.max-fee or max-priority-fee";

  /** Keys named in a sentence. */
  private static final int NAMED = 3;

  /**
   * FND-4.
   *
   * @param uses of the keys that it is about
   */
  GasReport of(FundingState state, Accounts accounts, List<KeyUse> uses) {
    var low = uses.stream().filter(use -> use.hasLess(accounts, settings.least(use))).toList();
    var waiting = uses.stream().filter(use -> use.waits() || use.lacks()).toList();
    var empty =
        waiting.stream().filter(use -> use.lacks() || use.lacksWhatItSends(accounts)).toList();
    boolean comes = state.working().comes();
    boolean transferIsDear =
        state.working().refusal().filter(TOO_DEAR::equals).isPresent() && !low.isEmpty();
    var dear = uses.stream().filter(use -> use.above() != AboveCeiling.NOTHING).toList();
    var forGas =
        uses.stream()
            .filter(
                use -> !comes && !transferIsDear && use.waits() && !use.lacksWhatItSends(accounts))
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
          case FEES_TOO_HIGH -> feesTooHigh(accounts, dear, transferIsDear);
          case RUNS_OUT -> runsOut(accounts, low) + notTaken(state);
          case WAITS_FOR_GAS_MONEY -> waits(forGas, empty) + notTaken(state);
        });
  }

  private String feesTooHigh(Accounts accounts, List<KeyUse> dear, boolean transferIsDear) {
    boolean onlyReplacements =
        !transferIsDear && dear.stream().allMatch(use -> use.above() == AboveCeiling.REPLACEMENTS);
    if (onlyReplacements) {
      return "A pool has the transactions of %s and no block takes them, and to replace them by dearer ones the chain asks for higher fees than ledger.gas.max-fee (%d) and max-priority-fee (%d) let this node pay. Raise them, or wait until blocks charge less."
          .formatted(keys(dear), ceiling.max(), ceiling.priority());
    }
    return "The chain asks for higher fees%s than ledger.gas.max-fee (%d) and max-priority-fee (%d) let this node pay: %s. Raise them, or wait until the chain asks for less."
        .formatted(
            accounts.baseFee() > ceiling.max() ? " (%d)".formatted(accounts.baseFee()) : "",
            ceiling.max(),
            ceiling.priority(),
            dear.isEmpty()
                ? "the transfer from the funding account waits"
                : "the transactions of " + keys(dear) + " wait");
  }

  private static String notTaken(FundingState state) {
    return state
        .working()
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
