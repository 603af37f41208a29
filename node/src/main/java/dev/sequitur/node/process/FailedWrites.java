package dev.sequitur.node.process;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import dev.sequitur.links.admission.SeldomLines;
import dev.sequitur.persistence.leveldb.LevelDbException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps out of the log what Akka says whenever an actor cannot store its events: it stops the
 * actor, with an error and its trace, and the actor is woken again and again. The same goes for
 * sharding, which stores whom it has to wake: twice a second and more. Why nothing is stored is
 * told once by whoever knows it, and by health for as long as it lasts. Of a full disk nothing is
 * left to say; any other cause has one line in ten minutes. Thread-safe.
 */
public final class FailedWrites extends Filter<ILoggingEvent> {
  private static final String WRITE_FAILED =
      "akka.persistence.typed.internal.JournalFailureException";

  /** Of an actor that is none of the typed ones. */
  private static final List<String> NOT_STORED =
      List.of("Failed to persist event type", "Rejected to persist event type");

  /** What sharding says after that. */
  private static final List<String> CONSEQUENCES =
      List.of("Remember entities store [", "The ShardCoordinator stopping because the remember");

  private final SeldomLines lines = new SeldomLines(System::nanoTime);

  @Override
  public FilterReply decide(ILoggingEvent event) {
    if (isOfAkka(event) && says(event, CONSEQUENCES)) {
      return FilterReply.DENY;
    }
    var causes = causes(event);
    boolean isOfAWrite =
        causes.contains(WRITE_FAILED)
            || (isOfAkka(event) && says(event, NOT_STORED) && !causes.isEmpty());
    if (!isOfAWrite) {
      return FilterReply.NEUTRAL;
    }
    boolean isTold = causes.contains(LevelDbException.DiskFull.class.getName());
    return !isTold && lines.due(causes.getLast()).isPresent()
        ? FilterReply.NEUTRAL
        : FilterReply.DENY;
  }

  private static boolean isOfAkka(ILoggingEvent event) {
    return event.getLoggerName().startsWith("akka.");
  }

  /** Sharding names the entity type before it says so. */
  private static boolean says(ILoggingEvent event, List<String> beginnings) {
    return beginnings.stream().anyMatch(event.getFormattedMessage()::contains);
  }

  /** The classes of what was thrown, the first cause last. */
  private static List<String> causes(ILoggingEvent event) {
    var causes = new ArrayList<String>();
    for (IThrowableProxy each = event.getThrowableProxy(); each != null; each = each.getCause()) {
      causes.add(each.getClassName());
    }
    return causes;
  }
}
