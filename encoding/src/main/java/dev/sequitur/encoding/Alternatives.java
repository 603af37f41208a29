package dev.sequitur.encoding;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * By which number each record of an interface is known in what is stored or sent. A number is for
 * life: it is never given to another record, and what is no longer written keeps its own.
 *
 * @param numbers from 1
 */
public record Alternatives<T>(Class<T> type, Map<Class<? extends T>, Integer> numbers) {
  /** Numbers the records from 1 on; what comes later goes to the end. */
  @SafeVarargs
  public static <T> Alternatives<T> of(Class<T> type, Class<? extends T>... records) {
    var numbers = new LinkedHashMap<Class<? extends T>, Integer>();
    for (var each : records) {
      numbers.put(each, numbers.size() + 1);
    }
    if (numbers.size() != records.length) {
      throw new IllegalArgumentException("A record of " + type.getName() + " stands twice.");
    }
    return new Alternatives<>(type, numbers);
  }

  /**
   * Those of {@code type}, or of an interface above it, which then knows more records.
   *
   * @param open what stands in the place of interfaces that are not sealed
   * @throws IllegalStateException if there are none, or one that it permits has no number
   */
  public static <T> Alternatives<? super T> of(
      Class<T> type, List<Alternatives<?>> all, Open open) {
    var table = find(type, all);
    if (table == null) {
      throw new IllegalStateException(
          "Number the records of " + type.getName() + " among the alternatives.");
    }
    var missing = new ArrayList<Class<?>>();
    leaves(type, open).stream()
        .filter(leaf -> !table.numbers().containsKey(leaf))
        .forEach(missing::add);
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "Give %s numbers among the alternatives of %s."
              .formatted(missing, table.type().getName()));
    }
    return table;
  }

  @SuppressWarnings("unchecked")
  private static <T> Alternatives<? super T> find(Class<T> type, List<Alternatives<?>> all) {
    for (var alternatives : all) {
      if (alternatives.type() == type) {
        return (Alternatives<T>) alternatives;
      }
    }
    for (var above : type.getInterfaces()) {
      var found = find(above, all);
      if (found != null) {
        return (Alternatives<? super T>) found;
      }
    }
    return null;
  }

  /** What stands in the place of an interface that is not sealed. */
  @FunctionalInterface
  public interface Open {
    /** A format without any. */
    Open NONE = type -> List.of();

    List<Class<?>> of(Class<?> type);
  }

  /** What a sealed interface permits in the end, or what stands in an open one's place. */
  public static List<Class<?>> leaves(Class<?> type, Open open) {
    var leaves = new ArrayList<Class<?>>();
    for (var each : type.isSealed() ? List.of(type.getPermittedSubclasses()) : opened(type, open)) {
      leaves.addAll(each.isSealed() ? leaves(each, open) : List.of(each));
    }
    return leaves;
  }

  private static List<Class<?>> opened(Class<?> type, Open open) {
    return type.isInterface() ? open.of(type) : List.of();
  }
}
