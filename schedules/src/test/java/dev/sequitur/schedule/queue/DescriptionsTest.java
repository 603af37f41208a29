package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Description;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What owners say of their schedules is kept, changed and found, and changes nothing else. */
class DescriptionsTest {
  private static final GasPrioritySettings TICKS = new GasPrioritySettings(100, 3, 2, 2, 1, 64);
  private static final Target.Transfer PAY = new Target.Transfer(BOB, new Amount(1));

  private final QueueUnderTest queue =
      new QueueUnderTest(QueueSetup.of(OPERATOR, new GasPriority(TICKS)));

  @BeforeEach
  void fund() {
    queue.fund(ALICE, 10_000);
  }

  @Test
  void itStandsWithTheScheduleAndWithItsOutcomeAndMakesNoOtherId() {
    var id = queue.insert(pay(1_000, PAY).described(said("the flat", "rent", "home", "rent")));
    assertThat(queue.state.entries().schedule(id).orElseThrow().proposal().description())
        .isEqualTo(said("the flat", "home", "rent"));
    queue.recover();
    queue.blockAt(START_MS + 1_000);
    assertThat(queue.outcome(id).orElseThrow().proposal().description().text())
        .isEqualTo("the flat");
    queue.block();
    assertThat(queue.insert(pay(2_000, PAY))).isNotEqualTo(id);
    assertThat(found("rent")).isEmpty();

    var again = new QueueUnderTest(QueueSetup.of(OPERATOR, new GasPriority(TICKS)));
    again.fund(ALICE, 10_000);
    assertThat(again.insert(pay(1_000, PAY))).isEqualTo(id);
  }

  @Test
  void aChangeNamesWhatIsToBeOtherAndTheRestStays() {
    var id = queue.insert(pay(1_000, PAY).described(said("the flat", "rent", "home")));
    change(id, Optional.empty(), Optional.of(List.of("rent", "work")));
    assertThat(description(id)).isEqualTo(said("the flat", "rent", "work"));
    assertThat(found("home")).isEmpty();
    assertThat(found("work")).containsExactly(id);
    change(id, Optional.of("the office"), Optional.empty());
    assertThat(description(id)).isEqualTo(said("the office", "rent", "work"));
    change(id, Optional.of(""), Optional.of(List.of()));
    assertThat(description(id)).isSameAs(Description.NONE);
    assertThat(queue.state.entries().lists().labelled()).isEmpty();
  }

  @Test
  void aRepetitionTakesItAlongAndLeavesTheIndexWithItsLastRun() {
    var target = new Target.Repeat(PAY, 1_000, 2);
    queue.insert(
        Proposal.of(ALICE, new GasPriorityTerms(START_MS + 200, 200, 1), target)
            .described(said("", "rent")));
    for (int run = 0; run < 3; run++) {
      assertThat(found("rent")).hasSize(1);
      queue.blockAt(START_MS + 200 + run * 1_000L);
      queue.block();
    }
    assertThat(found("rent")).isEmpty();
    assertThat(queue.state.history().records().values())
        .allSatisfy(
            each -> assertThat(each.proposal().description().labels()).containsExactly("rent"));
  }

  @Test
  void thoseOfALabelAreFoundInTheOrderOfTheirIds() {
    var ids = new ArrayList<ScheduleId>();
    for (int i = 0; i < 100; i++) {
      var id = queue.insert(pay(10_000 + i * 100, PAY).described(said("", "all", "mod" + i % 3)));
      if (i % 3 == 1) {
        ids.add(id);
      }
    }
    Collections.sort(ids);
    assertThat(found("mod1")).isEqualTo(ids);
    queue.accepted(ALICE, new Operation.Cancel(ids.getFirst()));
    assertThat(found("mod1")).isEqualTo(ids.subList(1, ids.size()));
    assertThat(queue.state.reindexed().entries().lists()).isEqualTo(queue.state.entries().lists());
  }

  @Test
  void itHasBounds() {
    var many = IntStream.range(0, 17).mapToObj(i -> "label" + i).toList();
    assertThatThrownBy(() -> new Description("", many)).hasMessageContaining("at most 16 labels");
    for (var label : List.of("", " a", "a ", "a\nb", "x".repeat(65))) {
      assertThatThrownBy(() -> said("", label)).hasMessageContaining("A label has 1 to 64");
    }
    for (var text : List.of("a\nb", "x".repeat(201))) {
      assertThatThrownBy(() -> said(text)).hasMessageContaining("at most 200 characters");
    }
  }

  private static Description said(String text, String... labels) {
    return new Description(text, List.of(labels));
  }

  private Description description(ScheduleId id) {
    return queue.state.entries().schedule(id).orElseThrow().proposal().description();
  }

  private List<ScheduleId> found(String label) {
    var ids = new ArrayList<ScheduleId>();
    queue
        .state
        .entries()
        .lists()
        .list(Optional.empty(), Optional.of(label), ScheduleId.FIRST)
        .ifPresent(list -> list.forEach(ids::add));
    return ids;
  }

  private void change(ScheduleId id, Optional<String> text, Optional<List<String>> labels) {
    queue.accepted(
        ALICE,
        new Operation.Change(
            id,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "why",
            text,
            labels));
    queue.recover();
  }

  private static Proposal pay(long inMs, Target target) {
    return Proposal.of(ALICE, new GasPriorityTerms(START_MS + inMs, 10, 1), target);
  }
}
