package dev.sequitur.node.rpc.query;

import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A query that has been read: which rows, how many, in which order.
 *
 * @param limit rows in the answer
 * @param sort most significant first; empty leaves the order to the source
 */
public record Query<R>(Statement<R> statement, int limit, List<SortKey<R>> sort) {
  public Query {
    sort = List.copyOf(sort);
  }

  /** Any rows, in the order of their source. */
  public static <R> Query<R> any(int limit) {
    return new Query<>(new Statement<>(List.of(), List.of()), limit, List.of());
  }

  /**
   * Conditions that must all hold, and, if there are alternatives, one of those.
   *
   * @param or empty if there are no alternatives
   */
  record Statement<R>(List<Condition<R>> all, List<Statement<R>> or) {
    Statement {
      all = List.copyOf(all);
      or = List.copyOf(or);
    }

    boolean holds(R row) {
      return all.stream().allMatch(condition -> condition.holds(row))
          && (or.isEmpty() || or.stream().anyMatch(statement -> statement.holds(row)));
    }
  }

  /** A field to sort by. */
  public record SortKey<R>(QueryField<R> field, boolean descending) {
    Comparator<R> comparator() {
      Comparator<R> ascending = (a, b) -> order(field.value().apply(a), field.value().apply(b));
      return descending ? ascending.reversed() : ascending;
    }

    private static int order(
        Optional<? extends Comparable<?>> a, Optional<? extends Comparable<?>> b) {
      if (a.isEmpty() || b.isEmpty()) {
        return Boolean.compare(a.isPresent(), b.isPresent());
      }
      return Condition.order(a.get(), b.get());
    }
  }

  public boolean matches(R row) {
    return statement.holds(row);
  }

  /** Whether the rows are wanted in the order of one field, or in no order in particular. */
  public boolean isOrderedBy(String field, boolean descending) {
    return sort.isEmpty()
        || (sort.size() == 1
            && sort.get(0).field().name().equals(field)
            && sort.get(0).descending() == descending);
  }

  Optional<Comparator<R>> comparator() {
    return sort.stream().map(SortKey::comparator).reduce(Comparator::thenComparing);
  }

  /** The only value that the field may have, if the query says so: then one look-up answers it. */
  public Optional<Comparable<?>> only(String field) {
    return statement.all().stream()
        .filter(condition -> condition.field().name().equals(field))
        .filter(Condition::isExact)
        .<Comparable<?>>map(condition -> condition.values().get(0))
        .findFirst();
  }

  /**
   * A number that the field must at least have, by the query; the scan of an ordered source may
   * start there.
   */
  public Optional<Long> atLeast(String field) {
    return statement.all().stream()
        .filter(condition -> condition.field().name().equals(field) && !condition.not())
        .flatMap(Query::lowerBound)
        .max(Comparator.naturalOrder());
  }

  /** A number that the field must not be above, by the query. */
  public Optional<Long> atMost(String field) {
    return statement.all().stream()
        .filter(condition -> condition.field().name().equals(field) && !condition.not())
        .flatMap(Query::upperBound)
        .min(Comparator.naturalOrder());
  }

  /** A time that the field must not be before, by the query. */
  public Optional<Instant> since(String field) {
    return times(field, Operator.GT, Operator.GTE).max(Comparator.naturalOrder());
  }

  /** A time that the field must not be after, by the query. */
  public Optional<Instant> until(String field) {
    return times(field, Operator.LT, Operator.LTE).min(Comparator.naturalOrder());
  }

  private Stream<Instant> times(String field, Operator open, Operator closed) {
    var bounding = EnumSet.of(Operator.EQ, open, closed);
    return statement.all().stream()
        .filter(condition -> condition.field().name().equals(field) && !condition.not())
        .filter(condition -> bounding.contains(condition.operator()))
        .map(condition -> (Instant) condition.values().get(0));
  }

  private static Stream<Long> upperBound(Condition<?> condition) {
    return switch (condition.operator()) {
      case EQ, LTE -> Stream.of((Long) condition.values().get(0));
      case LT -> {
        long below = (Long) condition.values().get(0);
        yield Stream.of(below == Long.MIN_VALUE ? below : below - 1);
      }
      case NEQ, LIKE, GT, GTE, IN, NIN, NULL -> Stream.empty();
    };
  }

  private static Stream<Long> lowerBound(Condition<?> condition) {
    return switch (condition.operator()) {
      case EQ, GTE -> Stream.of((Long) condition.values().get(0));
      case GT -> {
        long above = (Long) condition.values().get(0);
        yield Stream.of(above == Long.MAX_VALUE ? above : above + 1);
      }
      case NEQ, LIKE, LT, LTE, IN, NIN, NULL -> Stream.empty();
    };
  }
}
