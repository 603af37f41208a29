package dev.sequitur.schedule.chainexecution;

import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.family.FamilyEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the provider must not forget. */
public sealed interface ChainExecutionEvent extends FamilyEvent {
  /** The queue serves this contract from now on. */
  record Served(ServedContract contract) implements ChainExecutionEvent {}

  /**
   * The contract's logs were read up to a block.
   *
   * @param back whether a reorganisation took back what was read and not final
   * @param settled the newest final block
   * @param plans new, or no longer sold
   * @param requested with the number of their block
   * @param ends of executions that wait here
   */
  record Read(
      boolean back,
      Reading.Point to,
      Optional<Reading.Point> settled,
      Map<Long, ChainPlan> plans,
      Map<ScheduleId, Long> requested,
      List<Reading.Seen> ends)
      implements ChainExecutionEvent {
    public Read {
      plans = Map.copyOf(plans);
      requested = Map.copyOf(requested);
      ends = List.copyOf(ends);
    }
  }

  /** These may be sent from now on, each instead of what had its nonce. */
  record Dispatched(List<ProviderDispatch> dispatches) implements ChainExecutionEvent {
    public Dispatched {
      dispatches = List.copyOf(dispatches);
    }
  }

  /** Nonces were used. */
  record Landed(List<Landing> landings) implements ChainExecutionEvent {
    public Landed {
      landings = List.copyOf(landings);
    }
  }

  /** What the whole contract waits for has changed. */
  record Conditions(boolean paused, String trouble) implements ChainExecutionEvent {}

  /** Executions were sent in vain, or cannot be sent. */
  record Failed(Map<ScheduleId, Failure> failures) implements ChainExecutionEvent {
    public Failed {
      failures = Map.copyOf(failures);
    }
  }

  /**
   * What became of a dispatch.
   *
   * @param block that has it; empty if no block ever will
   */
  record Landing(long nonce, Optional<Long> block) {}

  /**
   * Why an execution has not run.
   *
   * @param count how often it was sent in vain by now
   * @param notBefore a block of this time, seconds since 1970, it is tried again; {@link
   *     ChainPlan#MOST} if it is not
   */
  record Failure(int count, String why, long notBefore) {
    static final Failure NONE = new Failure(0, "", 0);

    boolean isLast() {
      return notBefore == ChainPlan.MOST;
    }
  }
}
