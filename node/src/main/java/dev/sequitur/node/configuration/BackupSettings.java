package dev.sequitur.node.configuration;

import dev.sequitur.schedule.recurring.CronCadence;
import dev.sequitur.schedule.recurring.CronExpression;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a node's backups are, how fast they are made, and when.
 *
 * @param directory empty if the node makes none
 * @param bytesPerSecond that one reads at the most
 * @param keep so many of them
 * @param schedule when the node begins one by itself
 */
public record BackupSettings(
    Optional<Path> directory, long bytesPerSecond, int keep, Optional<CronCadence> schedule) {
  /** The newest is kept, and somebody asks for each. */
  public BackupSettings(Optional<Path> directory, long bytesPerSecond) {
    this(directory, bytesPerSecond, 1, Optional.empty());
  }

  /** None are made. */
  public static final BackupSettings NONE = new BackupSettings(Optional.empty(), 128L << 20);

  private static final int MOST = 1_000;

  /** Slower than this a backup would keep the database from tidying up for too long. */
  private static final long SLOWEST = 1L << 20;

  static BackupSettings read(ConfigurationReader reader) {
    var settings =
        new BackupSettings(
            reader.optionalPath("backup.directory"),
            reader.wholeNumber("backup.bytes-per-second", SLOWEST, Long.MAX_VALUE),
            reader.integer("backup.keep", 1, MOST),
            schedule(reader));
    if (settings.schedule().isPresent() && settings.directory().isEmpty()) {
      reader.mistake(
          "backup.schedule says when backups are made, and nothing where: set backup.directory, too.");
    }
    return settings;
  }

  private static Optional<CronCadence> schedule(ConfigurationReader reader) {
    var written = reader.text("backup.schedule");
    var zone = reader.text("backup.zone");
    if (written.isBlank()) {
      return Optional.empty();
    }
    var expression =
        reader.built(
            "backup.schedule",
            () -> Optional.of(new CronExpression(written)),
            Optional.<CronExpression>empty());
    return expression.flatMap(
        times ->
            reader.built(
                "backup.zone",
                () -> Optional.of(new CronCadence(times, zone)),
                Optional.<CronCadence>empty()));
  }
}
