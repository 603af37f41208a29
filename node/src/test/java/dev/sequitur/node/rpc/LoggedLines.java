package dev.sequitur.node.rpc;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** What is written into the log from now on, warnings and errors. */
final class LoggedLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private static final Logger ROOT =
      (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  LoggedLines() {
    start();
    ROOT.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
      lines.add(event.getLevel() + " " + event.getLoggerName() + " " + event.getFormattedMessage());
    }
  }

  /** Those with {@code part}. */
  List<String> lines(String part) {
    return lines.stream().filter(line -> line.contains(part)).toList();
  }

  @Override
  public void close() {
    ROOT.detachAppender(this);
  }
}
