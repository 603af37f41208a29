package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import akka.persistence.typed.internal.JournalFailureException;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.spi.FilterReply;
import dev.sequitur.persistence.leveldb.LevelDb;
import dev.sequitur.persistence.leveldb.LevelDbSettings;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator reads once why nothing is stored, and not at each try. */
class FailedWritesTest {
  private final FailedWrites filter = new FailedWrites();

  private FilterReply reply(Throwable thrown) {
    return reply("some.actor", "It failed.", thrown);
  }

  private FilterReply reply(String actor, String message, Throwable thrown) {
    Logger logger = new LoggerContext().getLogger(actor);
    return filter.decide(
        new LoggingEvent("caller", logger, Level.ERROR, message, thrown, new Object[0]));
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

  /** In the words of Akka 2.8.5, as a node said them each half second on a full disk. */
  @Test
  void ofShardsThatCannotStoreWhomTheyWakeNothingIsSaid(@TempDir Path directory) {
    var settings = new LevelDbSettings(true, 10, 1 << 20, 1 << 20, Long.MAX_VALUE);
    try (var full = LevelDb.open(directory, settings)) {
      var refused = catchThrowable(full::checkWritable);
      var notStored =
          "Failed to persist event type [java.lang.String] with sequence number [2] for"
              + " persistenceId [/sharding/submitterShard/106].";
      var store = "akka.cluster.sharding.internal.EventSourcedRememberEntitiesShardStore";
      var crashed = "Remember entities store [Actor[akka://solo/system/sharding/x#1]] crashed";

      assertThat(reply(store, notStored, refused)).isEqualTo(FilterReply.DENY);
      assertThat(reply("akka.actor.OneForOneStrategy", crashed, new IllegalStateException(crashed)))
          .isEqualTo(FilterReply.DENY);
      assertThat(
              reply(
                  "akka.cluster.sharding.DDataShardCoordinator",
                  "submitter: The ShardCoordinator stopping because the remember entities store"
                      + " stopped",
                  null))
          .isEqualTo(FilterReply.DENY);

      var away = new IllegalStateException("away");
      assertThat(reply(store, notStored, away)).as("once").isEqualTo(FilterReply.NEUTRAL);
      assertThat(reply(store, notStored, away)).isEqualTo(FilterReply.DENY);
      assertThat(reply("dev.sequitur.Some", notStored, away)).isEqualTo(FilterReply.NEUTRAL);
    }
  }

  @Test
  void ofEachOtherCauseOneLineIsLetThrough() {
    assertThat(reply(ofAkka(new IllegalStateException("away")))).isEqualTo(FilterReply.NEUTRAL);
    assertThat(reply(ofAkka(new IllegalStateException("away")))).isEqualTo(FilterReply.DENY);
    assertThat(reply(ofAkka(new ArithmeticException("odd")))).isEqualTo(FilterReply.NEUTRAL);
  }
}
