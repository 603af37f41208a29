package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import dev.sequitur.console.WrongOption;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What became of each payment of a file, in CSV beside it: the row, its key, the id of the schedule
 * and, if there is none, why. Written as answers come, so that whoever is killed goes on from
 * there; its first line says when the first payment was sent, by which the node tells what is too
 * old to be known. Confined to one thread.
 */
final class PaymentAnswers implements AutoCloseable {
  private static final String FIRST_SENT = "# first sent ";
  private static final List<String> COLUMNS = List.of("row", "key", "id", "why");

  private final Set<String> made = new HashSet<>();
  private final Path file;
  private final Instant firstSent;
  private final Writer writer;

  /**
   * Opens it, and reads what is there from a run before.
   *
   * @throws WrongOption if it is not what such a run has written
   */
  PaymentAnswers(Path file, Instant now) {
    this.file = file;
    try {
      boolean isNew = !Files.exists(file);
      this.firstSent = isNew ? now.truncatedTo(ChronoUnit.MILLIS) : read();
      this.writer =
          Files.newBufferedWriter(
              file, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      if (isNew) {
        writer.write(FIRST_SENT + firstSent + "\n" + String.join(",", COLUMNS) + "\n");
        writer.flush();
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** The last line of whoever was killed may be half a line, and counts as not written. */
  private void cutToWholeLines() throws IOException {
    try (var bytes = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      var one = ByteBuffer.allocate(1);
      long end = bytes.size();
      while (end > 0 && bytes.read(one.clear(), end - 1) == 1 && one.get(0) != '\n') {
        end--;
      }
      bytes.truncate(end);
    }
  }

  private Instant read() throws IOException {
    var begun = begun();
    cutToWholeLines();
    try (var lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      lines.readLine();
      readRows(lines);
    }
    return begun;
  }

  private void readRows(Reader lines) throws IOException {
    try (MappingIterator<Map<String, String>> rows =
        new CsvMapper()
            .readerForMapOf(String.class)
            .with(CsvSchema.emptySchema().withHeader())
            .readValues(lines)) {
      while (rows.hasNextValue()) {
        var row = rows.nextValue();
        if (!row.getOrDefault("id", "").isEmpty()) {
          made.add(row.get("key"));
        }
      }
    }
  }

  private Instant begun() throws IOException {
    try (var lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      var first = lines.readLine();
      if (first != null && first.startsWith(FIRST_SENT)) {
        return Instant.parse(first.substring(FIRST_SENT.length()));
      }
    } catch (DateTimeException e) {
      // Falls through: the sentence is the same.
    }
    throw new WrongOption(
        file + " is not of an earlier run of these payments: name another by --answers.");
  }

  /** When the first of all of them was sent. */
  Instant firstSent() {
    return firstSent;
  }

  /** Whether an earlier run has made it. */
  boolean isMade(PaymentFile.Payment payment) {
    return made.contains(payment.key());
  }

  void made(PaymentFile.Payment payment, String id) {
    write(payment, id, "");
  }

  void refused(PaymentFile.Payment payment, String why) {
    write(payment, "", why);
  }

  private void write(PaymentFile.Payment payment, String id, String why) {
    try {
      writer.write(
          "%d,%s,%s,%s\n".formatted(payment.row(), quoted(payment.key()), id, quoted(why)));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** To the disk's cache: it outlasts the end of the process. */
  void flush() {
    try {
      writer.flush();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  private WrongOption failed(IOException e) {
    return new WrongOption(
        "%s cannot be read or written: %s. Run it again to go on.".formatted(file, e.getMessage()));
  }

  @Override
  public void close() {
    try {
      writer.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
