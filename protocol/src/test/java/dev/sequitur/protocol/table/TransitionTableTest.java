package dev.sequitur.protocol.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.ProtocolTables;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
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
    TableContract.everyRowAnswersAsItSays(table);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void everyStateAndEventHasOneRowAndEveryStateCanBeReached(TransitionTable<?, ?, ?> table) {
    TableContract.everyStateCanBeReached(table);
  }

  @Test
  void everyTableOfTheCodeIsOnTheListThatTheTestsWalk() throws IOException {
    assertThat(ProtocolTables.all()).hasSize(TableContract.declaredInThisModule());
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
