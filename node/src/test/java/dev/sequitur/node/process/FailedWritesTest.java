package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.persistence.typed.internal.JournalFailureException;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import dev.sequitur.persistence.journal.LevelDb;
import dev.sequitur.persistence.journal.LevelDbSettings;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator reads once why nothing is stored, and not at each try. */
class FailedWritesTest {
  private final FailedWrites filter = new FailedWrites();

  private FilterReply reply(Throwable thrown) {
    Logger logger = new LoggerContext().getLogger("some.actor");
    return filter.decide(
        new LoggingEvent("caller", logger, Level.ERROR, "It failed.", thrown, new Object[0]));
  }

  private static Throwable ofAkka(Throwable cause) {
    return new JournalFailureException("Failed to persist event", new CompletionException(cause));
  }

  @Test
  void whatHasNothingToDoWithStoringIsLetThrough() {
    assertThat(reply(null)).isEqualTo(FilterReply.NEUTRAL);
    assertThat(reply(new IllegalStateException("broken"))).isEqualTo(FilterReply.NEUTRAL);
    assertThat(reply(new IllegalStateException("broken"))).isEqualTo(FilterReply.NEUTRAL);
  }

  @Test
  void ofAFullDiskNothingIsLeftToSay(@TempDir Path directory) {
    var settings = new LevelDbSettings(true, 10, 1 << 20, 1 << 20, Long.MAX_VALUE);
    try (var full = LevelDb.open(directory, settings)) {
      var refused = catchThrowable(full::checkWritable);

      assertThat(reply(refused)).as("who says it first").isEqualTo(FilterReply.NEUTRAL);
      assertThat(reply(ofAkka(refused))).isEqualTo(FilterReply.DENY);
    }
  }

  @Test
  void ofEachOtherCauseOneLineIsLetThrough() {
    assertThat(reply(ofAkka(new IllegalStateException("away")))).isEqualTo(FilterReply.NEUTRAL);
    assertThat(reply(ofAkka(new IllegalStateException("away")))).isEqualTo(FilterReply.DENY);
    assertThat(reply(ofAkka(new ArithmeticException("odd")))).isEqualTo(FilterReply.NEUTRAL);
  }
}
