package dev.sequitur.persistence.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL server on this machine with a directory of its own, for trying out and for tests:
 * from the programs of Debian's package {@code postgresql} or of any other installation. It listens
 * on loopback and asks for a password, which lies beside its data in a file for its user only. As
 * root it runs as the user nobody, since PostgreSQL refuses root.
 */
public final class LocalServer implements AutoCloseable {
  private static final String USER = "sequitur";
  private static final int MOST_SECONDS = 90;
  private static final int PASSWORD_BYTES = 24;

  private final Path programs;
  private final Path directory;
  private final int port;

  private LocalServer(Path programs, Path directory, int port) {
    this.programs = programs;
    this.directory = directory;
    this.port = port;
  }

  /**
   * Where the programs of a server are: in {@code SEQUITUR_POSTGRES_BIN}, on the path, or where
   * Debian has them.
   */
  public static Optional<Path> programs() {
    var candidates = new ArrayList<Path>();
    Optional.ofNullable(System.getenv("SEQUITUR_POSTGRES_BIN"))
        .map(Path::of)
        .ifPresent(candidates::add);
    Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .filter(entry -> !entry.isBlank())
        .map(Path::of)
        .forEach(candidates::add);
    candidates.addAll(debian());
    return candidates.stream()
        .filter(path -> Files.isExecutable(path.resolve("initdb")))
        .filter(path -> Files.isExecutable(path.resolve("pg_ctl")))
        .findFirst();
  }

  /** The newest version first. */
  private static List<Path> debian() {
    var versions = Path.of("/usr/lib/postgresql");
    if (!Files.isDirectory(versions)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(versions)) {
      return found
          .sorted(Comparator.reverseOrder())
          .map(version -> version.resolve("bin"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts a server; its data are made if they are not there. One that a process which was killed
   * has left running on them is stopped first: the directory is the caller's alone. Blocks until it
   * answers.
   *
   * @param programs as {@link #programs} finds them
   * @param directory its own
   * @throws DatabaseException with what the programs say, if it does not start
   */
  public static LocalServer start(Path programs, Path directory, int port) {
    var server = new LocalServer(programs, directory.toAbsolutePath(), port);
    server.initialize();
    server.close();
    server.resume();
    return server;
  }

  /** Of a database that every user of the server may use. */
  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  public String user() {
    return USER;
  }

  /** Made with the server's data. */
  public String password() {
    try {
      return Files.readString(passwordFile()).strip();
    } catch (IOException e) {
      throw new DatabaseException("The password " + passwordFile() + " cannot be read.", e);
    }
  }

  private Path passwordFile() {
    return directory.resolve("password");
  }

  private void initialize() {
    if (Files.exists(directory.resolve("data"))) {
      if (!Files.exists(passwordFile())) {
        throw new DatabaseException(
            ("The PostgreSQL in %s was made by an earlier version and believes whoever connects:"
                    + " remove that directory, or name another one with --data.")
                .formatted(directory));
      }
      return;
    }
    if (isRoot()) {
      requireEntrance();
    }
    try {
      Files.createDirectories(directory);
      writePassword();
    } catch (IOException e) {
      throw new DatabaseException("The directory " + directory + " cannot be made.", e);
    }
    if (isRoot()) {
      run(List.of("chown", "nobody:nogroup", directory.toString(), passwordFile().toString()));
    }
    run(
        asNobody(
            "initdb",
            "-D",
            data(),
            "-U",
            USER,
            "--auth=scram-sha-256",
            "--pwfile=" + passwordFile(),
            "-E",
            "UTF8",
            "--no-sync"));
  }

  private void writePassword() throws IOException {
    var bytes = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(bytes);
    Files.deleteIfExists(passwordFile());
    Files.createFile(
        passwordFile(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(passwordFile(), HexFormat.of().formatHex(bytes) + "\n");
  }

  /** Of what is closed above its directory, initdb would name neither the place nor a way out. */
  private void requireEntrance() {
    for (var above = directory.getParent(); above != null; above = above.getParent()) {
      if (Files.exists(above) && !isOpen(above)) {
        throw new DatabaseException(
            ("PostgreSQL refuses to run as root and would run as the user nobody, who may not enter"
                    + " %s: choose a data directory elsewhere, or open that one (chmod o+x), or"
                    + " start this as another user.")
                .formatted(above));
      }
    }
  }

  private static boolean isOpen(Path directory) {
    try {
      return Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_EXECUTE);
    } catch (IOException e) {
      throw new DatabaseException("The directory " + directory + " cannot be read.", e);
    }
  }

  /** Starts it again after {@link #crash}. */
  public void resume() {
    var options =
        "-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=500"
            .formatted(port);
    var log = directory.resolve("log").toString();
    run(asNobody("pg_ctl", "-D", data(), "-w", "-t", "60", "-l", log, "-o", options, "start"));
  }

  /** By the process that its data name, if that is one: numbers are used again. */
  private boolean isRunning() {
    var file = directory.resolve("data").resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return false;
    }
    try (var lines = Files.lines(file)) {
      return lines
          .findFirst()
          .flatMap(first -> ProcessHandle.of(Long.parseLong(first.strip())))
          .flatMap(process -> process.info().commandLine())
          .filter(command -> command.contains(data()))
          .isPresent();
    } catch (IOException | UncheckedIOException | NumberFormatException e) {
      throw new DatabaseException("The file " + file + " cannot be read.", e);
    }
  }

  /** Stops it at once; its data stay. */
  public void crash() {
    stop("immediate");
  }

  /** Stops it; its data stay. */
  @Override
  public void close() {
    if (isRunning()) {
      stop("fast");
    }
  }

  private void stop(String mode) {
    run(asNobody("pg_ctl", "-D", data(), "-w", "-m", mode, "stop"));
  }

  private String data() {
    return directory.resolve("data").toString();
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private List<String> asNobody(String program, String... arguments) {
    var line = new ArrayList<String>();
    if (isRoot()) {
      line.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"));
    }
    line.add(programs.resolve(program).toString());
    line.addAll(List.of(arguments));
    return line;
  }

  private static void run(List<String> command) {
    try {
      // To a file: the server inherits the output, and would hold a pipe open.
      var output = Files.createTempFile("sequitur-postgres", ".out");
      var process =
          new ProcessBuilder(command)
              .directory(Path.of("/").toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended = process.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
      var said = Files.readString(output).strip();
      Files.delete(output);
      if (!ended || process.exitValue() != 0) {
        throw new DatabaseException(
            "PostgreSQL cannot be run here: " + String.join(" ", command) + " says: " + said);
      }
    } catch (IOException e) {
      throw new DatabaseException("PostgreSQL cannot be run here: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DatabaseException("Interrupted while PostgreSQL was started or stopped.", e);
    }
  }
}
