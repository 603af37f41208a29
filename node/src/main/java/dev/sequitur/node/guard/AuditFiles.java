package dev.sequitur.node.guard;

import dev.sequitur.protocol.guard.AuditChain;
import dev.sequitur.protocol.guard.AuditChain.Place;
import dev.sequitur.protocol.guard.AuditChain.Read;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of an audit: {@code audit-000000000001.log} begins with the first entry. Blocks. */
public record AuditFiles(Path directory) {
  private static final Pattern NAME = Pattern.compile("audit-([0-9]{12})\\.log");

  /**
   * Where the files end.
   *
   * @param file the last one
   */
  record Last(Place place, Optional<Path> file) {}

  /**
   * What was read.
   *
   * @param first where the files begin: after the beginning if earlier files are not there
   * @param last where they end, or the last entry that follows
   * @param flaw what does not follow, with its file
   */
  public record Verified(Place first, Place last, Optional<String> flaw) {}

  /** The oldest first. */
  public List<Path> list() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> NAME.matcher(file.getFileName().toString()).matches())
          .sorted()
          .toList();
    }
  }

  /** The file that goes on after an entry. */
  Path after(Place place) {
    return directory.resolve("audit-%012d.log".formatted(place.number() + 1));
  }

  /**
   * Reads all files: whether each entry follows the one before, over all of them.
   *
   * @param noted an entry that must be among them, as {@link Place#toString} writes it; may be null
   */
  public Verified verify(String noted) throws IOException {
    var wanted = Optional.ofNullable(noted).map(text -> text.strip().replaceAll("\\s+", " "));
    var found = new boolean[] {wanted.isEmpty()};
    var read =
        verify(list(), place -> found[0] |= wanted.filter(place.toString()::equals).isPresent());
    return read.flaw().isPresent() || found[0]
        ? read
        : new Verified(
            read.first(),
            read.last(),
            Optional.of(
                "There is no entry %s: entries were written anew or are missing."
                    .formatted(noted)));
  }

  private Verified verify(List<Path> files, Consumer<Place> each) throws IOException {
    var first = Optional.<Place>empty();
    var last = Place.BEGINNING;
    for (var file : files) {
      try (var reader = Files.newBufferedReader(file)) {
        var head = Optional.ofNullable(reader.readLine()).flatMap(AuditChain::head);
        if (head.isEmpty()) {
          return flaw(first, last, file, "It does not say where it goes on.");
        } else if (first.isPresent() && !head.get().equals(last)) {
          return flaw(
              first,
              last,
              file,
              "It does not go on where the file before it ends: one is missing.");
        }
        first = first.or(() -> head);
        last = head.get();
        var read = read(reader, last, each);
        last = read.last();
        if (read.flaw().isPresent()) {
          return flaw(first, last, file, read.flaw().get());
        }
      } catch (CharacterCodingException e) {
        return flaw(first, last, file, "It is no text.");
      }
    }
    return new Verified(first.orElse(Place.BEGINNING), last, Optional.empty());
  }

  private static Verified flaw(Optional<Place> first, Place last, Path file, String sentence) {
    return new Verified(
        first.orElse(Place.BEGINNING), last, Optional.of(file.getFileName() + ": " + sentence));
  }

  private static Verified read(BufferedReader reader, Place head, Consumer<Place> each)
      throws IOException {
    var last = head;
    for (var line = reader.readLine(); line != null; line = reader.readLine()) {
      switch (AuditChain.read(last, line)) {
        case Read.Follows(var place) -> {
          last = place;
          each.accept(place);
        }
        case Read.Broken(var sentence) -> {
          return new Verified(head, last, Optional.of(sentence));
        }
      }
    }
    return new Verified(head, last, Optional.empty());
  }

  /**
   * Where the next entry belongs, after a crash too: a line that was not written to its end is cut
   * off, since nobody was told of it.
   *
   * @throws IOException with a sentence, if the last file is not as it was written
   */
  Last repair() throws IOException {
    var files = list();
    if (files.isEmpty()) {
      return new Last(Place.BEGINNING, Optional.empty());
    }
    var file = files.get(files.size() - 1);
    if (cutOff(file) == 0) {
      Files.delete(file);
      return repair();
    }
    var read = verify(List.of(file), place -> {});
    if (read.flaw().isPresent()) {
      throw new IOException(
          "The audit in %s is not as it was written. %s Move it away to begin another, and find out who changed it."
              .formatted(directory, read.flaw().get()));
    }
    return new Last(read.last(), Optional.of(file));
  }

  /** How long the file is without a line that has no end. */
  private static long cutOff(Path file) throws IOException {
    try (var bytes = new RandomAccessFile(file.toFile(), "rw")) {
      long end = bytes.length();
      while (end > 0) {
        bytes.seek(end - 1);
        if (bytes.read() == '\n') {
          break;
        }
        end--;
      }
      bytes.setLength(end);
      return end;
    }
  }
}
