package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.CallFailure;
import dev.sequitur.client.NodeAccess;
import dev.sequitur.console.Console;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import picocli.CommandLine.ExitCode;

/**
 * What a node does in the background once a method has begun it, while another method says how far
 * it is. Both answer with a {@code state}.
 */
record LongCall(NodeAccess node, Console console) {
  private static final Duration LOOKS_EVERY = Duration.ofMillis(500);

  /** {@code none}, {@code running}, {@code done} or {@code failed}. */
  static String state(JsonNode answer) {
    return answer.path("state").asText();
  }

  /**
   * Begins it and waits until it has ended; shows meanwhile how far it is, if a person looks.
   *
   * @param far such as "3 entries read"
   * @return how it is then
   * @throws CallFailure if the JVM that answers knows of none: it has not been done
   */
  JsonNode end(String begins, String asks, Function<JsonNode, String> far) {
    var answer = node.call(begins);
    while (state(answer).equals("running")) {
      LockSupport.parkNanos(LOOKS_EVERY.toNanos());
      answer = node.call(asks);
      if (console.interactive()) {
        console.err().printf("\r%s", far.apply(answer));
        console.err().flush();
      }
    }
    if (console.interactive()) {
      console.err().println();
    }
    if (state(answer).equals("none")) {
      throw new CallFailure(
          "The JVM that had begun it was started anew meanwhile, or another one has answered: begin it again, with the address of one JVM.");
    }
    return answer;
  }

  /**
   * Prints how it is.
   *
   * @return the exit code of the command
   */
  int print(PrintWriter out, JsonNode answer, Function<JsonNode, String> text) {
    node.print(out, answer, text);
    return state(answer).equals("failed") ? ExitCode.SOFTWARE : ExitCode.OK;
  }
}
