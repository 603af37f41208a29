package dev.sequitur.benchmarks.schedules;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import dev.sequitur.benchmarks.schedules.ScheduledSystem.Due;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * db-scheduler for throughput, as its documentation advises: lock-and-fetch, up to four times as
 * many executions fetched as there are threads, many threads, and a short polling interval.
 */
final class DbScheduler implements ScheduledSystem {
  private static final int THREADS = 50;
  private static final String TABLE =
      """
      CREATE TABLE scheduled_tasks (
        task_name text NOT NULL,
        task_instance text NOT NULL,
        task_data bytea,
        execution_time timestamptz NOT NULL,
        picked boolean NOT NULL,
        picked_by text,
        last_success timestamptz,
        last_failure timestamptz,
        consecutive_failures int,
        last_heartbeat timestamptz,
        version bigint NOT NULL,
        priority smallint,
        PRIMARY KEY (task_name, task_instance));
      CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
      CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
      """;

  private final HikariDataSource pool;
  private final OneTimeTask<Void> task;
  private final Scheduler scheduler;

  DbScheduler(Database database) {
    pool = database.pool();
    Database.execute(pool, TABLE);
    task =
        Tasks.oneTime("run")
            .execute((instance, context) -> Runs.ran(Integer.parseInt(instance.getId())));
    scheduler =
        Scheduler.create(pool, task)
            .threads(THREADS)
            .pollUsingLockAndFetch(1.0, 4.0)
            .pollingInterval(Duration.ofMillis(10))
            .build();
    scheduler.start();
  }

  @Override
  public void schedule(List<Due> schedules) {
    var instances = new ArrayList<SchedulableInstance<?>>(schedules.size());
    for (var due : schedules) {
      instances.add(SchedulableInstance.of(task.instance("" + due.number()), due.at()));
    }
    scheduler.scheduleBatch(instances);
  }

  @Override
  public void hold() {
    scheduler.pause();
  }

  @Override
  public void release() {
    scheduler.resume();
  }

  /** An execution that is complete is deleted. */
  @Override
  public int open() {
    return Database.count(pool, "SELECT count(*) FROM scheduled_tasks");
  }

  @Override
  public void close() {
    scheduler.stop();
    pool.close();
  }
}
