package dev.sequitur.persistence.backup;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Keys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * What a backup is of. As a file it is lines of text; the last one has the SHA-256 of all before
 * it.
 *
 * @param parts in the order of their keys
 */
public record BackupManifest(Source source, List<Part> parts) {
  /** In which form backups are; raised when what this program reads is not what is there. */
  private static final int FORM = 2;

  private static final String HEAD = "sequitur backup ";

  private static final String DIGEST = "[0-9a-f]{64}";

  /**
   * Whose it is, and as of when.
   *
   * @param keys a public key that follows from all the node's keys: the fingerprint of its seed,
   *     which is no part of a backup
   * @param besideSeed keys that it had and that do not follow from that seed; no part of it either
   * @param encrypted whether its values are, by keys that are among its entries and that a key
   *     which does not follow from its fingerprint may have encrypted
   * @param engine over which its store is
   * @param diskFormat of keys and values
   * @param moment at which all of it was so, by the node's clock
   * @param block up to which the ledger was read then; empty if none was
   */
  public record Source(
      NodeName node,
      Bytes keys,
      List<Keys.Placed> besideSeed,
      boolean encrypted,
      Engine engine,
      int diskFormat,
      Instant moment,
      Optional<BlockHeight> block) {
    public Source {
      besideSeed = List.copyOf(besideSeed);
    }
  }

  /** What a store is over. */
  public enum Engine {
    /** A node of one JVM. */
    LEVELDB,
    /** A node with a database. */
    POSTGRESQL
  }

  /**
   * A segment.
   *
   * @param name the SHA-256 of its file's bytes, which is also the file's name
   * @param first the smallest key in it
   */
  record Part(String name, long entries, long bytes, Key first) {}

  public BackupManifest {
    parts = List.copyOf(parts);
  }

  /** How many there are in all of it. */
  public long entries() {
    return parts.stream().mapToLong(Part::entries).sum();
  }

  /** Of its segments. */
  public long bytes() {
    return parts.stream().mapToLong(Part::bytes).sum();
  }

  byte[] encoded() {
    var text = new StringBuilder();
    line(text, HEAD + FORM);
    line(text, "node " + source.node());
    line(text, "keys " + source.keys().toHex());
    for (var key : source.besideSeed()) {
      line(text, "key %s %s %s".formatted(key.place(), key.name(), key.key()));
    }
    line(text, "encrypted " + source.encrypted());
    line(text, "engine " + source.engine());
    line(text, "format " + source.diskFormat());
    line(text, "moment " + source.moment());
    line(text, "block " + source.block().map(BlockHeight::toString).orElse("none"));
    for (var part : parts) {
      line(
          text,
          "segment %s %d %d %s".formatted(part.name(), part.entries(), part.bytes(), part.first()));
    }
    return (text + end(text)).getBytes(StandardCharsets.UTF_8);
  }

  private static void line(StringBuilder text, String line) {
    text.append(line).append('\n');
  }

  private static String end(CharSequence before) {
    var bytes = before.toString().getBytes(StandardCharsets.UTF_8);
    return "end " + Segment.digest(ByteBuffer.wrap(bytes)) + "\n";
  }

  /**
   * @throws BackupException if it is damaged, or of a release that writes backups in another form
   */
  static BackupManifest decode(byte[] file) {
    var text = new String(file, StandardCharsets.UTF_8);
    int end = text.lastIndexOf("end ");
    if (end < 0 || !text.substring(end).equals(end(text.substring(0, end)))) {
      throw new BackupException(
          "The manifest is damaged: nobody can tell what the backup is of. Take another copy of it.");
    }
    var lines = new ArrayDeque<>(text.substring(0, end).lines().toList());
    var head = lines.isEmpty() ? "" : lines.remove();
    if (!head.equals(HEAD + FORM)) {
      throw new BackupException(
          "The manifest begins with '%s', and this Sequitur reads '%s': take the release that wrote it."
              .formatted(head, HEAD + FORM));
    }
    try {
      var source =
          new Source(
              new NodeName(after("node ", lines)),
              Bytes.hex(after("keys ", lines)),
              keys(lines),
              flag(after("encrypted ", lines)),
              Engine.valueOf(after("engine ", lines)),
              Integer.parseInt(after("format ", lines)),
              Instant.parse(after("moment ", lines)),
              Optional.of(after("block ", lines))
                  .filter(block -> !block.equals("none"))
                  .map(block -> new BlockHeight(Long.parseLong(block))));
      return new BackupManifest(source, lines.stream().map(BackupManifest::part).toList());
    } catch (IllegalArgumentException | DateTimeParseException e) {
      throw new BackupException(
          "The manifest says what no Sequitur writes (%s): take another copy of the backup."
              .formatted(e.getMessage()),
          e);
    }
  }

  private static List<Keys.Placed> keys(Queue<String> lines) {
    var keys = new ArrayList<Keys.Placed>();
    while (!lines.isEmpty() && lines.peek().startsWith("key ")) {
      var words = lines.remove().split(" ");
      if (words.length != 4) {
        throw new IllegalArgumentException("a key of " + words.length + " words");
      }
      keys.add(
          new Keys.Placed(
              Keys.Place.valueOf(words[1]), words[2], new Verifier(Bytes.hex(words[3]))));
    }
    return keys;
  }

  private static boolean flag(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      case String other -> throw new IllegalArgumentException("'" + other + "' in place of a flag");
    };
  }

  private static String after(String word, Queue<String> lines) {
    var line = lines.isEmpty() ? "" : lines.remove();
    if (!line.startsWith(word)) {
      throw new IllegalArgumentException("'" + line + "' in place of '" + word + "'");
    }
    return line.substring(word.length());
  }

  private static Part part(String line) {
    var words = line.split(" ");
    // The name becomes a path.
    if (words.length != 5 || !words[0].equals("segment") || !words[1].matches(DIGEST)) {
      throw new IllegalArgumentException("'" + line + "' in place of a segment");
    }
    return new Part(
        words[1],
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Key.wrap(Bytes.hex(words[4]).toByteArray()));
  }
}
