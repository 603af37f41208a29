package dev.sequitur.trace;

import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.sequitur.protocol.message.TracePart;
import dev.sequitur.protocol.message.TracedMessage;
import java.util.Set;
import java.util.stream.Stream;

/** The words that a traced message may have: types of messages and roles. */
public final class TraceWords {
  private static final Set<String> ROLES =
      Stream.of(MessageRole.values()).map(MessageRole::label).collect(toUnmodifiableSet());

  private TraceWords() {}

  /** The name of each type of message in the specification, sorted. */
  public static Set<String> types() {
    return MessageKind.names();
  }

  /**
   * What another process says, as far as its words are known here. A node of a newer release may
   * have others, and one that lies any text: those messages are counted among the ones left out.
   */
  public static TracePart known(TracePart said) {
    var known = said.messages().stream().filter(TraceWords::isKnown).toList();
    long leftOut = (long) said.leftOut() + said.messages().size() - known.size();
    return new TracePart(
        said.process(), said.processes(), known, (int) Math.min(leftOut, Integer.MAX_VALUE));
  }

  private static boolean isKnown(TracedMessage message) {
    return types().contains(message.type())
        && ROLES.contains(message.fromRole())
        && ROLES.contains(message.toRole());
  }
}
