package dev.sequitur.ethereum;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where the nodes of different makers put what a contract said as it reverted: as the error's
 * {@code data}, within an object there, or behind a word of their own. Pure.
 */
final class RevertData {
  /** The names under which it stands, the surest first. */
  private static final List<String> NAMES =
      List.of("data", "result", "return", "output", "originalError", "error", "cause");

  /** Objects within each other that are looked into. */
  private static final int DEEPEST = 4;

  private static final Pattern SAID = Pattern.compile("(?:Reverted +)?(0x(?:[0-9a-fA-F]{2})*)");

  private RevertData() {}

  /**
   * @param error of an answer
   * @return 0x and hexadecimal digits; empty if there is none
   */
  static String in(JsonNode error) {
    return said(error.path("data"), DEEPEST).or(() -> text(error.path("message"))).orElse("");
  }

  private static Optional<String> said(JsonNode node, int deepest) {
    if (!node.isObject()) {
      return text(node);
    } else if (deepest == 0) {
      return Optional.empty();
    }
    return NAMES.stream()
        .map(node::path)
        .flatMap(inner -> said(inner, deepest - 1).stream())
        .findFirst()
        .or(() -> underAHash(node, deepest - 1));
  }

  /** One of them names the transaction before it says what became of it. */
  private static Optional<String> underAHash(JsonNode node, int deepest) {
    return node.properties().stream()
        .filter(field -> field.getKey().startsWith("0x") && field.getValue().isObject())
        .flatMap(field -> said(field.getValue(), deepest).stream())
        .findFirst();
  }

  private static Optional<String> text(JsonNode node) {
    return Stream.of(node.asText(""))
        .map(String::strip)
        .map(SAID::matcher)
        .filter(Matcher::matches)
        .map(found -> found.group(1))
        .findFirst();
  }
}
