package dev.sequitur.benchmarks.schedules;

import java.util.Arrays;

/** What can be measured, by the names of the command line. */
enum SystemKind {
  DB_SCHEDULER("db-scheduler"),
  QUARTZ("quartz"),
  JOBRUNR("jobrunr");

  private final String title;

  SystemKind(String title) {
    this.title = title;
  }

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

  ScheduledSystem start(Database database) {
    return switch (this) {
      case DB_SCHEDULER -> new DbScheduler(database);
      case QUARTZ -> new QuartzJdbc(database);
      case JOBRUNR -> new JobRunrSystem(database);
    };
  }
}
