package dev.sequitur.laboratory.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** What is left on another JVM's heap after a collection, as the JDK's jcmd tells it. */
final class LiveHeap {
  private static final long PATIENCE_SECONDS = 60;
  private static final long KILOBYTE = 1024;
  private static final String TOTAL = "Total";

  private LiveHeap() {}

  /**
   * Has the process collect its garbage and count what is left. Blocks.
   *
   * @return empty if the JDK has no jcmd, or the process is no JVM of this user or does not answer
   */
  static OptionalLong kilobytes(long pid) {
    try {
      var output = Files.createTempFile("sequitur-heap-", ".txt");
      try {
        // A histogram counts what lives, and collects the garbage for that.
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var process =
            new ProcessBuilder(jcmd, "" + pid, "GC.class_histogram")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
        return total(Files.readString(output, StandardCharsets.UTF_8));
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      return OptionalLong.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalLong.empty();
    }
  }

  /** Of a histogram, whose last line is the sum of instances and bytes. */
  static OptionalLong total(String histogram) {
    return histogram
        .lines()
        .map(line -> line.strip().split("\\s+"))
        .filter(words -> words.length == 3 && words[0].equals(TOTAL))
        .mapToLong(words -> Long.parseLong(words[2]) / KILOBYTE)
        .findFirst();
  }
}
