package dev.sequitur.ethereum;

import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What only the two sides may know. */
public sealed interface Secret {
  /** Reads a file, if it is in one. */
  String value();

  private static String line(String text, String place) {
    var line = text.strip();
    // A header of HTTP takes no more, and what does not fit is told by who refuses it.
    if (line.isEmpty() || !line.chars().allMatch(letter -> letter >= ' ' && letter <= '~')) {
      throw new LedgerUnreachableException(
          place + " is to be one line of printable ASCII, the secret: write it anew.");
    }
    return line;
  }

  /** One that is there, from the environment perhaps. */
  record Given(String given) implements Secret {
    @Override
    public String value() {
      return line(given, "A secret in the configuration");
    }

    @Override
    public String toString() {
      return "(hidden)";
    }
  }

  /** One that is in a file, and is read anew each time: it may be replaced. */
  record InFile(Path file) implements Secret {
    @Override
    public String value() {
      try {
        return line(Files.readString(file), "The file " + file);
      } catch (IOException e) {
        throw new LedgerUnreachableException(
            "The file %s, which holds a secret, cannot be read: let this user read it."
                .formatted(file),
            e);
      }
    }
  }
}
