package dev.sequitur.persistence.leveldb;

import static dev.sequitur.persistence.leveldb.LevelDbFixture.SETTINGS;
import static dev.sequitur.persistence.leveldb.LevelDbFixture.key;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;

/**
 * Another JVM that writes numbered entries into a directory as fast as it can, and prints the
 * number of each one that was acknowledged.
 */
final class WritingProcess implements AutoCloseable {
  private static final int IN_FLIGHT = 50;

  private final Process process;
  private final BufferedReader acknowledged;

  private WritingProcess(Process process) {
    this.process = process;
    this.acknowledged = process.inputReader();
  }

  static WritingProcess start(Path directory) {
    try {
      return new WritingProcess(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  WritingProcess.class.getName(),
                  directory.toString())
              .redirectError(Redirect.INHERIT)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next number that the process was told is stored. */
  long nextAcknowledged() {
    try {
      String line = acknowledged.readLine();
      if (line == null) {
        throw new IllegalStateException("the writing process has ended");
      }
      return Long.parseLong(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills it as kill -9 does, and returns when it is gone. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The other JVM. */
  public static void main(String[] arguments) throws InterruptedException {
    Semaphore permits = new Semaphore(IN_FLIGHT);
    try (LevelDb levelDb = LevelDb.open(Path.of(arguments[0]), SETTINGS)) {
      for (long number = 1; ; number++) {
        permits.acquire();
        long written = number;
        levelDb
            .write(batch -> batch.put(key(written), new byte[500]))
            .thenRun(
                () -> {
                  System.out.println(written);
                  permits.release();
                });
      }
    }
  }
}
