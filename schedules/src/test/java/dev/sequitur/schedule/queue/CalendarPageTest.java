package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.QueueUnderTest.OPERATOR;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.CalendarPage.Planned;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The calendars of three partitions as that of one queue, page by page. */
class CalendarPageTest {
  private static final int COUNT = 3;
  private static final int TIMES = 6;
  private static final int TICK = 100;
  private static final ConsensusTime LATER = ConsensusTime.ofMillis(START_MS + 100 * TICK);
  private static final Comparator<Planned> IN_ORDER =
      Comparator.comparing(Planned::at).thenComparing(each -> each.schedule().id());

  private record Told(List<Planned> planned, boolean partial) {}

  @Property(tries = 300)
  void eachTimeIsToldOnceAndInOrderAndOnlyWhatNoPageTakesIsLeftOut(
      @ForAll @Size(max = 40) List<@IntRange(max = COUNT * TIMES - 1) Integer> schedules,
      @ForAll @IntRange(min = 1, max = 6) int limit) {
    var partitions = partitions(schedules);
    var all = all(partitions);
    var told = told(partitions, limit, Calendar.LOOKED_AT);

    var counts = all.stream().collect(Collectors.groupingBy(Planned::at, Collectors.counting()));
    assertThat(told.planned())
        .isSortedAccordingTo(IN_ORDER)
        .doesNotHaveDuplicates()
        .isSubsetOf(all)
        .containsAll(all.stream().filter(each -> counts.get(each.at()) <= limit).toList());
    assertThat(told.partial() || told.planned().equals(all)).isTrue();
  }

  /** A partition that has looked at too much says how far it has come, and all end there. */
  @Property(tries = 300)
  void whatIsLeftOutIsOwnedUpToHoweverLittleIsLookedAt(
      @ForAll @Size(max = 40) List<@IntRange(max = COUNT * TIMES - 1) Integer> schedules,
      @ForAll @IntRange(min = 1, max = 6) int limit,
      @ForAll @IntRange(min = 1, max = 20) int looks) {
    var partitions = partitions(schedules);
    var all = all(partitions);
    var told = told(partitions, limit, looks);

    assertThat(told.planned())
        .isSortedAccordingTo(IN_ORDER)
        .doesNotHaveDuplicates()
        .isSubsetOf(all);
    assertThat(told.partial() || told.planned().equals(all)).isTrue();
  }

  private static Told told(List<QueueUnderTest> partitions, int limit, int looks) {
    var told = new ArrayList<Planned>();
    boolean partial = false;
    for (var from = Optional.of(ConsensusTime.ZERO); from.isPresent(); ) {
      var at = from.get();
      var page =
          CalendarPage.merged(
              partitions.stream().map(queue -> page(queue, at, limit, looks)).toList(), limit);
      assertThat(page.planned()).hasSizeLessThanOrEqualTo(limit);
      assertThat(page.next().filter(next -> next.compareTo(at) <= 0)).isEmpty();
      told.addAll(page.planned());
      partial |= page.partial();
      from = page.next();
    }
    return new Told(told, partial);
  }

  private static CalendarPage page(QueueUnderTest queue, ConsensusTime from, int limit, int looks) {
    return new Calendar(
            queue.queue.setup(), queue.state, from, LATER, looks, Optional.empty(), any -> true)
        .page(limit);
  }

  private static List<Planned> all(List<QueueUnderTest> partitions) {
    return partitions.stream()
        .flatMap(
            queue -> page(queue, ConsensusTime.ZERO, 1_000, Calendar.LOOKED_AT).planned().stream())
        .sorted(IN_ORDER)
        .toList();
  }

  /** A number tells the partition and the time of a schedule. */
  private static List<QueueUnderTest> partitions(List<Integer> schedules) {
    var partitions = IntStream.range(0, COUNT).mapToObj(index -> partition()).toList();
    for (int i = 0; i < schedules.size(); i++) {
      int index = schedules.get(i) % COUNT;
      long at = START_MS + (1L + schedules.get(i) / COUNT) * TICK;
      partitions
          .get(index)
          .insert(
              Proposal.of(
                  owner(index),
                  new GasPriorityTerms(at, 10 + i, 1),
                  new Target.Notify(Bytes.EMPTY)));
    }
    return partitions;
  }

  private static QueueUnderTest partition() {
    var queue =
        new QueueUnderTest(
            QueueSetup.of(
                OPERATOR, new GasPriority(new GasPrioritySettings(TICK, 2, 3, 2, 1, 64))));
    IntStream.range(0, COUNT).forEach(index -> queue.fund(owner(index), 10_000));
    return queue;
  }

  private static AccountId owner(int index) {
    return new AccountId("owner-" + index);
  }
}
