package dev.sequitur.cluster.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where the key material of one JVM lies. */
record PemFiles(Path certificate, Path privateKey, Path authority) {

  /** Another one when a file has changed. */
  List<String> stamp() {
    return Stream.of(certificate, privateKey, authority).map(PemFiles::stamp).toList();
  }

  private static String stamp(Path file) {
    try {
      return Files.getLastModifiedTime(file) + " " + Files.size(file);
    } catch (IOException e) {
      return "none";
    }
  }
}
