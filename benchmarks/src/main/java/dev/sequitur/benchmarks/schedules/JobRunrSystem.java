package dev.sequitur.benchmarks.schedules;

import static org.jobrunr.scheduling.JobBuilder.aJob;

import com.zaxxer.hikari.HikariDataSource;
import dev.sequitur.benchmarks.schedules.ScheduledSystem.Due;
import java.time.Duration;
import java.util.List;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;

/** JobRunr, the open-source edition, with the shortest polling interval it allows, five seconds. */
final class JobRunrSystem implements ScheduledSystem {
  private static final int WORKERS = 50;

  private final HikariDataSource pool;
  private final JobScheduler scheduler;
  private final BackgroundJobServer server;

  JobRunrSystem(Database database) {
    pool = database.pool();
    var settings =
        BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
            .andPollInterval(Duration.ofSeconds(5))
            .andScheduledJobsRequestSize(5_000)
            .andWorkerCount(WORKERS);
    scheduler =
        JobRunr.configure()
            .useStorageProvider(new PostgresStorageProvider(pool))
            .useBackgroundJobServer(settings)
            .initialize()
            .getJobScheduler();
    server = JobRunr.getBackgroundJobServer();
  }

  @Override
  public void schedule(List<Due> schedules) {
    scheduler.create(schedules.stream().map(JobRunrSystem::job));
  }

  private static org.jobrunr.scheduling.JobBuilder job(Due due) {
    int number = due.number();
    return aJob().scheduleAt(due.at()).withDetails(() -> Work.run(number));
  }

  @Override
  public void hold() {
    server.pauseProcessing();
  }

  @Override
  public void release() {
    server.resumeProcessing();
  }

  @Override
  public int open() {
    return Database.count(
        pool,
        "SELECT count(*) FROM jobrunr_jobs WHERE state IN ('SCHEDULED', 'ENQUEUED', 'PROCESSING')");
  }

  @Override
  public void close() {
    JobRunr.destroy();
    pool.close();
  }

  /** Called by JobRunr by its name. */
  public static final class Work {
    private Work() {}

    public static void run(int number) {
      Runs.ran(number);
    }
  }
}
