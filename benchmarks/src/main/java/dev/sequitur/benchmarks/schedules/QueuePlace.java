package dev.sequitur.benchmarks.schedules;

import dev.sequitur.benchmarks.Resources;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.SchedulerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where the queues of a measurement lie, new and with fsync: in an embedded journal, or in a
 * PostgreSQL of its own.
 */
record QueuePlace(Path directory, Optional<LocalDatabase> database) implements AutoCloseable {
  static QueuePlace create(boolean postgres) throws IOException {
    return new QueuePlace(
        Files.createTempDirectory("sequitur-schedules-"),
        postgres ? Optional.of(LocalDatabase.start()) : Optional.empty());
  }

  /** Starts a scheduler over what lies there. */
  SchedulerSystem start(QueueSetup queues, SchedulerSettings settings) {
    return database
        .map(
            server ->
                SchedulerSystem.onPostgres(
                    server.settings(), List.of(LocalDatabase.freePort()), queues, settings))
        .orElseGet(() -> SchedulerSystem.embedded(directory, queues, settings));
  }

  /** What this JVM and the database's processes have used of the processors so far. */
  double cpuSeconds() {
    double own = Resources.now().cpuSeconds();
    return own + database.map(LocalDatabase::cpuSeconds).orElse(0.0);
  }

  @Override
  public void close() throws IOException {
    if (database.isPresent()) {
      database.get().close();
    }
  }
}
