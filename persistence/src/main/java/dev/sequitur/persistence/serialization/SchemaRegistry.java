package dev.sequitur.persistence.serialization;

import dev.sequitur.encoding.Alternatives;
import dev.sequitur.encoding.MalformedBytesException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;

/** All schemas and names of alternatives that this process knows. Thread-safe. */
public final class SchemaRegistry {
  private final Map<String, Schema<?>> byName = new HashMap<>();
  private final Map<Class<?>, Schema<?>> byType = new HashMap<>();
  private final List<Alternatives<?>> alternatives = new ArrayList<>();
  // Bounded by the number of classes.
  private final Map<Class<?>, Optional<Schema<?>>> found = new ConcurrentHashMap<>();

  /**
   * @throws IllegalArgumentException if two contributions name the same thing
   */
  public SchemaRegistry(Iterable<? extends SchemaContribution> contributions) {
    for (var contribution : contributions) {
      contribution.schemas().forEach(this::add);
      alternatives.addAll(contribution.alternatives());
    }
  }

  /** What every module on the class path contributes. */
  public static SchemaRegistry load() {
    return new SchemaRegistry(
        ServiceLoader.load(SchemaContribution.class, SchemaRegistry.class.getClassLoader()));
  }

  private void add(Schema<?> schema) {
    if (byName.putIfAbsent(schema.name(), schema) != null) {
      throw new IllegalArgumentException("Two schemas are named " + schema.name() + ".");
    }
    var other = byType.putIfAbsent(schema.type(), schema);
    if (other != null) {
      throw new IllegalArgumentException(
          "The schemas %s and %s are both for %s."
              .formatted(other.name(), schema.name(), schema.type().getName()));
    }
  }

  List<Alternatives<?>> alternatives() {
    return List.copyOf(alternatives);
  }

  /**
   * The schema of a class: its own, or that of the nearest supertype.
   *
   * @throws IllegalArgumentException if there is none, with a sentence for the developer
   */
  public Schema<?> schemaOf(Class<?> type) {
    return found
        .computeIfAbsent(type, this::search)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no schema for "
                        + type.getName()
                        + ": add one to the SchemaContribution of its module."));
  }

  private Optional<Schema<?>> search(Class<?> type) {
    if (type == null) {
      return Optional.empty();
    }
    var own = byType.get(type);
    if (own != null) {
      return Optional.of(own);
    }
    for (var parent : type.getInterfaces()) {
      var inherited = search(parent);
      if (inherited.isPresent()) {
        return inherited;
      }
    }
    return search(type.getSuperclass());
  }

  /** A schema and the version of it that some bytes were written in. */
  record Written(Schema<?> schema, int version) {}

  /**
   * @throws MalformedBytesException if the name is unknown, or the version newer or too old
   */
  Written written(String manifest) {
    int colon = manifest.lastIndexOf(':');
    var schema = colon < 0 ? null : byName.get(manifest.substring(0, colon));
    if (schema == null) {
      throw new MalformedBytesException(
          ("The manifest '%s' is unknown here: a newer Sequitur wrote it, or a module is missing"
                  + " from the class path.")
              .formatted(manifest));
    }
    int version = versionOf(manifest.substring(colon + 1));
    if (version > schema.version()) {
      throw new MalformedBytesException(
          "'%s' was written by a newer Sequitur; this one reads versions up to %d: update it."
              .formatted(manifest, schema.version()));
    }
    if (version < schema.oldestVersion()) {
      throw new MalformedBytesException(
          "'%s' is too old; this Sequitur reads versions from %d on: go through an older release."
              .formatted(manifest, schema.oldestVersion()));
    }
    return new Written(schema, version);
  }

  private static int versionOf(String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
