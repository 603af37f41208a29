package dev.sequitur.laboratory.command;

import dev.sequitur.console.WrongOption;
import java.util.Map;

/** The token of {@code sequitur chaos}. A secret belongs in no command line. */
final class ChaosToken {
  private static final String VARIABLE = "SEQUITUR_CHAOS_TOKEN";

  private ChaosToken() {}

  /**
   * As the environment says it.
   *
   * @throws WrongOption if it does not
   */
  static String required() {
    var token = System.getenv().getOrDefault(VARIABLE, "");
    if (token.isBlank()) {
      throw new WrongOption("Set " + VARIABLE + " to chaos.token of the nodes' configuration.");
    }
    return token;
  }

  /** What lets faults be set on nodes that are started here. */
  static Map<String, String> settings() {
    return Map.of("chaos.enabled", "true", "chaos.token", required());
  }
}
