package dev.sequitur.persistence.serialization;

import java.util.Optional;

/**
 * The number of how all that is kept is laid out, in a data directory and in a schema of
 * PostgreSQL: keys, tables, and the forms of all values. Whoever opens either compares the number
 * in it before anything is read, so that data of another release are refused in one sentence, and
 * not with the first value that cannot be read.
 *
 * <p>It is raised when what this release writes cannot be read by the one before, and only then. A
 * release that opens older data writes its own number over theirs: there is no way back.
 *
 * @param oldest the first that is still read
 * @param current what is written
 */
public record DiskFormat(int oldest, int current) {
  /** Of what does not say its own. */
  public static final int UNRELEASED = 3;

  /** What this program reads and writes. */
  public static final DiskFormat OURS = new DiskFormat(11, 11);

  /** What has a lower one was written by builds that nobody was given. */
  private static final int FIRST_RELEASED = 11;

  public DiskFormat {
    if (oldest <= UNRELEASED || current < oldest) {
      throw new IllegalArgumentException("No format: " + oldest + " to " + current);
    }
  }

  /**
   * Why data of a format are not read here, as a sentence; empty if they are.
   *
   * @param what whose format it is, as the sentence begins
   */
  public Optional<String> refusal(String what, int found) {
    if (found >= oldest && found <= current) {
      return Optional.empty();
    }
    var read = oldest == current ? "format " + current : "formats " + oldest + " to " + current;
    return Optional.of(
        "%s has disk format %d, and this Sequitur reads %s: %s."
            .formatted(what, found, read, wayOut(found)));
  }

  private String wayOut(int found) {
    if (found > current) {
      return "start the newer one that wrote it";
    }
    return found < FIRST_RELEASED
        ? "begin with an empty one, since what wrote it was never released"
        : "start a release between that reads both";
  }
}
