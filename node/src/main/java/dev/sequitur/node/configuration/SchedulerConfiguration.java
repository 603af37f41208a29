package dev.sequitur.node.configuration;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.GasUse;
import dev.sequitur.schedule.Partition;
import dev.sequitur.schedule.chainexecution.ChainExecutions;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.plan.PlanExecutions;
import dev.sequitur.schedule.plan.PlanSettings;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.SchedulerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the node's schedule queues go by.
 *
 * @param queues the same for all of them
 * @param provider empty if the node serves no contract
 */
public record SchedulerConfiguration(
    SchedulerSettings settings, QueueSetup queues, Optional<ProviderConfiguration> provider) {
  private static final int MANY = 10_000_000;
  private static final String AT = "scheduler.";
  private static final Amount FOR_TRYING = new Amount(1_000_000);
  private static final String GAS = "scheduler.gas-priority.";
  private static final String PLANS = "scheduler.plans.";
  private static final String RECURRING = "scheduler.recurring.";

  /** All defaults. */
  public static final SchedulerConfiguration DEFAULT =
      new SchedulerConfiguration(
          SchedulerSettings.DEFAULT,
          QueueSetup.of(new AccountId("operator"))
              .serving(
                  families(
                      GasPrioritySettings.DEFAULT,
                      MultiSignatureSettings.MVP,
                      PlanSettings.DEFAULT,
                      RecurringSettings.DEFAULT))
              .throttledBy(MultiSignatureSettings.MVP.throttled()),
          Optional.empty());

  static SchedulerConfiguration read(ConfigurationReader reader) {
    var configuration =
        new SchedulerConfiguration(settings(reader), queues(reader), Optional.empty());
    return ProviderConfiguration.read(reader)
        .map(configuration::withProvider)
        .orElse(configuration);
  }

  /** Its queues serve executions of contracts, too. */
  public SchedulerConfiguration withProvider(ProviderConfiguration value) {
    var families = new ArrayList<>(queues.families());
    families.add(new ChainExecutions(value.settings().gas()));
    return new SchedulerConfiguration(settings, queues.serving(families), Optional.of(value));
  }

  private static SchedulerSettings settings(ConfigurationReader reader) {
    return new SchedulerSettings(
        reader.duration(AT + "block-interval"),
        reader.integer(AT + "waiting-commands", 1, MANY),
        reader.integer(AT + "batch", 1, 100_000),
        reader.integer(AT + "executing", 1, 100_000),
        reader.integer(AT + "refusals", 1, 1_000),
        reader.built(
            AT + "retry",
            () ->
                new Backoff(
                    reader.duration(AT + "retry.initial"), reader.duration(AT + "retry.longest")),
            SchedulerSettings.DEFAULT.backoff()),
        reader.integer(AT + "remembered-commands", 1, MANY),
        reader.duration(AT + "commands-remembered-for"),
        reader.integer(AT + "most-remembered-commands", 1, MANY),
        reader.integer(AT + "checkpoint-events", 100, MANY),
        reader.duration("actors.idle-after"),
        reader.entries(
            AT + "partitions", SchedulerConfiguration::whole, SchedulerConfiguration::partitions));
  }

  private static QueueName whole(String name) {
    var queue = new QueueName(name);
    if (queue.partition().isPresent()) {
      throw new IllegalArgumentException("Name the whole queue, and not " + name + ".");
    }
    return queue;
  }

  private static int partitions(String number) {
    int count = number.matches("[0-9]{1,3}") ? Integer.parseInt(number) : 0;
    if (count < 2 || count > Partition.MOST) {
      throw new IllegalArgumentException(
          "A queue has 2 to " + Partition.MOST + " partitions, a whole number.");
    }
    return count;
  }

  private static QueueSetup queues(ConfigurationReader reader) {
    var signing = MultiSignatureConfiguration.read(reader);
    return new QueueSetup(
        reader.built(
            AT + "administrator",
            () -> new AccountId(reader.text(AT + "administrator")),
            new AccountId("operator")),
        reader.duration(AT + "max-clock-ahead"),
        new GasUse(
            reader.wholeNumber(AT + "action-gas", 0, 1_000_000_000_000L),
            reader.wholeNumber(AT + "call-gas", 0, 1_000_000_000_000L)),
        reader.integer(AT + "shutdown-batch", 1, MANY),
        reader.integer(AT + "history", 1, MANY),
        signing.throttled(),
        opening(reader),
        families(gasPriority(reader), signing, plans(reader), recurring(reader)));
  }

  /** Where the ledger is embedded, people try things: nobody else's money is there. */
  private static Amount opening(ConfigurationReader reader) {
    var key = AT + "new-queue-balance";
    var text = reader.text(key);
    if (text.equals("auto")) {
      return reader.text("ledger.mode").equals("embedded") ? FOR_TRYING : Amount.ZERO;
    }
    try {
      return new Amount(Long.parseLong(text));
    } catch (IllegalArgumentException e) {
      reader.mistake("%s is auto, or a whole number from 0 on.".formatted(key));
      return Amount.ZERO;
    }
  }

  /** Those of every node, as a file sets them or not. */
  private static List<Family> families(
      GasPrioritySettings gas,
      MultiSignatureSettings signing,
      PlanSettings plans,
      RecurringSettings recurring) {
    return List.of(
        new GasPriority(gas),
        new MultiSignature(signing),
        new PlanExecutions(plans),
        new Recurring(recurring));
  }

  private static GasPrioritySettings gasPriority(ConfigurationReader reader) {
    return new GasPrioritySettings(
        reader.integer(GAS + "tick-millis", 1, 3_600_000),
        reader.integer(GAS + "ready-limit", 1, MANY),
        reader.integer(GAS + "expiry-ticks", 1, MANY),
        reader.integer(GAS + "expire-limit", 1, MANY),
        reader.wholeNumber(GAS + "min-gas-unit-price", 0, 1_000_000_000_000L),
        reader.integer(GAS + "max-size", 0, 1_000_000));
  }

  private static PlanSettings plans(ConfigurationReader reader) {
    return reader.built(
        "scheduler.plans",
        () ->
            new PlanSettings(
                new AccountId(reader.text(PLANS + "payee")),
                reader.duration(PLANS + "minimum-time-before-execution"),
                reader.integer(PLANS + "ready-limit", 1, MANY),
                reader.integer(PLANS + "overdue-limit", 1, MANY),
                reader.integer(PLANS + "max-size", 0, 1_000_000),
                reader.integer(PLANS + "max-plans", 1, MANY),
                reader.integer(PLANS + "finished-kept", 1, MANY)),
        PlanSettings.DEFAULT);
  }

  private static RecurringSettings recurring(ConfigurationReader reader) {
    return reader.built(
        "scheduler.recurring",
        () ->
            new RecurringSettings(
                reader.duration(RECURRING + "slot"),
                reader.duration(RECURRING + "task-slot"),
                reader.duration(RECURRING + "horizon"),
                reader.integer(RECURRING + "max-times", 1, 10_000),
                reader.integer(RECURRING + "tasks-per-slot", 1, MANY),
                reader.integer(RECURRING + "block-budget", 1, MANY),
                reader.wholeNumber(RECURRING + "fee-per-time", 0, 1_000_000_000_000L),
                reader.integer(RECURRING + "max-size", 0, 1_000_000),
                reader.flag(RECURRING + "refund-on-cancel")),
        RecurringSettings.DEFAULT);
  }

  /** With other families, or other limits of them. */
  public SchedulerConfiguration withQueues(QueueSetup value) {
    return new SchedulerConfiguration(settings, value, provider);
  }

  /** With blocks closer together or further apart. */
  public SchedulerConfiguration withBlockInterval(Duration value) {
    return new SchedulerConfiguration(settings.withBlockInterval(value), queues, provider);
  }
}
