package dev.sequitur.benchmarks.schedules;

import dev.sequitur.persistence.postgres.LocalServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * A PostgreSQL of its own for one measurement, with its defaults; its data are removed at the end.
 */
record LocalDatabase(LocalServer server, Path stored) implements AutoCloseable {

  /**
   * @throws IllegalStateException if there are no programs of PostgreSQL
   */
  static LocalDatabase start() throws IOException {
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

  Database database() {
    return new Database(url(), server.user());
  }

  /** With the password, so that other processes of the measurement get in. */
  String url() {
    return server.url() + "?password=" + server.password();
  }

  /** The server's first process, as its data say. */
  String process() throws IOException {
    return Files.readAllLines(stored.resolve("data").resolve("postmaster.pid")).get(0).strip();
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
