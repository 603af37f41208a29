package dev.sequitur.domain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Domain.States;

/**
 * A read-only call of a domain, its inputs declared as those of a {@link PrivateFunction}.
 *
 * @param name as {@code function} of a call
 * @param doc what it answers, as a sentence
 */
public record PrivateQuery(String name, String doc, ObjectFormat inputs, Answering answering) {
  /** Who asks, in which group, of which states. */
  public record Asked(PrivacyGroup group, Identity from, States states) {}

  /** Answers from the states that the node holds. */
  @FunctionalInterface
  public interface Answering {
    /**
     * @throws RuleViolation if the group's rules forbid it
     * @throws dev.sequitur.json.Refused if the inputs do not fit the group
     */
    JsonNode answer(Asked asked, Sent inputs);
  }
}
