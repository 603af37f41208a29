package dev.sequitur.node.process;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import dev.sequitur.cluster.admission.SeldomLines;
import dev.sequitur.persistence.journal.LevelDbException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps out of the log what Akka says whenever an actor cannot store its events: it stops the
 * actor, with an error and its trace, and the actor is woken again and again. Why nothing is stored
 * is told once by whoever knows it, and by health for as long as it lasts. Of a full disk nothing
 * is left to say; any other cause has one line in ten minutes. Thread-safe.
 */
public final class FailedWrites extends Filter<ILoggingEvent> {
  private static final String WRITE_FAILED =
      "akka.persistence.typed.internal.JournalFailureException";

  private final SeldomLines lines = new SeldomLines(System::nanoTime);

  @Override
  public FilterReply decide(ILoggingEvent event) {
    var causes = causes(event);
    if (!causes.contains(WRITE_FAILED)) {
      return FilterReply.NEUTRAL;
    }
    boolean isTold = causes.contains(LevelDbException.DiskFull.class.getName());
    return !isTold && lines.due(causes.getLast()).isPresent()
        ? FilterReply.NEUTRAL
        : FilterReply.DENY;
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
