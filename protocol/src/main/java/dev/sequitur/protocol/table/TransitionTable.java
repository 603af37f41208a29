package dev.sequitur.protocol.table;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BiFunction;

/**
 * A total state machine as a table: each event in each state has exactly one row, which says what
 * becomes of the state and what is done then. Made once, checked when it is made. The docs show
 * what it says.
 *
 * @param <A> what a row does, as the machine calls it
 */
public final class TransitionTable<S extends Enum<S>, E extends Enum<E>, A> {
  private final String name;
  private final Row<S, E, A>[] rows;
  private final int events;

  // Null in a node: only tests of the tests count, and no transition pays for them.
  private volatile AtomicIntegerArray visits;

  /** How a state answers an event. */
  public enum Kind {
    /** It becomes {@code next}, which may be the same state again. */
    MOVE,
    /** The event says nothing new here: the state stays, nothing is done. */
    IGNORE,
    /** The rules never let this happen: it is a defect, and throws. */
    IMPOSSIBLE
  }

  /**
   * @param action done once the state has become {@code next}
   * @param note why, in a few words
   */
  public record Row<S, E, A>(S state, E event, Kind kind, S next, A action, String note) {}

  private TransitionTable(String name, Row<S, E, A>[] rows, int events) {
    this.name = name;
    this.rows = rows;
    this.events = events;
  }

  public String name() {
    return name;
  }

  public List<Row<S, E, A>> rows() {
    return List.of(rows);
  }

  /**
   * Answers an event. This is the only way from one state to another.
   *
   * @param subject what is in {@code state}; named if the row is impossible
   * @param apply puts the next state in place, and then does the row's action
   * @return what {@code apply} gives; empty if the row ignores the event
   * @throws IllegalTransition if the row is impossible
   */
  public <R> Optional<R> move(S state, E event, Object subject, BiFunction<S, A, R> apply) {
    int index = state.ordinal() * events + event.ordinal();
    var counted = visits;
    if (counted != null) {
      counted.incrementAndGet(index);
    }
    var row = rows[index];
    return switch (row.kind()) {
      case MOVE -> Optional.of(apply.apply(row.next(), row.action()));
      case IGNORE -> Optional.empty();
      case IMPOSSIBLE ->
          throw new IllegalTransition(
              name
                  + ": "
                  + event
                  + " cannot happen in "
                  + state
                  + " ("
                  + row.note()
                  + "): "
                  + subject);
    };
  }

  /** From now on it counts how often each row is asked for: for tests of the tests. */
  synchronized void countVisits() {
    if (visits == null) {
      visits = new AtomicIntegerArray(rows.length);
    }
  }

  /** How often a row has been asked for in this process since somebody has it counted. */
  int visits(S state, E event) {
    var counted = visits;
    return counted == null ? 0 : counted.get(state.ordinal() * events + event.ordinal());
  }

  /** Something happened that the table calls impossible. */
  public static final class IllegalTransition extends IllegalStateException {
    private static final long serialVersionUID = 1;

    IllegalTransition(String message) {
      super(message);
    }
  }

  /** A table whose rows only move. */
  public static <S extends Enum<S>, E extends Enum<E>> Builder<S, E, Void> of(
      String name, Class<S> states, Class<E> events) {
    return of(name, states, events, null);
  }

  /**
   * @param nothing the action of a row that only moves
   */
  public static <S extends Enum<S>, E extends Enum<E>, A> Builder<S, E, A> of(
      String name, Class<S> states, Class<E> events, A nothing) {
    return new Builder<>(name, states, events, nothing);
  }

  /** Collects rows; {@link #build} fails unless every pair of state and event has its row. */
  public static final class Builder<S extends Enum<S>, E extends Enum<E>, A> {
    private final String name;
    private final Class<S> states;
    private final Class<E> events;
    private final A nothing;
    private final Map<S, Map<E, Row<S, E, A>>> rows = new LinkedHashMap<>();

    private Builder(String name, Class<S> states, Class<E> events, A nothing) {
      this.name = name;
      this.states = states;
      this.events = events;
      this.nothing = nothing;
    }

    public Builder<S, E, A> move(S state, E event, S next, String note) {
      return move(state, event, next, nothing, note);
    }

    public Builder<S, E, A> move(S state, E event, S next, A action, String note) {
      return add(new Row<>(state, event, Kind.MOVE, next, action, note));
    }

    /** The same row for several states. */
    public Builder<S, E, A> move(Set<S> from, E event, S next, String note) {
      return move(from, event, next, nothing, note);
    }

    /** The same row for several states. */
    public Builder<S, E, A> move(Set<S> from, E event, S next, A action, String note) {
      from.forEach(state -> move(state, event, next, action, note));
      return this;
    }

    public Builder<S, E, A> ignore(Set<S> from, E event, String note) {
      return stay(from, event, Kind.IGNORE, note);
    }

    public Builder<S, E, A> impossible(Set<S> from, E event, String note) {
      return stay(from, event, Kind.IMPOSSIBLE, note);
    }

    private Builder<S, E, A> stay(Set<S> from, E event, Kind kind, String note) {
      from.forEach(state -> add(new Row<>(state, event, kind, state, nothing, note)));
      return this;
    }

    private Builder<S, E, A> add(Row<S, E, A> row) {
      var earlier =
          rows.computeIfAbsent(row.state(), k -> new LinkedHashMap<>()).put(row.event(), row);
      if (earlier != null) {
        throw new IllegalStateException(name + " has two rows: " + earlier + " and " + row);
      }
      return this;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public TransitionTable<S, E, A> build() {
      var all = EnumSet.allOf(events);
      var table = new ArrayList<Row<S, E, A>>();
      for (S state : EnumSet.allOf(states)) {
        for (E event : all) {
          var row = rows.getOrDefault(state, Map.of()).get(event);
          if (row == null) {
            throw new IllegalStateException(name + " has no row for " + event + " in " + state);
          }
          table.add(row);
        }
      }
      return new TransitionTable<>(name, table.toArray(new Row[0]), all.size());
    }
  }
}
