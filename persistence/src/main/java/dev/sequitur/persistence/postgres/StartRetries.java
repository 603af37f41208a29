package dev.sequitur.persistence.postgres;

import com.zaxxer.hikari.pool.HikariPool;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.port.Answers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries again, with longer and longer pauses, what a JVM cannot start without: its database may be
 * slow, or come up later than the JVM. What waiting does not mend fails at once.
 *
 * @param patience for each attempt's success; the last attempt may begin just before its end
 */
record StartRetries(PostgresSettings settings, Duration patience) {
  private static final Logger LOG = LoggerFactory.getLogger(StartRetries.class);
  private static final Backoff PAUSES = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(5));

  /**
   * Classes of SQL states: no connection, in conflict with others, no resources left, locked, and
   * the server starts or stops.
   */
  private static final Set<String> PASSING = Set.of("08", "40", "53", "55", "57");

  interface Attempt<T> {
    T make() throws SQLException;
  }

  /**
   * Blocks the calling thread.
   *
   * @throws DatabaseException with a sentence that says what to do
   */
  <T> T run(Attempt<T> attempt) {
    long until = System.nanoTime() + patience.toNanos();
    var pause = PAUSES.initial();
    while (true) {
      Exception failure;
      try {
        return attempt.make();
      } catch (SQLException | HikariPool.PoolInitializationException e) {
        failure = e;
      }
      long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (left <= 0 || !isPassing(failure)) {
        throw refused(failure);
      }
      LOG.warn(
          "The database {} cannot be used yet ({}). It is tried for {} s more.",
          settings,
          oneLine(failure),
          TimeUnit.MILLISECONDS.toSeconds(left));
      sleep(Math.min(pause.toMillis(), left));
      pause = PAUSES.longer(pause);
    }
  }

  private static void sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DatabaseException("Interrupted while waiting for the database.", e);
    }
  }

  /** Who waits for a connection of the pool in vain is told no state at all. */
  private static boolean isPassing(Exception failure) {
    return DatabaseTrouble.of(failure) != DatabaseTrouble.USER_REFUSED
        && DatabaseTrouble.innermostState(failure)
            .map(state -> PASSING.contains(state.substring(0, 2)))
            .orElse(true);
  }

  private DatabaseException refused(Exception failure) {
    return new DatabaseException(
        "The database %s %s (%s)."
            .formatted(settings, DatabaseTrouble.of(failure).what(), oneLine(failure)),
        failure);
  }

  private static String oneLine(Exception failure) {
    var cause = Answers.root(failure);
    var message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    return message.isBlank() ? cause.getClass().getSimpleName().toLowerCase(Locale.ROOT) : message;
  }
}
