package dev.sequitur.laboratory.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The loads of all nodes, each on a thread of its own. Confined to one thread. */
final class RunningLoad implements AutoCloseable {
  private static final Duration END = Duration.ofSeconds(30);

  private final List<NodeLoad> loads;
  private final List<Thread> threads = new ArrayList<>();

  RunningLoad(List<NodeLoad> loads) {
    this.loads = List.copyOf(loads);
    loads.forEach(load -> threads.add(new Thread(load, "load")));
    threads.forEach(thread -> thread.setDaemon(true));
    threads.forEach(Thread::start);
  }

  boolean isDone() {
    return threads.stream().noneMatch(Thread::isAlive);
  }

  long accepted() {
    return loads.stream().mapToLong(NodeLoad::accepted).sum();
  }

  long ended() {
    return loads.stream().mapToLong(NodeLoad::ended).sum();
  }

  long repeated() {
    return loads.stream().mapToLong(NodeLoad::repeated).sum();
  }

  List<String> refusals() {
    return loads.stream().map(NodeLoad::lastRefusal).filter(text -> !text.isEmpty()).toList();
  }

  /** To be asked once it is closed. */
  List<Submission> submissions() {
    return loads.stream().flatMap(load -> load.submissions().stream()).toList();
  }

  /** Ends what is not done. */
  @Override
  public void close() {
    loads.forEach(NodeLoad::stop);
    try {
      for (var thread : threads) {
        TimeUnit.MILLISECONDS.timedJoin(thread, END.toMillis());
        if (thread.isAlive()) {
          thread.interrupt();
          TimeUnit.SECONDS.timedJoin(thread, 1);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
