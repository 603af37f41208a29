package dev.sequitur.node.rpc.method;

import dev.sequitur.console.Release;
import dev.sequitur.console.diagnosis.LogTail;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.node.rpc.Diagnosable;
import dev.sequitur.protocol.guard.MethodGroup;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * What {@code sequitur diagnose} asks for. Neither the store nor an actor is asked, so that a node
 * that cannot do anything else still tells it.
 */
record DiagnosisMethods(NodeContext context) {
  private static final int MOST_THREADS = 2_000;
  private static final int MOST_FRAMES = 100;

  /**
   * The process as it is now.
   *
   * @param java release and maker
   * @param system kind, release and architecture, and the number of processors
   * @param started when the process began
   */
  private record Diagnosis(
      String version,
      String java,
      String system,
      Instant started,
      String configuration,
      String threads,
      Optional<String> log) {}

  private static final ObjectShape<Diagnosis> DIAGNOSIS =
      ObjectShape.<Diagnosis>named("Diagnosis")
          .with("version", Formats.TEXT, Diagnosis::version)
          .with("java", Formats.TEXT, Diagnosis::java)
          .with("system", Formats.TEXT, Diagnosis::system)
          .with("started", Formats.TEXT, diagnosis -> diagnosis.started().toString())
          .with(
              "configuration",
              Formats.TEXT,
              Diagnosis::configuration,
              "HOCON, with defaults and without secrets")
          .with("threads", Formats.TEXT, Diagnosis::threads, "where each thread stands")
          .maybe(
              "log",
              Formats.TEXT,
              Diagnosis::log,
              "its end, a mebibyte at most; left out if the process writes no file");

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.of(
                MethodGroup.OPERATE,
                "node_diagnose",
                List.of(),
                DIAGNOSIS,
                "`{version, java, system, started, configuration, threads, log}`",
                "What the process that is asked can tell of itself to who looks for a fault. It holds no"
                    + " passwords, tokens or keys, and no contents of transactions or states.",
                // It reads a file.
                call ->
                    CompletableFuture.supplyAsync(
                        () -> diagnosis(context.diagnosable()),
                        task -> Thread.ofVirtual().name("diagnosis").start(task)))
            .withLooks(true));
  }

  private static Diagnosis diagnosis(Diagnosable process) {
    var machine = ManagementFactory.getOperatingSystemMXBean();
    var runtime = ManagementFactory.getRuntimeMXBean();
    return new Diagnosis(
        Release.name(),
        "%s (%s)".formatted(Runtime.version(), runtime.getVmVendor()),
        "%s %s %s, %d processors"
            .formatted(
                machine.getName(),
                machine.getVersion(),
                machine.getArch(),
                machine.getAvailableProcessors()),
        Instant.ofEpochMilli(runtime.getStartTime()),
        process.configuration(),
        threads(),
        process.log().map(DiagnosisMethods::end));
  }

  private static String threads() {
    var all = ManagementFactory.getThreadMXBean();
    var deadlocked = Optional.ofNullable(all.findDeadlockedThreads()).orElse(new long[0]);
    return (deadlocked.length == 0 ? "" : "DEADLOCKED: " + Arrays.toString(deadlocked) + "\n\n")
        + Arrays.stream(all.dumpAllThreads(false, false, MOST_FRAMES))
            .sorted(Comparator.comparing(ThreadInfo::getThreadName))
            .limit(MOST_THREADS)
            .map(DiagnosisMethods::thread)
            .collect(Collectors.joining("\n"));
  }

  private static String thread(ThreadInfo thread) {
    var waits =
        Optional.ofNullable(thread.getLockName())
            .map(lock -> " on " + lock)
            .orElse("")
            .concat(
                thread.getLockOwnerName() == null
                    ? ""
                    : " held by " + thread.getLockOwnerId() + " " + thread.getLockOwnerName());
    return "%d %s: %s%s\n%s"
        .formatted(
            thread.getThreadId(),
            thread.getThreadName(),
            thread.getThreadState(),
            waits,
            Arrays.stream(thread.getStackTrace())
                .map(frame -> "    at " + frame + "\n")
                .collect(Collectors.joining()));
  }

  private static String end(Path log) {
    try {
      return LogTail.of(log);
    } catch (IOException e) {
      // All else can be told.
      return "The log cannot be read: " + e + "\n";
    }
  }
}
