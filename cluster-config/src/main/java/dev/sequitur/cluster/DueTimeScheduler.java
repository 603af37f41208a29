package dev.sequitur.cluster;

import akka.actor.AbstractScheduler;
import akka.actor.Cancellable;
import akka.actor.Scheduler;
import akka.actor.SchedulerException;
import akka.event.LoggingAdapter;
import com.typesafe.config.Config;
import java.io.Closeable;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/**
 * The timers of an actor system, on one thread that sleeps until the next of them is due. Akka's
 * own scheduler wakes up at each of its ticks, whether or not anything is due: at one millisecond,
 * which schedules need, a thousand times a second in each node.
 */
public final class DueTimeScheduler extends AbstractScheduler implements Closeable {
  private static final double MILLISECONDS_IN_A_SECOND = 1_000;

  private final ScheduledThreadPoolExecutor timer;
  // What Akka wants run at the end, however early that comes.
  private final Set<Timer> atClose = ConcurrentHashMap.newKeySet();

  /** For Akka, which finds the class in {@code akka.scheduler.implementation}. */
  public DueTimeScheduler(Config config, LoggingAdapter log, ThreadFactory threads) {
    this.timer = new ScheduledThreadPoolExecutor(1, threads);
    // Most timers are time-outs that are cancelled, long before they are due.
    timer.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Cancellable scheduleOnce(FiniteDuration delay, Runnable task, ExecutionContext executor) {
    return begin(new Timer(task, 0, executor), delay);
  }

  /** Each run is due an interval after the one before was, and begins once that has ended. */
  @Override
  public Cancellable schedule(
      FiniteDuration delay, FiniteDuration interval, Runnable task, ExecutionContext executor) {
    if (interval.toNanos() <= 0) {
      throw new IllegalArgumentException("An interval is above zero, not " + interval + ".");
    }
    return begin(new Timer(task, interval.toNanos(), executor), delay);
  }

  private Timer begin(Timer begun, FiniteDuration delay) {
    begun.enqueue(System.nanoTime() + Math.max(0, delay.toNanos()));
    return begun;
  }

  /** What the ticks of a millisecond would allow. */
  @Override
  public double maxFrequency() {
    return MILLISECONDS_IN_A_SECOND;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    atClose.forEach(Timer::due);
  }

  private final class Timer implements Cancellable {
    private final Runnable task;
    private final long intervalNanos; // 0: once
    private final ExecutionContext executor;
    // guarded by this
    private ScheduledFuture<?> waiting; // null while none is
    private long dueNanos;
    private boolean over; // has run, or is not to run any more
    private boolean cancelled;

    private Timer(Runnable task, long intervalNanos, ExecutionContext executor) {
      this.task = task;
      this.intervalNanos = intervalNanos;
      this.executor = executor;
    }

    private synchronized void enqueue(long due) {
      if (over) {
        return;
      }
      dueNanos = due;
      try {
        waiting = timer.schedule(this::due, due - System.nanoTime(), TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        // Akka's dispatchers, which end after the timers do, expect this one.
        throw new IllegalStateException("Nothing is scheduled once the actor system has ended.", e);
      }
      if (task instanceof Scheduler.TaskRunOnClose) {
        atClose.add(this);
      }
    }

    /** On the timer's thread, which must not run what may take long. */
    private void due() {
      synchronized (this) {
        waiting = null;
        if (over) {
          return;
        }
        over = intervalNanos == 0;
      }
      atClose.remove(this);
      try {
        executor.execute(intervalNanos == 0 ? task : this::runAndRepeat);
      } catch (RuntimeException e) {
        executor.reportFailure(e);
      }
    }

    /** What throws is not repeated, as with Akka's own. */
    private void runAndRepeat() {
      try {
        task.run();
        if (!timer.isShutdown()) {
          enqueue(dueNanos + intervalNanos);
        }
      } catch (SchedulerException e) {
        cancel(); // the actor that it is for has stopped
      } catch (RuntimeException | Error e) {
        cancel();
        throw e;
      }
    }

    /**
     * @return whether it had still to run
     */
    @Override
    public synchronized boolean cancel() {
      if (over) {
        return false;
      }
      over = true;
      cancelled = true;
      atClose.remove(this);
      if (waiting != null) {
        waiting.cancel(false);
      }
      return true;
    }

    @Override
    public synchronized boolean isCancelled() {
      return cancelled;
    }
  }
}
