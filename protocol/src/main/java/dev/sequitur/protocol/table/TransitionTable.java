package dev.sequitur.protocol.table;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A total state machine as a table: each event in each state has exactly one row. Made once,
 * checked when it is made. The diagrams in the docs are drawn from it.
 */
public final class TransitionTable<S extends Enum<S>, E extends Enum<E>> {
  private final String name;
  private final Row<S, E>[] rows;
  private final int events;

  /** Not exact when several threads ask for the same row at once, which no reader minds. */
  private final int[] visits;

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
   * @param note why, in a few words
   */
  public record Row<S, E>(S state, E event, Kind kind, S next, String note) {}

  private TransitionTable(String name, Row<S, E>[] rows, int events) {
    this.name = name;
    this.rows = rows;
    this.events = events;
    this.visits = new int[rows.length];
  }

  public String name() {
    return name;
  }

  public Row<S, E> row(S state, E event) {
    return rows[state.ordinal() * events + event.ordinal()];
  }

  public List<Row<S, E>> rows() {
    return List.of(rows);
  }

  /** Whether {@code event} changes or renews {@code state}. */
  public boolean moves(S state, E event) {
    return row(state, event).kind() == Kind.MOVE;
  }

  /**
   * @throws IllegalTransition if the row is impossible
   */
  public S next(S state, E event, Object subject) {
    var row = row(state, event);
    visits[state.ordinal() * events + event.ordinal()]++;
    if (row.kind() == Kind.IMPOSSIBLE) {
      throw new IllegalTransition(
          name + ": " + event + " cannot happen in " + state + " (" + row.note() + "): " + subject);
    }
    return row.next();
  }

  /** How often a row has been asked for in this process: for tests of the tests. */
  public int visits(S state, E event) {
    return visits[state.ordinal() * events + event.ordinal()];
  }

  /** A Mermaid state diagram of the rows that change the state. */
  public String mermaid() {
    var arrows = new LinkedHashMap<String, List<String>>();
    for (var row : rows) {
      if (row.kind() == Kind.MOVE && row.state() != row.next()) {
        arrows
            .computeIfAbsent(
                label(row.state()) + " --> " + label(row.next()), k -> new ArrayList<>())
            .add(words(row.event()));
      }
    }
    var text = new StringBuilder("stateDiagram-v2\n    direction LR\n");
    text.append("    [*] --> ").append(label(rows[0].state())).append('\n');
    arrows.forEach(
        (arrow, labels) ->
            text.append("    ")
                .append(arrow)
                .append(" : ")
                .append(String.join("<br/>", labels))
                .append('\n'));
    return text.toString();
  }

  /** A Markdown table: a line for each state and event. */
  public String markdown() {
    var text = new StringBuilder("| state | event | next | note |\n|---|---|---|---|\n");
    for (var row : rows) {
      String next =
          switch (row.kind()) {
            case MOVE -> label(row.next());
            case IGNORE -> "(ignored)";
            case IMPOSSIBLE -> "(impossible)";
          };
      text.append("| ").append(label(row.state())).append(" | ").append(words(row.event()));
      text.append(" | ").append(next).append(" | ").append(row.note()).append(" |\n");
    }
    return text.toString();
  }

  private static String label(Enum<?> state) {
    var word = new StringBuilder();
    for (String part : state.name().split("_")) {
      word.append(part.charAt(0)).append(part.substring(1).toLowerCase(Locale.ROOT));
    }
    return word.toString();
  }

  private static String words(Enum<?> event) {
    return event.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Something happened that the table calls impossible. */
  public static final class IllegalTransition extends IllegalStateException {
    private static final long serialVersionUID = 1;

    IllegalTransition(String message) {
      super(message);
    }
  }

  public static <S extends Enum<S>, E extends Enum<E>> Builder<S, E> of(
      String name, Class<S> states, Class<E> events) {
    return new Builder<>(name, states, events);
  }

  /** Collects rows; {@link #build} fails unless every pair of state and event has its row. */
  public static final class Builder<S extends Enum<S>, E extends Enum<E>> {
    private final String name;
    private final Class<S> states;
    private final Class<E> events;
    private final Map<S, Map<E, Row<S, E>>> rows = new LinkedHashMap<>();

    private Builder(String name, Class<S> states, Class<E> events) {
      this.name = name;
      this.states = states;
      this.events = events;
    }

    public Builder<S, E> move(S state, E event, S next, String note) {
      return add(new Row<>(state, event, Kind.MOVE, next, note));
    }

    /** The same row for several states. */
    public Builder<S, E> move(Set<S> from, E event, S next, String note) {
      from.forEach(state -> move(state, event, next, note));
      return this;
    }

    public Builder<S, E> ignore(Set<S> from, E event, String note) {
      from.forEach(state -> add(new Row<>(state, event, Kind.IGNORE, state, note)));
      return this;
    }

    public Builder<S, E> impossible(Set<S> from, E event, String note) {
      from.forEach(state -> add(new Row<>(state, event, Kind.IMPOSSIBLE, state, note)));
      return this;
    }

    private Builder<S, E> add(Row<S, E> row) {
      var earlier =
          rows.computeIfAbsent(row.state(), k -> new LinkedHashMap<>()).put(row.event(), row);
      if (earlier != null) {
        throw new IllegalStateException(name + " has two rows: " + earlier + " and " + row);
      }
      return this;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public TransitionTable<S, E> build() {
      var all = EnumSet.allOf(events);
      var table = new ArrayList<Row<S, E>>();
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
