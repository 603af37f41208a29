package dev.sequitur.cluster.downing;

import akka.actor.Cancellable;
import akka.actor.ExtendedActorSystem;
import akka.coordination.lease.LeaseSettings;
import akka.coordination.lease.javadsl.Lease;
import dev.sequitur.persistence.postgres.DatabaseException;
import dev.sequitur.persistence.postgres.PostgresExtension;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.concurrent.ExecutionContextExecutor;

/**
 * A lease in the node's database: when the JVMs of a node have lost sight of each other, the side
 * that has it stays. A node can do nothing without its database, so it depends on nothing new; and
 * of two JVMs the one that is left stays, which no majority can decide.
 *
 * <p>It is held for the time-out and renewed while its owner lives; the time is the database's.
 */
public final class DatabaseLease extends Lease {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseLease.class);

  private static final String ACQUIRE =
      "INSERT INTO lease (name, owner, until)"
          + " VALUES (?, ?, clock_timestamp() + ? * interval '1 millisecond')"
          + " ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, until = excluded.until"
          + " WHERE lease.owner = excluded.owner OR lease.until < clock_timestamp()";
  private static final String RENEW =
      "UPDATE lease SET until = clock_timestamp() + ? * interval '1 millisecond'"
          + " WHERE name = ? AND owner = ?";
  private static final String RELEASE = "DELETE FROM lease WHERE name = ? AND owner = ?";

  private final LeaseSettings settings;
  private final ExtendedActorSystem system;
  private final ExecutionContextExecutor executor;
  private final Rows rows;
  private final LongSupplier nanos;
  private final AtomicBoolean held = new AtomicBoolean();
  private final AtomicReference<Cancellable> renewal =
      new AtomicReference<>(Cancellable.alreadyCancelled());

  /** The table of leases. */
  interface Rows {
    /**
     * @return how many rows were changed
     */
    CompletionStage<Integer> change(String statement, Object... parameters);
  }

  /** For Akka, which makes one for each name. */
  public DatabaseLease(LeaseSettings settings, ExtendedActorSystem system) {
    this(settings, system, new InPostgres(system, executor(system)), System::nanoTime);
  }

  DatabaseLease(LeaseSettings settings, ExtendedActorSystem system, Rows rows, LongSupplier nanos) {
    this.settings = settings;
    this.system = system;
    this.executor = executor(system);
    this.rows = rows;
    this.nanos = nanos;
  }

  private static ExecutionContextExecutor executor(ExtendedActorSystem system) {
    return system.dispatchers().lookup("sequitur.persistence.postgresql.dispatcher");
  }

  @Override
  public LeaseSettings getSettings() {
    return settings;
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    return acquire(lost -> {});
  }

  @Override
  public CompletionStage<Boolean> acquire(Consumer<Optional<Throwable>> leaseLost) {
    // Who cannot ask ends itself; a database that is slow for a moment must not cost both sides.
    return new LeaseQuestion(
            () -> take().thenApply(changed -> changed == 1),
            this::giveBack,
            new LeaseQuestion.Timing(atMost(), system.scheduler(), executor, nanos))
        .ask()
        .thenApply(
            mine -> {
              held.set(mine);
              if (mine) {
                renewEvery(leaseLost);
              }
              return mine;
            });
  }

  private CompletionStage<Integer> take() {
    return rows.change(ACQUIRE, settings.leaseName(), settings.ownerName(), timeoutMillis());
  }

  private void giveBack() {
    var unused = rows.change(RELEASE, settings.leaseName(), settings.ownerName());
  }

  /** What was got in the first moment still holds then. */
  private Duration atMost() {
    var timeouts = settings.timeoutSettings();
    return Duration.ofMillis(
        Math.min(timeouts.operationTimeout().toMillis(), timeouts.heartbeatTimeout().toMillis()));
  }

  private void renewEvery(Consumer<Optional<Throwable>> leaseLost) {
    var interval = Duration.ofMillis(settings.timeoutSettings().heartbeatInterval().toMillis());
    var next =
        system
            .scheduler()
            .scheduleWithFixedDelay(interval, interval, () -> renew(leaseLost), executor);
    renewal.getAndSet(next).cancel();
  }

  private void renew(Consumer<Optional<Throwable>> leaseLost) {
    rows.change(RENEW, timeoutMillis(), settings.leaseName(), settings.ownerName())
        .whenComplete(
            (changed, failure) -> {
              // Whoever has given it back meanwhile has not lost it.
              if ((failure != null || changed != 1) && held.get()) {
                LOG.warn("The lease {} is lost", settings.leaseName(), failure);
                stopRenewing();
                leaseLost.accept(Optional.ofNullable(failure));
              }
            });
  }

  private void stopRenewing() {
    held.set(false);
    renewal.get().cancel();
  }

  @Override
  public CompletionStage<Boolean> release() {
    stopRenewing();
    return rows.change(RELEASE, settings.leaseName(), settings.ownerName())
        .thenApply(changed -> true);
  }

  @Override
  public boolean checkLease() {
    return held.get();
  }

  private long timeoutMillis() {
    return settings.timeoutSettings().heartbeatTimeout().toMillis();
  }

  private record InPostgres(ExtendedActorSystem system, Executor executor) implements Rows {
    @Override
    public CompletionStage<Integer> change(String sql, Object... parameters) {
      return CompletableFuture.supplyAsync(() -> changed(sql, parameters), executor);
    }

    private int changed(String sql, Object... parameters) {
      try {
        return PostgresExtension.get(system)
            .database()
            .transaction(
                connection -> {
                  try (var statement = connection.prepareStatement(sql)) {
                    for (int i = 0; i < parameters.length; i++) {
                      statement.setObject(i + 1, parameters[i]);
                    }
                    return statement.executeUpdate();
                  }
                });
      } catch (SQLException e) {
        throw new DatabaseException("The lease cannot be read or written.", e);
      }
    }
  }
}
