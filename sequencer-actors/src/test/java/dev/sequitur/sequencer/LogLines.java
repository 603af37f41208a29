package dev.sequitur.sequencer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What is logged from now on, whatever the tests' configuration leaves out of one class. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private static final Logger ROOT =
      (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

  private final List<String> texts = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Level before;

  /**
   * @param type whose information is logged, too
   */
  public LogLines(Class<?> type) {
    logger = (Logger) LoggerFactory.getLogger(type);
    before = logger.getLevel();
    logger.setLevel(Level.INFO);
    start();
    ROOT.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    texts.add(event.getLevel() + " " + event.getFormattedMessage());
  }

  /** Level and text of each line with {@code part}. */
  public List<String> lines(String part) {
    return texts.stream().filter(text -> text.contains(part)).toList();
  }

  @Override
  public void close() {
    ROOT.detachAppender(this);
    logger.setLevel(before);
    stop();
  }
}
