package dev.sequitur.protocol.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A machine that adds up what it is told, and says each sum. */
class HostTest {
  private static final Instant NOW = Instant.EPOCH;

  private static Machine<Integer, Integer, Integer, String> adding(Optional<Integer> first) {
    return new Machine<>(
        100,
        (before, input, now) ->
            new Decision<>(
                before + input, List.of(input), List.of(), List.of("now " + (before + input))),
        Integer::sum,
        now -> first,
        0);
  }

  @Test
  void severalInputsInARowComeToOneAnswerInTheirOrder() {
    var host = new Host<>(adding(Optional.empty()), 100);

    var folded = host.fold(List.of(1, 2), NOW);

    assertThat(folded.events()).containsExactly(1, 2);
    assertThat(folded.effects()).containsExactly("now 101", "now 103");
    assertThat(host.state()).isEqualTo(103);
  }

  @Test
  void whatItIsToldFirstInALifeComesBeforeAnythingElseAndOnce() {
    var host = new Host<>(adding(Optional.of(1_000)), 100);

    assertThat(host.fold(List.of(1), NOW).events()).containsExactly(1_000, 1);
    assertThat(host.fold(List.of(2), NOW).events()).containsExactly(2);
    assertThat(host.state()).isEqualTo(1_103);
  }

  @Test
  void aLifeBeginsWithWhatItsJournalHolds() {
    var machine = adding(Optional.empty());

    assertThat(machine.recover(List.of(1, 2))).isEqualTo(103);
    assertThat(machine.recover(List.of())).isEqualTo(100);
    assertThat(new Host<>(machine, machine.recover(List.of(7))).state()).isEqualTo(107);
  }

  @Test
  void otherRulesChangeNothingElse() {
    var machine = adding(Optional.of(5));

    var idle =
        machine.with(
            (before, input, now) -> new Decision<>(before, List.of(), List.of(), List.of()));

    assertThat(new Host<>(idle, 3).fold(List.of(1), NOW).events()).isEmpty();
    assertThat(idle.recover(List.of(1))).isEqualTo(101);
    assertThat(idle.first().apply(NOW)).contains(5);
    assertThat(new Host<>(idle, 3).machine()).isSameAs(idle);
  }
}
