package dev.sequitur.schedule.chainexecution;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ScheduleId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the contract has logged in a range of blocks (PRV-8).
 *
 * @param after the block behind which the range begins; empty for the start block
 * @param logs in their order
 * @param to the last block of the range
 * @param settled the newest block of the range or before it that is final; empty if none is
 * @param plans that were looked up, since executions of the range need them
 */
public record Reading(
    Optional<Point> after,
    List<Logged> logs,
    Point to,
    Optional<Point> settled,
    Map<Long, ChainPlan> plans) {
  public Reading {
    logs = List.copyOf(logs);
    plans = Map.copyOf(plans);
  }

  /**
   * A block.
   *
   * @param time in seconds since 1970
   */
  public record Point(long number, Hash hash, long time) {}

  /** What the contract has logged. */
  public sealed interface Logged {
    /** The number of its block. */
    long block();

    /** Something about one execution. */
    sealed interface OfExecution extends Logged permits Requested, Seen {
      ScheduleId id();
    }
  }

  /** Somebody wants it executed. */
  public record Requested(long block, ScheduleId id, AccountId requestor, ChainExecutionTerms terms)
      implements Logged.OfExecution {}

  /** It has an end, which may still be undone by a reorganisation. */
  public record Seen(long block, ScheduleId id, End end) implements Logged.OfExecution {}

  public record PlanAdded(long block, long plan, ChainPlan what) implements Logged {}

  public record PlanRemoved(long block, long plan) implements Logged {}

  /** How an execution ends at the contract. */
  public sealed interface End {
    /**
     * By whomever.
     *
     * @param failure what the call said as it failed, a sentence; empty if it succeeded
     */
    record Executed(Optional<String> failure) implements End {}

    record Cancelled() implements End {}

    /** It was overdue, and its requestor has the money back. */
    record Refunded() implements End {}
  }
}
