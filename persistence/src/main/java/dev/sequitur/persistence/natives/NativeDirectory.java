package dev.sequitur.persistence.natives;

import dev.sequitur.protocol.id.Hash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.List;

/**
 * Where native libraries are unpacked once, and loaded from at each start. Each lies in a directory
 * that is named by its hash, so that versions do not meet; what is there is loaded only if it has
 * that hash. Several processes may share one.
 */
public final class NativeDirectory {
  /** Of the environment: another directory for the native libraries of all commands. */
  public static final String VARIABLE = "SEQUITUR_NATIVE_DIR";

  private NativeDirectory() {}

  /**
   * Unpacks what is not there yet and loads everything, before anything else uses it.
   *
   * @param directory for this process, unless {@value #VARIABLE} names one
   * @throws UnusableDirectory with a sentence that says what to do
   */
  public static void use(Path directory) {
    var used = isNamed() ? Path.of(System.getenv(VARIABLE)) : directory;
    load(used.toAbsolutePath(), NativeLibrary.all());
  }

  /** Whether the environment names one. */
  public static boolean isNamed() {
    return !System.getenv().getOrDefault(VARIABLE, "").isBlank();
  }

  /** The directory cannot be written, or nothing can be run from it. */
  public static final class UnusableDirectory extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnusableDirectory(String sentence, Throwable cause) {
      super(sentence, cause);
    }
  }

  static void load(Path directory, List<NativeLibrary> libraries) {
    for (var library : libraries) {
      // Who has set it has libraries of their own.
      if (System.getProperty(library.pathProperty()) == null) {
        library
            .code()
            .map(code -> unpacked(directory, code.name(), code.content()))
            .ifPresent(file -> load(directory, library, file));
      }
    }
  }

  private static void load(Path directory, NativeLibrary library, Path file) {
    try {
      System.load(file.toString());
    } catch (UnsatisfiedLinkError e) {
      throw new UnusableDirectory(
          ("Native code cannot be run from %s (%s): its file system may be mounted noexec. Name a"
                  + " directory from which programs may be run by the environment's %s.")
              .formatted(directory, e.getMessage(), VARIABLE),
          e);
    }
    System.setProperty(library.pathProperty(), file.getParent().toString());
  }

  /**
   * The file with this content, put there if it is not there or has another content.
   *
   * @throws UnusableDirectory if it cannot be written
   */
  static Path unpacked(Path directory, String name, byte[] content) {
    var file = directory.resolve(hash(content)).resolve(name);
    try {
      if (!has(file, content)) {
        Files.createDirectories(file.getParent());
        // For its user alone, as the JDK makes temporary files; others see all of it or nothing.
        var fresh = Files.createTempFile(file.getParent(), name, ".new");
        try {
          Files.write(fresh, content);
          Files.move(
              fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
          Files.deleteIfExists(fresh);
        }
      }
      return file;
    } catch (IOException e) {
      throw new UnusableDirectory(
          ("Native libraries cannot be unpacked into %s (%s): make it writable, or name another"
                  + " directory by the environment's %s.")
              .formatted(directory, e.getMessage(), VARIABLE),
          e);
    }
  }

  private static boolean has(Path file, byte[] content) throws IOException {
    try {
      return Files.size(file) == content.length
          && hash(Files.readAllBytes(file)).equals(hash(content));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static String hash(byte[] content) {
    return HexFormat.of().formatHex(Hash.sha256(content).toByteArray());
  }
}
