package dev.sequitur.schedule.gaspriority;

import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyQuery;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;

/** What can be asked of the gas-priority family; nothing changes by it (GAS-10). */
public sealed interface GasPriorityQuery<R> extends FamilyQuery<R> {
  @Override
  default FamilyKind family() {
    return FamilyKind.GAS_PRIORITY;
  }

  @Override
  default R answer(Family family, QueueView view) {
    return answer(Family.own(GasPriority.class, family), view);
  }

  R answer(GasPriority family, QueueView view);

  /**
   * The specification's {@code get_ready_transactions}, without expiring any.
   *
   * @param timestampMs of a block, milliseconds since 1970
   */
  record GetReadyTransactions(long timestampMs) implements GasPriorityQuery<ReadyTransactions> {
    @Override
    public ReadyTransactions answer(GasPriority family, QueueView view) {
      var selected = family.ready(view, timestampMs);
      var prices = family.prices(selected);
      var ready = new ArrayList<ReadyTransaction>();
      for (int i = 0; i < selected.size(); i++) {
        ready.add(new ReadyTransaction(selected.get(i), prices.get(i)));
      }
      return new ReadyTransactions(ready);
    }
  }

  /** Whether one that waits will be run, as things stand now. */
  record WhyUnreached(ScheduleId schedule) implements GasPriorityQuery<Unreached> {
    @Override
    public Unreached answer(GasPriority family, QueueView view) {
      return new Unreached(
          view.schedule(schedule).flatMap(waiting -> family.whyUnreached(view, waiting)));
    }

    /** Where it does not wait there is nothing to say. */
    @Override
    public Optional<BinaryOperator<Unreached>> together() {
      return Optional.of((one, other) -> one.why().isPresent() ? one : other);
    }
  }

  /**
   * @param why it will not be, and what to do; empty if it will
   */
  record Unreached(Optional<String> why) {}

  /** In the order of the block. */
  record ReadyTransactions(List<ReadyTransaction> transactions) {
    public ReadyTransactions {
      transactions = List.copyOf(transactions);
    }
  }

  /** The specification's {@code ScheduledTransactionInfoWithKey}. */
  record ReadyTransaction(Schedule schedule, long gasUnitPriceCharged) {}
}
