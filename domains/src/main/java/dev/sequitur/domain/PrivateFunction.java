package dev.sequitur.domain;

import dev.sequitur.json.ObjectFormat;
import dev.sequitur.json.Sent;

/**
 * A function that the transactions of a domain call. Its inputs are declared once: by that they are
 * read, refused, and told to who writes against the node.
 *
 * @param name as {@code function} of a transaction
 * @param doc what it does, as a sentence
 * @param inputs named {@code domain.function}
 * @param reading makes an intent of inputs that have the declared types
 * @param <I> an intent
 */
public record PrivateFunction<I>(String name, String doc, ObjectFormat inputs, Reading<I> reading) {
  /** What is right only in a group, or of one sender. */
  @FunctionalInterface
  public interface Reading<I> {
    /**
     * @throws RuleViolation if the group's rules forbid it
     * @throws dev.sequitur.json.Refused if the inputs do not fit each other or the group
     */
    I read(Given given, Sent inputs);
  }
}
