package dev.sequitur.persistence.serialization;

import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The names by which the records of a sealed interface are told apart when serialized: the value of
 * their property {@value #PROPERTY}. A name is for life, a class may be renamed.
 *
 * @param names a name for each record that the interface permits, directly or not
 */
public record Alternatives<T>(Class<T> sealed, Map<String, Class<? extends T>> names) {
  /** Of a serialized alternative; no record may have a component of this name. */
  public static final String PROPERTY = "type";

  /**
   * @throws IllegalArgumentException if a permitted record has no name or two, or has a component
   *     that would take the name's place
   */
  public Alternatives {
    names = Map.copyOf(names);
    requireOneNameEach(sealed, names);
    names.values().forEach(Alternatives::requireFreeProperty);
  }

  /** Starts a list of names. */
  public static <T> Naming<T> of(Class<T> sealed) {
    return new Naming<>(sealed);
  }

  private static void requireOneNameEach(Class<?> sealed, Map<String, ? extends Class<?>> names) {
    var wrong = new TreeSet<String>();
    leaves(sealed)
        .filter(leaf -> names.values().stream().filter(leaf::equals).count() != 1)
        .forEach(leaf -> wrong.add(leaf.getName()));
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException(
          "Each record of " + sealed.getName() + " needs one name; not so " + wrong + ".");
    }
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    if (type.isSealed()) {
      return Stream.of(type.getPermittedSubclasses()).flatMap(Alternatives::leaves).distinct();
    }
    if (!Modifier.isFinal(type.getModifiers())) {
      throw new IllegalArgumentException(
          type.getName() + " must be a record or a sealed interface.");
    }
    return Stream.of(type);
  }

  private static void requireFreeProperty(Class<?> leaf) {
    if (leaf.isRecord()
        && Stream.of(leaf.getRecordComponents())
            .map(RecordComponent::getName)
            .anyMatch(PROPERTY::equals)) {
      throw new IllegalArgumentException(
          "The component '" + PROPERTY + "' of " + leaf.getName() + " needs another name.");
    }
  }

  /** Collects names, one after another. */
  public static final class Naming<T> {
    private final Class<T> sealed;
    private final Map<String, Class<? extends T>> names = new LinkedHashMap<>();

    private Naming(Class<T> sealed) {
      this.sealed = sealed;
    }

    /**
     * @throws IllegalArgumentException if the name is taken
     */
    public Naming<T> name(String name, Class<? extends T> record) {
      if (names.putIfAbsent(name, record) != null) {
        throw new IllegalArgumentException(
            "The name " + name + " stands twice among those of " + sealed.getName() + ".");
      }
      return this;
    }

    /** Checks that each permitted record has been named. */
    public Alternatives<T> build() {
      return new Alternatives<>(sealed, names);
    }
  }
}
