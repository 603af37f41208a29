package dev.sequitur.benchmarks.schedules;

import com.zaxxer.hikari.HikariDataSource;
import dev.sequitur.benchmarks.schedules.ScheduledSystem.Due;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/**
 * Quartz with its clustered JDBC store, tuned as its documentation advises for many short jobs: a
 * batch of triggers is acquired under one lock, as many as there are threads.
 */
final class QuartzJdbc implements ScheduledSystem {
  private static final int THREADS = 50;
  private static final JobDetail JOB =
      JobBuilder.newJob(NumberedJob.class).withIdentity("run").storeDurably().build();

  private final HikariDataSource pool;
  private final Scheduler scheduler;

  QuartzJdbc(Database database) {
    pool = database.pool();
    Database.execute(pool, tables());
    try {
      scheduler = new StdSchedulerFactory(settings(database)).getScheduler();
      scheduler.addJob(JOB, true);
      scheduler.start();
    } catch (SchedulerException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String tables() {
    try (var script =
        Scheduler.class.getResourceAsStream("/org/quartz/impl/jdbcjobstore/tables_postgres.sql")) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Properties settings(Database database) {
    var settings = new Properties();
    settings.putAll(
        Map.ofEntries(
            Map.entry("org.quartz.scheduler.instanceName", "benchmark"),
            Map.entry("org.quartz.scheduler.instanceId", "AUTO"),
            Map.entry("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", "" + THREADS),
            Map.entry("org.quartz.threadPool.threadCount", "" + THREADS),
            Map.entry("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX"),
            Map.entry(
                "org.quartz.jobStore.driverDelegateClass",
                "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate"),
            Map.entry("org.quartz.jobStore.useProperties", "true"),
            Map.entry("org.quartz.jobStore.isClustered", "true"),
            Map.entry("org.quartz.jobStore.acquireTriggersWithinLock", "true"),
            Map.entry("org.quartz.jobStore.misfireThreshold", "3600000"),
            Map.entry("org.quartz.jobStore.dataSource", "benchmark"),
            Map.entry("org.quartz.dataSource.benchmark.provider", "hikaricp"),
            Map.entry("org.quartz.dataSource.benchmark.driver", "org.postgresql.Driver"),
            Map.entry("org.quartz.dataSource.benchmark.URL", database.url()),
            Map.entry("org.quartz.dataSource.benchmark.user", database.user()),
            Map.entry("org.quartz.dataSource.benchmark.maxConnections", "" + (THREADS + 5))));
    return settings;
  }

  /** One job with many triggers, stored under one lock. */
  @Override
  public void schedule(List<Due> schedules) {
    Set<Trigger> triggers = schedules.stream().map(QuartzJdbc::trigger).collect(Collectors.toSet());
    try {
      scheduler.scheduleJobs(Map.of(JOB, triggers), true);
    } catch (SchedulerException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Trigger trigger(Due due) {
    return TriggerBuilder.newTrigger()
        .withIdentity("t" + due.number())
        .forJob(JOB)
        .usingJobData("number", "" + due.number())
        .startAt(Date.from(due.at()))
        .build();
  }

  @Override
  public void hold() {
    try {
      scheduler.standby();
    } catch (SchedulerException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void release() {
    try {
      scheduler.start();
    } catch (SchedulerException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A trigger that never fires again is deleted; what runs has a row of its own. */
  @Override
  public int open() {
    return Database.count(
        pool,
        "SELECT (SELECT count(*) FROM qrtz_triggers)"
            + " + (SELECT count(*) FROM qrtz_fired_triggers WHERE state = 'EXECUTING')");
  }

  @Override
  public void close() {
    try {
      scheduler.shutdown(false);
    } catch (SchedulerException e) {
      throw new IllegalStateException(e);
    }
    pool.close();
  }

  /** Made by Quartz for each run. */
  public static final class NumberedJob implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      Runs.ran(Integer.parseInt(context.getMergedJobDataMap().getString("number")));
    }
  }
}
