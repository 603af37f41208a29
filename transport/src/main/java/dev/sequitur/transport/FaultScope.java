package dev.sequitur.transport;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.Message;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which envelopes a rule concerns; an empty set stands for all.
 *
 * @param messages names in the specification, as {@code AssembleRequest}
 * @param contracts what the messages are about; a message about none is not concerned if there are
 *     any
 */
public record FaultScope(
    Set<NodeName> from, Set<NodeName> to, Set<String> messages, Set<ContractAddress> contracts) {
  /** Everything that is sent. */
  public static final FaultScope ALL = new FaultScope(Set.of(), Set.of(), Set.of(), Set.of());

  private static final Set<String> KNOWN =
      messageTypes(Message.class).map(Class::getSimpleName).collect(Collectors.toSet());

  /**
   * @throws IllegalArgumentException with a sentence for the caller, if there is no such message
   */
  public FaultScope {
    from = Set.copyOf(from);
    to = Set.copyOf(to);
    messages = Set.copyOf(messages);
    contracts = Set.copyOf(contracts);
    for (var name : messages) {
      if (!KNOWN.contains(name)) {
        throw new IllegalArgumentException(
            "There is no message '" + name + "'; name some of " + new TreeSet<>(KNOWN) + ".");
      }
    }
  }

  /** What one node sends to another. */
  public static FaultScope link(NodeName from, NodeName to) {
    return new FaultScope(Set.of(from), Set.of(to), Set.of(), Set.of());
  }

  /** All messages of these types. */
  public static FaultScope ofMessages(String... names) {
    return new FaultScope(Set.of(), Set.of(), Set.of(names), Set.of());
  }

  boolean contains(Envelope envelope) {
    return (from.isEmpty() || from.contains(envelope.from()))
        && (to.isEmpty() || to.contains(envelope.to()))
        && (messages.isEmpty() || messages.contains(envelope.payload().getClass().getSimpleName()))
        && (contracts.isEmpty() || isAboutOneOfThem(envelope.payload()));
  }

  private boolean isAboutOneOfThem(Message message) {
    return message instanceof Message.OfContract about && contracts.contains(about.contract());
  }

  private static Stream<Class<?>> messageTypes(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(FaultScope::messageTypes)
        : Stream.of(type);
  }
}
