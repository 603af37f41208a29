package dev.sequitur.schedule.plan;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.abi.EvmAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * What an operator, who is the service provider, may set of plan executions
 * (docs/rules/plan-executions.md).
 *
 * @param payee who is paid for executions until the service provider names another
 * @param minimumTimeBeforeExecution whole seconds from the scheduling to the timestamp, at least
 * @param readyLimit how many are executed in one block
 * @param overdueLimit how many overdue ones a block takes out of its way
 * @param maxSize bytes of content of one execution
 * @param maxPlans how many plans may ever be added
 * @param finishedKept how many executions that have their outcome can still be asked for
 */
@Copyable
public record PlanSettings(
    AccountId payee,
    Duration minimumTimeBeforeExecution,
    int readyLimit,
    int overdueLimit,
    int maxSize,
    int maxPlans,
    int finishedKept)
    implements PlanSettingsBuilder.With {
  public static final PlanSettings DEFAULT =
      new PlanSettings(AccountId.FEES, Duration.ofSeconds(15), 100, 200, 10_240, 1_000, 100_000);

  public PlanSettings {
    whyNoPayee(payee)
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
    if (minimumTimeBeforeExecution.isNegative()
        || readyLimit < 1
        || overdueLimit < 1
        || maxSize < 0
        || maxPlans < 1
        || finishedKept < 1) {
      throw new IllegalArgumentException(
          "The settings of plan executions must be positive; the time before may be 0.");
    }
  }

  /** Why an account is no payee in any queue (PLN-11). */
  static Optional<String> whyNoPayee(AccountId account) {
    if (!account.isSpendable()) {
      return Optional.of("Name a person's account as payee, or @fees.");
    }
    return EvmAddress.of(account).equals(EvmAddress.ZERO)
        ? Optional.of("The zero address is no payee: name an account.")
        : Optional.empty();
  }
}
