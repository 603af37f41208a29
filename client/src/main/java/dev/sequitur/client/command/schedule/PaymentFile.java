package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import dev.sequitur.client.NodeCalls;
import dev.sequitur.console.WrongOption;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.TypeConversionException;

/**
 * Payments in a file: CSV whose first row names its columns, or a JSON object in each line. All
 * rows are read before any is sent, so that a mistake in the last one is told before the first is
 * paid.
 */
final class PaymentFile {
  static final int MOST = 1_000_000;
  private static final int MOST_TOLD = 10;
  private static final int LONGEST_HEADER = 1_000;
  private static final char BYTE_ORDER_MARK = '\uFEFF';
  private static final int KEY_BYTES = 8;
  private static final List<String> COLUMNS = List.of("to", "amount", "at", "as", "late", "key");
  private static final List<String> NEEDED = List.of("to", "amount", "at");

  private final List<Payment> payments = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();
  private final Map<String, Integer> alike = new HashMap<>();
  private final Set<String> keys = new HashSet<>();
  private final String account;
  private final String late;

  /**
   * One payment.
   *
   * @param row of the file, from 1 on without the names of the columns
   * @param key under which it is made once, however often the file is read
   */
  record Payment(
      int row, String account, String to, String amount, String at, String late, String key) {
    /**
     * @param setAside whether the amount is from now on
     */
    ObjectNode command(ObjectNode begun, boolean setAside, String firstSent) {
      begun
          .put("senderAddr", account)
          .put("scheduledTimeMs", at)
          .put("late", late)
          .put("idempotencyKey", key)
          .put("firstSent", firstSent)
          .put("setAside", setAside)
          .set("target", TargetOptions.transfer(to, amount));
      return begun;
    }
  }

  private PaymentFile(String account, String late) {
    this.account = account;
    this.late = late;
  }

  /**
   * @param account who pays in rows that do not name it
   * @param late of rows that do not name it
   * @throws WrongOption with what is wrong, and in which rows
   */
  static List<Payment> read(Path file, String account, String late) {
    var read = new PaymentFile(account, late);
    try (var lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      read.addAll(lines);
    } catch (IOException e) {
      throw new WrongOption("%s cannot be read: %s".formatted(file, said(e)));
    }
    if (!read.wrong.isEmpty()) {
      throw new WrongOption(
          "Nothing was sent of %s. Correct it first:%n  %s"
              .formatted(file, String.join("\n  ", read.wrong)));
    } else if (read.payments.isEmpty()) {
      throw new WrongOption("There is no payment in " + file + ".");
    }
    return read.payments;
  }

  private static String said(IOException e) {
    return switch (e) {
      case NoSuchFileException ignored -> "it is not there.";
      case CharacterCodingException ignored -> "it is not UTF-8.";
      default -> String.valueOf(e.getMessage());
    };
  }

  private void addAll(BufferedReader lines) throws IOException {
    // Spreadsheets write it first.
    lines.mark(1);
    if (lines.read() != BYTE_ORDER_MARK) {
      lines.reset();
    }
    lines.mark(LONGEST_HEADER);
    var header = new char[LONGEST_HEADER];
    int length = Math.max(0, lines.read(header));
    lines.reset();
    var first = new String(header, 0, length).lines().findFirst().orElse("");
    if (first.isBlank()) {
      wrong.add("its first row names no column: write to,amount,at");
      return;
    }
    boolean isJson = first.startsWith("{");
    int row = 1;
    try (var rows = isJson ? jsonLines(lines) : csv(lines, first)) {
      for (; rows.hasNextValue() && wrong.size() < MOST_TOLD; row++) {
        if (row > MOST) {
          wrong.add("There are more than %,d rows: part it.".formatted(MOST));
          return;
        }
        add(row, rows.nextValue());
      }
    } catch (JsonProcessingException e) {
      wrong.add(unreadable(row, isJson));
    }
  }

  private static String unreadable(int row, boolean isJson) {
    return "row %d %s"
        .formatted(
            row,
            isJson
                ? "is no JSON object, such as {\"to\":\"bob\",\"amount\":5,\"at\":\"2030-01-31T12:00:00Z\"}"
                : "has more columns than the first one names, or a quotation mark that is not closed");
  }

  private static MappingIterator<JsonNode> jsonLines(BufferedReader lines) throws IOException {
    return NodeCalls.JSON.readerFor(JsonNode.class).readValues(lines);
  }

  /**
   * @param header by which it is told whether a comma parts columns, or a semicolon as spreadsheets
   *     write in many countries
   */
  private static MappingIterator<JsonNode> csv(BufferedReader lines, String header)
      throws IOException {
    char separator = header.indexOf(',') < 0 && header.indexOf(';') >= 0 ? ';' : ',';
    return new CsvMapper()
        .readerFor(JsonNode.class)
        .with(CsvParser.Feature.TRIM_SPACES)
        .with(CsvParser.Feature.SKIP_EMPTY_LINES)
        .with(CsvSchema.emptySchema().withHeader().withColumnSeparator(separator))
        .readValues(lines);
  }

  private void add(int row, JsonNode said) {
    try {
      check(said);
      payments.add(payment(row, said));
    } catch (TypeConversionException e) {
      wrong.add("row %d: %s".formatted(row, e.getMessage()));
    }
  }

  private static void check(JsonNode said) {
    if (!said.isObject()) {
      throw new TypeConversionException("it is no JSON object");
    }
    for (Iterator<String> names = said.fieldNames(); names.hasNext(); ) {
      var name = names.next();
      if (!COLUMNS.contains(name)) {
        throw new TypeConversionException(
            "'%s' is not known: there are %s".formatted(name, String.join(", ", COLUMNS)));
      }
    }
    for (var name : NEEDED) {
      if (text(said, name).isEmpty()) {
        throw new TypeConversionException("'" + name + "' is missing");
      }
    }
  }

  private Payment payment(int row, JsonNode said) {
    var at = new WrittenMoment.At().convert(text(said, "at").orElseThrow());
    if (at.fromNow()) {
      throw new TypeConversionException(
          "'%s' is another time whenever the file is read: write a date"
              .formatted(said.path("at").asText()));
    }
    var payer = text(said, "as").orElse(account);
    var to = text(said, "to").orElseThrow();
    var amount = new TargetOptions.WholeAmount().convert(text(said, "amount").orElseThrow());
    var policy = text(said, "late").map(new WrittenMoment.LateOfTask()::convert).orElse(late);
    var key =
        text(said, "key").orElseGet(() -> keyOf(List.of(payer, to, amount, at.text(), policy)));
    if (!keys.add(key)) {
      throw new TypeConversionException("the key '" + key + "' stands in a row above");
    }
    return new Payment(row, payer, to, amount, at.text(), policy, key);
  }

  /**
   * What is said in the row, and how many say the same above it: rows may be added to a file, or
   * put into another order, and each is paid once.
   */
  private String keyOf(List<String> said) {
    var digest = HexFormat.of().formatHex(sha256(String.join("\n", said)), 0, KEY_BYTES);
    return digest + "-" + alike.merge(digest, 1, Integer::sum);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Each JDK has SHA-256.", e);
    }
  }

  private static Optional<String> text(JsonNode said, String name) {
    return Optional.of(said.path(name).asText("").strip()).filter(text -> !text.isEmpty());
  }
}
