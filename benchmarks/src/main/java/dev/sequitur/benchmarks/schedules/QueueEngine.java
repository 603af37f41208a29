package dev.sequitur.benchmarks.schedules;

import static dev.sequitur.benchmarks.Benchmarks.print;

import com.sun.management.ThreadMXBean;
import dev.sequitur.benchmarks.Resources;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueEvent;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What the rules of a queue cost by themselves, on one thread: no actor, no journal, no encoding.
 * Gas-priority schedules that notify inside the queue, all due at once.
 */
@Command(
    name = "engine",
    description = "Measures the rules of a schedule queue alone, on one thread.")
public final class QueueEngine implements Callable<Integer> {
  private static final long START_MS = 1_700_000_000_000L;
  private static final long MEBIBYTE = 1 << 20;

  @Option(names = "--burst", defaultValue = "100000", description = "Schedules due at once.")
  private int burst;

  @Option(names = "--limit", defaultValue = "1000", description = "That run in a block.")
  private int limit;

  @Option(names = "--accounts", defaultValue = "1000", description = "That own them.")
  private int accounts;

  @Option(names = "--body", defaultValue = "32", description = "Bytes of each.")
  private int body;

  @Option(names = "--rounds", defaultValue = "6", description = "The last one is printed last.")
  private int rounds;

  @Option(names = "--memory", description = "Instead: what so many that wait take of the heap.")
  private boolean memory;

  @Override
  public Integer call() {
    if (memory) {
      measureMemory();
      return 0;
    }
    for (int i = 0; i < rounds; i++) {
      measureBurst();
    }
    return 0;
  }

  private void measureBurst() {
    var run = new Run();
    var admitting = Cost.now();
    run.admit();
    tell("admit ", Cost.now().since(admitting));
    var events = new ArrayList<QueueEvent>();
    var beforeFiring = run.state;
    var firing = Cost.now();
    run.fire(events);
    tell("fire  ", Cost.now().since(firing));
    var replaying = Cost.now();
    var replayed = beforeFiring;
    for (var event : events) {
      replayed = run.queue.evolve(replayed, event);
    }
    tell("replay", Cost.now().since(replaying));
    if (!replayed.isIdle() || !run.queue.audit(run.state).isConserved()) {
      throw new IllegalStateException("The queue is not as it should be.");
    }
  }

  private void measureMemory() {
    long before = Resources.usedHeap();
    var run = new Run();
    var admitting = Cost.now();
    run.admit();
    tell("admit ", Cost.now().since(admitting));
    long bytes = Resources.usedHeap() - before;
    print(
        "%,d pending with bodies of %d bytes: %,d MiB, %.0f bytes each; heap at most %,d MiB",
        run.state.entries().schedules().size(),
        body,
        bytes / MEBIBYTE,
        (double) bytes / burst,
        Runtime.getRuntime().maxMemory() / MEBIBYTE);
  }

  private void tell(String what, Cost cost) {
    print(
        "%s %6.2f us, of its thread's processor time %6.2f us, %,6d bytes allocated each",
        what, cost.nanos / 1e3 / burst, cost.cpuNanos / 1e3 / burst, cost.allocated / burst);
  }

  /** One queue from its first schedule to its last. */
  private final class Run {
    final ScheduleQueue queue =
        new ScheduleQueue(
            Notifying.queues(new GasPrioritySettings(100, limit, 1_000_000, 200, 1, 10_240)));
    QueueState state = QueueState.initial();

    /** Owners as a journal gives them back: each schedule has its own copy. */
    void admit() {
      for (int i = 0; i < accounts; i++) {
        var fund = new Operation.Fund(owner(i), new Amount(1_000_000_000_000L));
        tell(new QueueInput.Command("fund", Notifying.OPERATOR, fund), START_MS);
      }
      for (int i = 0; i < burst; i++) {
        var message = new byte[body];
        ByteBuffer.wrap(message).putInt(i);
        var terms = new GasPriorityTerms(START_MS + 60_000, 100, 1 + i * 7919L % 1_000);
        var target = new Target.Notify(Bytes.of(message));
        var propose = new Operation.Propose(Proposal.of(owner(i % accounts), terms, target));
        tell(new QueueInput.Command("propose", owner(i % accounts), propose), START_MS);
      }
    }

    void fire(List<QueueEvent> events) {
      for (long now = START_MS + 60_000; !state.isIdle(); now += 100) {
        events.addAll(tell(new QueueInput.CutBlock(), now));
      }
    }

    private List<QueueEvent> tell(QueueInput input, long nowMs) {
      var decision = queue.decide(state, input, WallTime.of(Instant.ofEpochMilli(nowMs)));
      state = decision.state();
      return decision.events();
    }

    private AccountId owner(int number) {
      return new AccountId("account-" + number);
    }
  }

  private record Cost(long nanos, long cpuNanos, long allocated) {
    static Cost now() {
      var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      return new Cost(
          System.nanoTime(),
          threads.getCurrentThreadCpuTime(),
          threads.getCurrentThreadAllocatedBytes());
    }

    Cost since(Cost earlier) {
      return new Cost(
          nanos - earlier.nanos, cpuNanos - earlier.cpuNanos, allocated - earlier.allocated);
    }
  }
}
