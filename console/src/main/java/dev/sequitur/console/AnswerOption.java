package dev.sequitur.console;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.function.Function;
import picocli.CommandLine.Option;

/**
 * Option of all commands that answer something: for people or, with {@code --json}, for programs.
 * What goes wrong, and progress, is told on the standard error with either.
 */
public final class AnswerOption {
  private static final JsonMapper JSON =
      JsonMapper.builder().serializationInclusion(JsonInclude.Include.NON_NULL).build();

  @Option(names = "--json", description = "Answer with JSON.")
  private boolean json;

  /**
   * Prints all of an answer at once.
   *
   * @param answer JSON, or a record of texts, numbers, lists and such records; a null is left out
   * @param text the same for people, without an end of the last line
   */
  public <T> void print(PrintWriter out, T answer, Function<T, String> text) {
    out.println(json ? pretty(answer) : text.apply(answer));
    out.flush();
  }

  private static String pretty(Object answer) {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(answer);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("An answer could not be written.", e);
    }
  }
}
