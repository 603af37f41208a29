package dev.sequitur.node.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How much memory each process holds: its resident set, as Linux tells it; elsewhere nothing.
 * Confined to one thread.
 */
final class MemoryLog {
  private static final String RESIDENT = "VmRSS:";

  private final Map<String, Use> uses = new LinkedHashMap<>();

  /**
   * Kilobytes of a process at the first look, at the last, and the most at any look, whichever
   * process had the name then.
   *
   * @param age of the process at the last look: a killed one begins anew
   */
  record Use(long first, long last, long most, Duration age) {}

  /** Looks at all processes. */
  void look(Map<String, Long> processes) {
    processes.forEach(
        (name, pid) -> {
          var now = resident(pid);
          if (now.isPresent()) {
            long kilobytes = now.getAsLong();
            var before = uses.getOrDefault(name, new Use(kilobytes, 0, 0, Duration.ZERO));
            uses.put(
                name,
                new Use(before.first(), kilobytes, Math.max(before.most(), kilobytes), age(pid)));
          }
        });
  }

  private static Duration age(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().startInstant())
        .map(start -> Duration.between(start, Instant.now()))
        .orElse(Duration.ZERO);
  }

  private static OptionalLong resident(long pid) {
    var status = Path.of("/proc", "" + pid, "status");
    if (!Files.isReadable(status)) {
      return OptionalLong.empty();
    }
    try (var lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith(RESIDENT))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst();
    } catch (IOException | UncheckedIOException e) {
      // It has ended meanwhile.
      return OptionalLong.empty();
    }
  }

  Map<String, Use> uses() {
    return new LinkedHashMap<>(uses);
  }
}
