package dev.sequitur.persistence.serialization;

import dev.sequitur.encoding.Alternatives;
import java.util.List;

/**
 * What a module adds to the {@link SchemaRegistry}. Named in {@code
 * META-INF/services/dev.sequitur.persistence.serialization.SchemaContribution}; public, with a
 * public constructor without parameters.
 */
public interface SchemaContribution {
  /** The types that are stored or sent by themselves. */
  List<Schema<?>> schemas();

  /** The numbers within the sealed interfaces that occur in them. */
  List<Alternatives<?>> alternatives();
}
