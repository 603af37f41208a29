package dev.sequitur.protocol.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.table.TransitionTable.IllegalTransition;
import dev.sequitur.protocol.table.TransitionTable.Kind;
import dev.sequitur.protocol.table.TransitionTable.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What each table of a state machine passes, in whichever module it stands. */
public final class TableContract {
  private static final Pattern DECLARED = Pattern.compile("static final TransitionTable<");

  private TableContract() {}

  /** How many tables the sources of the module have whose tests are run. */
  public static int declaredInThisModule() throws IOException {
    try (var sources = Files.walk(Path.of("src", "main", "java"))) {
      int tables = 0;
      for (var source : sources.filter(path -> path.toString().endsWith(".java")).toList()) {
        tables += (int) DECLARED.matcher(Files.readString(source)).results().count();
      }
      return tables;
    }
  }

  /** Each row goes where it says, or does nothing, or throws what names the pair. */
  public static <S extends Enum<S>, E extends Enum<E>, A> void everyRowAnswersAsItSays(
      TransitionTable<S, E, A> table) {
    for (Row<S, E, A> row : table.rows()) {
      assertThat(row.note()).isNotBlank();
      switch (row.kind()) {
        case MOVE -> assertThat(next(table, row, "it")).contains(row.next());
        case IGNORE -> assertThat(next(table, row, "it")).isEmpty();
        case IMPOSSIBLE ->
            assertThatThrownBy(() -> next(table, row, "transaction 7"))
                .isInstanceOf(IllegalTransition.class)
                .hasMessageContaining(row.event().toString())
                .hasMessageContaining(row.state().toString())
                .hasMessageContaining("transaction 7");
      }
    }
  }

  private static <S extends Enum<S>, E extends Enum<E>, A> Optional<S> next(
      TransitionTable<S, E, A> table, Row<S, E, A> row, Object subject) {
    return table.move(row.state(), row.event(), subject, (next, action) -> next);
  }

  /** Each state and event has one row, and each state can be reached from the first. */
  public static <S extends Enum<S>, E extends Enum<E>, A> void everyStateCanBeReached(
      TransitionTable<S, E, A> table) {
    var first = table.rows().get(0);
    Class<S> states = first.state().getDeclaringClass();
    Class<E> events = first.event().getDeclaringClass();
    assertThat(table.rows())
        .hasSize(EnumSet.allOf(states).size() * EnumSet.allOf(events).size())
        .doesNotHaveDuplicates();
    Set<S> reached = EnumSet.of(first.state());
    var open = new ArrayDeque<S>(reached);
    while (!open.isEmpty()) {
      S state = open.poll();
      for (var row : table.rows()) {
        if (row.state() == state && row.kind() == Kind.MOVE && reached.add(row.next())) {
          open.add(row.next());
        }
      }
    }
    assertThat(reached).as(table.name()).isEqualTo(EnumSet.allOf(states));
  }
}
