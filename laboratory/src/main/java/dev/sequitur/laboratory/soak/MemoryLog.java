package dev.sequitur.laboratory.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How much memory each process holds: its resident set, as Linux tells it, and what is left on its
 * heap after a collection. Confined to one thread.
 */
final class MemoryLog {
  private static final String RESIDENT = "VmRSS:";

  private final Map<String, Use> uses = new LinkedHashMap<>();
  private final Map<String, Live> live = new LinkedHashMap<>();

  /**
   * Whichever process had the name then. All in kilobytes; empty where nobody could tell.
   *
   * @param resident over all looks
   * @param live after the collections
   * @param age of the process at the last look: a killed one begins anew
   */
  record Use(Optional<Resident> resident, Optional<Live> live, Duration age) {
    Use {
      if (age.isNegative()) {
        throw new IllegalArgumentException("No process is younger than new: " + age);
      }
    }
  }

  /** At the first look, at the last, and the most at any. */
  record Resident(long start, long end, long most) {
    Resident and(long now) {
      return new Resident(start, now, Math.max(most, now));
    }
  }

  /** After the first collection, and after the last. */
  record Live(long start, long end) {}

  /** Looks at all processes. */
  void look(Map<String, Long> processes) {
    processes.forEach(
        (name, pid) -> {
          var before = Optional.ofNullable(uses.get(name)).flatMap(Use::resident);
          var now = resident(pid);
          var resident =
              now.isPresent()
                  ? Optional.of(
                      before.orElse(new Resident(now.getAsLong(), 0, 0)).and(now.getAsLong()))
                  : before;
          uses.put(name, new Use(resident, Optional.empty(), age(pid)));
        });
  }

  /** Collects the garbage of all processes, and looks at what is left. Blocks. */
  void collect(Map<String, Long> processes) {
    processes.forEach(
        (name, pid) ->
            LiveHeap.kilobytes(pid)
                .ifPresent(
                    now -> {
                      long first = live.getOrDefault(name, new Live(now, now)).start();
                      live.put(name, new Live(first, now));
                    }));
  }

  private static Duration age(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().startInstant())
        .map(start -> Duration.between(start, Instant.now()))
        .filter(age -> !age.isNegative())
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
    var all = new LinkedHashMap<String, Use>();
    uses.forEach(
        (name, use) ->
            all.put(name, new Use(use.resident(), Optional.ofNullable(live.get(name)), use.age())));
    return all;
  }
}
