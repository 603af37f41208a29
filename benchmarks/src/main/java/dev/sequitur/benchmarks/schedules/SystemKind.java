package dev.sequitur.benchmarks.schedules;

import java.nio.file.Path;
import java.util.Arrays;

/** What can be measured, by the names of the command line. */
enum SystemKind {
  DB_SCHEDULER("db-scheduler"),
  QUARTZ("quartz"),
  JOBRUNR("jobrunr"),
  SEQUITUR_EMBEDDED("sequitur-leveldb"),
  SEQUITUR_POSTGRES("sequitur-postgres");

  private final String title;

  SystemKind(String title) {
    this.title = title;
  }

  /**
   * Where a system is to be.
   *
   * @param directory its own, for what does not lie in the database
   * @param port free, on loopback
   * @param embedded whether it lies in the directory
   */
  record Place(Database database, Path directory, int port, boolean embedded) {}

  String title() {
    return title;
  }

  /**
   * @throws IllegalArgumentException with the names there are
   */
  static SystemKind of(String title) {
    return Arrays.stream(values())
        .filter(kind -> kind.title.equals(title))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no system "
                        + title
                        + ": name some of "
                        + Arrays.stream(values()).map(SystemKind::title).toList()
                        + "."));
  }

  ScheduledSystem start(Database database, Path directory, int port) {
    return switch (this) {
      case DB_SCHEDULER -> new DbScheduler(database);
      case QUARTZ -> new QuartzJdbc(database);
      case JOBRUNR -> new JobRunrSystem(database);
      case SEQUITUR_EMBEDDED -> SequiturQueue.start(new Place(database, directory, port, true));
      case SEQUITUR_POSTGRES -> SequiturQueue.start(new Place(database, directory, port, false));
    };
  }
}
