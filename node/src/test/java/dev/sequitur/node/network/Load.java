package dev.sequitur.node.network;

import static org.awaitility.Awaitility.await;

import dev.sequitur.node.process.JsonRpcCaller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Callers who send without a break, whatever happens to the nodes: one for each JVM, who begins
 * there. A call that fails is made again with the same key, at another JVM of the node.
 */
public final class Load implements AutoCloseable {
  private static final Duration BETWEEN = Duration.ofMillis(100);

  private final Intents intents;
  private final List<Group> groups;
  private final ScheduledExecutorService threads;
  private final List<Caller> callers = new ArrayList<>();
  private volatile boolean stopped;

  /** Begins to send. */
  public Load(Parties parties, Intents intents, List<Group> groups) {
    this(parties, intents, groups, BETWEEN);
  }

  /**
   * As {@link #Load(Parties, Intents, List)}.
   *
   * @param between how long each caller waits after an answer
   */
  public Load(Parties parties, Intents intents, List<Group> groups, Duration between) {
    this.intents = intents;
    this.groups = groups;
    for (int node = 1; node <= parties.nodes(); node++) {
      for (int first = 0; first < parties.callers(node).size(); first++) {
        callers.add(new Caller(parties, node, first));
      }
    }
    // One for each: who waits for an answer holds up nobody else.
    threads = Executors.newScheduledThreadPool(callers.size());
    for (var caller : callers) {
      threads.scheduleWithFixedDelay(caller, 0, between.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Waits until so many more have been accepted. */
  public void awaitMore(int howMany) {
    int before = intents.size();
    await().atMost(Parties.PATIENCE).until(() -> intents.size() >= before + howMany);
  }

  /** From now on, how long callers wait from one call that is accepted to the next is looked at. */
  public void watch() {
    callers.forEach(Caller::watch);
  }

  /** The longest time that a caller has been without a call that was accepted since then. */
  public Gap longestGap() {
    return callers.stream()
        .map(Caller::longestGap)
        .max(Comparator.comparing(Gap::lasted))
        .orElseThrow();
  }

  /**
   * A caller's time without a call that was accepted.
   *
   * @param calls those that were made in it, the last of which may have been accepted
   */
  public record Gap(Duration lasted, List<Call> calls) {}

  /** One call: to which JVM, and how long its answer, or the lack of it, took. */
  public record Call(String jvm, Duration took) {}

  /** Begins nothing more, and waits until what was begun is accepted. */
  public void stop() {
    stopped = true;
    for (var caller : callers) {
      await()
          .alias("everything that was begun is accepted")
          .atMost(Parties.PATIENCE)
          .until(caller.ended::isDone);
      caller.ended.join();
    }
  }

  @Override
  public void close() {
    stopped = true;
    threads.shutdownNow();
  }

  /** Confined to one thread at a time. */
  private final class Caller implements Runnable {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Parties parties;
    private final int node;
    private int jvm;
    private int sent;
    private String key;
    private long accepted = System.nanoTime();
    private final List<Call> calls = new ArrayList<>();
    private Gap longest = new Gap(Duration.ZERO, List.of());

    private synchronized void watch() {
      accepted = System.nanoTime();
      calls.clear();
      longest = new Gap(Duration.ZERO, List.of());
    }

    private synchronized void called(JsonRpcCaller at, long begun, boolean isAccepted) {
      calls.add(new Call(at.url(), Duration.ofNanos(System.nanoTime() - begun)));
      if (isAccepted) {
        longest = longestGap();
        accepted = System.nanoTime();
        calls.clear();
      }
    }

    private synchronized Gap longestGap() {
      var now = Duration.ofNanos(System.nanoTime() - accepted);
      return now.compareTo(longest.lasted) > 0 ? new Gap(now, List.copyOf(calls)) : longest;
    }

    private Caller(Parties parties, int node, int first) {
      this.parties = parties;
      this.node = node;
      this.jvm = first;
    }

    @Override
    public void run() {
      try {
        if (key == null && stopped) {
          ended.complete(null);
        } else if (!ended.isDone()) {
          step();
        }
      } catch (RuntimeException | Error e) {
        ended.completeExceptionally(e);
        throw e;
      }
    }

    private void step() {
      var jvms = parties.callers(node);
      key = key == null ? intents.newKey() : key;
      var group = groups.get(sent % groups.size());
      var at = jvms.get(jvm % jvms.size());
      long begun = System.nanoTime();
      boolean isAccepted = intents.sendOnce(node, group, key, at).isPresent();
      called(at, begun, isAccepted);
      if (isAccepted) {
        sent++;
        key = null;
      } else {
        jvm++;
      }
    }
  }
}
