package dev.sequitur.protocol.guard;

import dev.sequitur.protocol.id.Hash;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Lines that follow from one another: {@code number hash content}, where the hash is the SHA-256 of
 * the 32 bytes of the hash before, then the number, a space and the content in UTF-8. Whoever
 * changes, leaves out or adds one has to write all later ones anew; whoever has noted one hash sees
 * that. A file begins with {@code # number hash}, where it goes on.
 */
public final class AuditChain {
  private static final int HASH_BYTES = 32;
  private static final Pattern HEAD = Pattern.compile("# ([0-9]{1,18}) ([0-9a-f]{64})");
  private static final Pattern LINE = Pattern.compile("([0-9]{1,18}) ([0-9a-f]{64}) ([^\\n\\r]*)");

  private AuditChain() {}

  /**
   * The last line so far.
   *
   * @param number from 1; 0 before the first one
   * @param hash 32 zeros before the first one
   */
  public record Place(long number, Hash hash) {
    public static final Place BEGINNING = new Place(0, new Hash(0, 0, 0, 0));

    /** What the line after it is, and its place. */
    public Next next(String content) {
      if (content.indexOf('\n') >= 0 || content.indexOf('\r') >= 0) {
        throw new IllegalArgumentException("An entry of the audit is one line.");
      }
      var after = new Place(number + 1, hashOf(hash, number + 1, content));
      return new Next(after, after.number() + " " + hex(after.hash()) + " " + content);
    }

    /** The first line of a file that goes on here. */
    public String head() {
      return "# " + number + " " + hex(hash);
    }

    /** The number and the hash. */
    @Override
    public String toString() {
      return number + " " + hex(hash);
    }
  }

  /** A line without its end, and where it leaves the chain. */
  public record Next(Place place, String line) {}

  /** What is to be said of a line that was read. */
  public sealed interface Read {
    /** It follows. */
    record Follows(Place place) implements Read {}

    /**
     * It does not.
     *
     * @param sentence where and how
     */
    record Broken(String sentence) implements Read {}
  }

  /** Where a file goes on by its first line; empty if that is none. */
  public static Optional<Place> head(String line) {
    var match = HEAD.matcher(line);
    return match.matches()
        ? Optional.of(new Place(Long.parseLong(match.group(1)), Hash.hex(match.group(2))))
        : Optional.empty();
  }

  /** Whether a line follows the one at a place. */
  public static Read read(Place before, String line) {
    var match = LINE.matcher(line);
    if (!match.matches()) {
      return new Read.Broken(
          "What comes after entry %d is no entry of an audit.".formatted(before.number()));
    }
    long number = Long.parseLong(match.group(1));
    if (number != before.number() + 1) {
      return new Read.Broken(
          "Entry %d follows entry %d: what was between them is gone, or was never there."
              .formatted(number, before.number()));
    }
    var hash = hashOf(before.hash(), number, match.group(3));
    return hash.equals(Hash.hex(match.group(2)))
        ? new Read.Follows(new Place(number, hash))
        : new Read.Broken(
            "Entry %d, or one before it, is not as it was written.".formatted(number));
  }

  private static Hash hashOf(Hash before, long number, String content) {
    byte[] text = (number + " " + content).getBytes(StandardCharsets.UTF_8);
    var bytes = ByteBuffer.allocate(HASH_BYTES + text.length);
    before.writeTo(bytes);
    return Hash.sha256(bytes.put(text).array());
  }

  private static String hex(Hash hash) {
    return HexFormat.of().formatHex(hash.toByteArray());
  }
}
