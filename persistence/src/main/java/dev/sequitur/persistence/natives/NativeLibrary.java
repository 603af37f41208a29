package dev.sequitur.persistence.natives;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A library of native code that comes in a jar. Left to itself each would unpack a copy into the
 * directory of temporary files at every start, which stays there if the process is killed.
 *
 * @param pathProperty the system property by which its own loader is told the directory of the
 *     file, which has the name that it has in the jar
 * @param resources where it is, by operating system and processor as in {@code linux x86_64}
 */
record NativeLibrary(String pathProperty, Map<String, String> resources) {
  private static final String SECP256K1 = "fr/acinq/secp256k1/jni/native/";

  /** All that the product loads. */
  static List<NativeLibrary> all() {
    return List.of(
        new NativeLibrary(
            "library.leveldbjni.path",
            Map.of(
                "linux x86_64", "META-INF/native/linux64/libleveldbjni.so",
                "mac x86_64", "META-INF/native/osx/libleveldbjni.jnilib")),
        new NativeLibrary(
            "fr.acinq.secp256k1.lib.path",
            Map.of(
                "linux x86_64", SECP256K1 + "linux-x86_64/libsecp256k1-jni.so",
                "linux aarch64", SECP256K1 + "linux-aarch64/libsecp256k1-jni.so",
                "mac x86_64", SECP256K1 + "darwin/libsecp256k1-jni.dylib",
                "mac aarch64", SECP256K1 + "darwin/libsecp256k1-jni.dylib")));
  }

  /**
   * The file for this machine.
   *
   * @param name of the file
   */
  record Code(String name, byte[] content) {}

  /** Empty if the jars have none for this machine, and then its own loader decides. */
  Optional<Code> code() {
    var resource = resources.get(platform());
    if (resource == null) {
      return Optional.empty();
    }
    try (var in = NativeLibrary.class.getClassLoader().getResourceAsStream(resource)) {
      var name = resource.substring(resource.lastIndexOf('/') + 1);
      return in == null ? Optional.empty() : Optional.of(new Code(name, in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException("The jar that has " + resource + " cannot be read.", e);
    }
  }

  /** Of this machine. */
  static String platform() {
    var system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    var processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return (system.startsWith("mac") ? "mac" : system)
        + " "
        + (processor.equals("amd64") ? "x86_64" : processor);
  }
}
