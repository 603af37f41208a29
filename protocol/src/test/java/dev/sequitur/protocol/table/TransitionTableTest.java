package dev.sequitur.protocol.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.ProtocolTables;
import dev.sequitur.protocol.table.TransitionTable.IllegalTransition;
import dev.sequitur.protocol.table.TransitionTable.Kind;
import dev.sequitur.protocol.table.TransitionTable.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class TransitionTableTest {
  private enum Light {
    RED,
    GREEN
  }

  private enum Press {
    BUTTON
  }

  private static List<TransitionTable<?, ?, ?>> tables() {
    return ProtocolTables.all();
  }

  @ParameterizedTest
  @MethodSource("tables")
  void everyRowAnswersAsItSays(TransitionTable<?, ?, ?> table) {
    walk(table);
  }

  private static <S extends Enum<S>, E extends Enum<E>, A> void walk(
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

  @ParameterizedTest
  @MethodSource("tables")
  void everyStateAndEventHasOneRowAndEveryStateCanBeReached(TransitionTable<?, ?, ?> table) {
    reach(table);
  }

  private static <S extends Enum<S>, E extends Enum<E>, A> void reach(
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

  @Test
  void everyTableOfTheCodeIsOnTheListThatTheTestsWalk() throws IOException {
    var declared = Pattern.compile("static final TransitionTable<");
    try (var sources = Files.walk(Path.of("src", "main", "java"))) {
      long tables = 0;
      for (var source : sources.filter(path -> path.toString().endsWith(".java")).toList()) {
        tables += declared.matcher(Files.readString(source)).results().count();
      }
      assertThat(ProtocolTables.all()).hasSize((int) tables);
    }
  }

  @Test
  void aTableWithAHoleOrTwoRowsForOnePairIsRefused() {
    var holey = TransitionTable.of("light", Light.class, Press.class);
    holey.move(Light.RED, Press.BUTTON, Light.GREEN, "go");
    assertThatThrownBy(holey::build).hasMessageContaining("no row for BUTTON in GREEN");
    assertThatThrownBy(() -> holey.move(Light.RED, Press.BUTTON, Light.RED, "stay"))
        .hasMessageContaining("two rows");
  }

  @Test
  void aTableCountsTheVisitsOfItsRowsOnceSomebodyAsksForIt() {
    var light =
        TransitionTable.of("light", Light.class, Press.class)
            .move(Light.RED, Press.BUTTON, Light.GREEN, "go")
            .ignore(EnumSet.of(Light.GREEN), Press.BUTTON, "it is green")
            .build();

    light.move(Light.RED, Press.BUTTON, "it", (next, nothing) -> next);
    assertThat(light.visits(Light.RED, Press.BUTTON)).as("in a node nobody counts").isZero();
    light.countVisits();
    light.move(Light.RED, Press.BUTTON, "it", (next, nothing) -> next);
    light.countVisits();

    assertThat(light.visits(Light.RED, Press.BUTTON)).isEqualTo(1);
    assertThat(light.visits(Light.GREEN, Press.BUTTON)).isZero();
    assertThat(TableText.mermaid(light)).contains("Red --> Green : button");
    assertThat(TableText.markdown(light)).contains("| Green | button | (ignored) | it is green |");
  }
}
