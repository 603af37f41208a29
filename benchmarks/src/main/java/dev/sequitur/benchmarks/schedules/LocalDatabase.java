package dev.sequitur.benchmarks.schedules;

import dev.sequitur.persistence.postgres.LocalServer;
import dev.sequitur.persistence.postgres.PostgresSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A PostgreSQL of its own for one measurement, with its defaults; its data are removed at the end.
 */
public record LocalDatabase(LocalServer server, Path stored) implements AutoCloseable {

  /**
   * @throws IllegalStateException if there are no programs of PostgreSQL
   */
  public static LocalDatabase start() throws IOException {
    var programs =
        LocalServer.programs()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "There is no PostgreSQL here: install Debian's package postgresql."));
    // PostgreSQL runs as another user, who may look into a directory of this kind only.
    var stored = Files.createTempDirectory("sequitur-postgres-");
    return new LocalDatabase(LocalServer.start(programs, stored, freePort()), stored);
  }

  PostgresSettings settings() {
    return settings(url(), server.user());
  }

  static PostgresSettings settings(String url, String user) {
    return new PostgresSettings(url, user, "", "sequitur");
  }

  /** With the password, so that other processes of the measurement get in. */
  String url() {
    return server.url() + "?password=" + server.password();
  }

  /**
   * What its processes have used of the processors; those that have ended, of which each connection
   * had one, are not counted.
   */
  public double cpuSeconds() {
    try {
      var file = stored.resolve("data").resolve("postmaster.pid");
      long first = Long.parseLong(Files.readAllLines(file).get(0).strip());
      return ProcessHandle.of(first).stream()
          .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
          .flatMap(process -> process.info().totalCpuDuration().stream())
          .mapToDouble(used -> used.toNanos() / 1e9)
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException("The database does not say which process it is.", e);
    }
  }

  static int freePort() {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("There is no port left.", e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    try (var files = Files.walk(stored)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }
}
