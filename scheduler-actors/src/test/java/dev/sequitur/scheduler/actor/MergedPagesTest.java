package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.DuePlace;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.scheduler.DuePage;
import dev.sequitur.scheduler.DueQuery;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The lists of three partitions as that of one queue, page by page (SCH-28). */
class MergedPagesTest {
  private static final int COUNT = 3;
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final WallTime NOW = WallTime.of(Instant.parse("2026-11-21T12:00:00Z"));
  private static final ScheduleQueue RULES =
      new ScheduleQueue(
          QueueSetup.of(OPERATOR, new GasPriority(new GasPrioritySettings(100, 2, 3, 2, 1, 64))));

  /** A number tells the partition of a schedule, and whether it is the one owner's. */
  @Property(tries = 300)
  void eachScheduleThatIsWantedIsListedOnceAndInOrder(
      @ForAll @Size(max = 40) List<@IntRange(max = 2 * COUNT - 1) Integer> schedules,
      @ForAll @IntRange(min = 1, max = 6) int limit,
      @ForAll @IntRange(min = 1, max = 20) int looks,
      @ForAll boolean ofOneOwner) {
    var states = new ArrayList<QueueState>();
    var wanted = new ArrayList<ScheduleId>();
    for (int index = 0; index < COUNT; index++) {
      states.add(partition(index, schedules, ofOneOwner, wanted));
    }

    var listed = new ArrayList<ScheduleId>();
    int looked = 0;
    int pages = 0;
    for (var query = Optional.of(first(limit, looks, ofOneOwner)); query.isPresent(); ) {
      var asked = query.get();
      var page =
          SchedulePage.merged(states.stream().map(state -> page(state, asked)).toList(), limit);
      assertThat(page.schedules()).hasSizeLessThanOrEqualTo(limit);
      assertThat(page.next().filter(next -> next.compareTo(asked.after().orElse(next)) < 0))
          .isEmpty();
      assertThat(pages++).isLessThan(200);
      page.schedules().forEach(view -> listed.add(view.schedule().id()));
      looked += page.looked();
      query = page.next().map(asked::after);
    }
    assertThat(listed).isEqualTo(wanted.stream().sorted().toList());
    assertThat(byDue(states, first(limit, looks, ofOneOwner)))
        .containsExactlyInAnyOrderElementsOf(wanted);
    // Of one owner nobody else's are looked at.
    assertThat(looked).isGreaterThanOrEqualTo(wanted.size());
  }

  /** All in the order of due times, which is looked at page by page, too. */
  private static List<ScheduleId> byDue(List<QueueState> states, ScheduleQuery which) {
    var places = new ArrayList<DuePlace>();
    for (var query = Optional.of(new DueQuery(which, Optional.empty())); query.isPresent(); ) {
      var asked = query.get();
      var page =
          DuePage.merged(states.stream().map(state -> byDue(state, asked)).toList(), which.limit());
      assertThat(page.schedules()).hasSizeLessThanOrEqualTo(which.limit());
      page.schedules().forEach(placed -> places.add(placed.place()));
      query = page.next().map(place -> new DueQuery(which, Optional.of(place)));
    }
    assertThat(places).isSorted();
    return places.stream().map(DuePlace::id).toList();
  }

  private static DuePage byDue(QueueState state, DueQuery query) {
    var answer = new QueueReading(RULES, state, NOW).answer(new QueueQuestion.ByDue(query));
    return ((QueueReply.Due) answer).page();
  }

  private static ScheduleQuery first(int limit, int looks, boolean ofOneOwner) {
    return new ScheduleQuery(
            Optional.of(FamilyKind.GAS_PRIORITY),
            ofOneOwner ? Optional.of(new AccountId("one")) : Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            limit)
        .looking(looks);
  }

  private static SchedulePage page(QueueState state, ScheduleQuery query) {
    var answer = new QueueReading(RULES, state, NOW).answer(new QueueQuestion.Page(query));
    return ((QueueReply.Paged) answer).page();
  }

  /** The rules do not know here which partition they are: each has both owners. */
  private static QueueState partition(
      int index, List<Integer> schedules, boolean ofOneOwner, List<ScheduleId> wanted) {
    var state = QueueState.initial();
    for (var owner : List.of("one", "other")) {
      state = told(state, OPERATOR, new Operation.Fund(new AccountId(owner), new Amount(10_000)));
    }
    for (int i = 0; i < schedules.size(); i++) {
      if (schedules.get(i) / 2 != index) {
        continue;
      }
      boolean isOnes = schedules.get(i) % 2 == 0;
      var owner = new AccountId(isOnes ? "one" : "other");
      var terms = new GasPriorityTerms(NOW.now().toEpochMilli() + 1_000, 10 + i, 1);
      var before = state.entries().schedules().keySet();
      state =
          told(
              state,
              owner,
              new Operation.Propose(Proposal.of(owner, terms, new Target.Notify(Bytes.EMPTY))));
      var added = new ArrayList<>(state.entries().schedules().keySet());
      added.removeAll(before);
      assertThat(added).hasSize(1);
      if (isOnes || !ofOneOwner) {
        wanted.add(added.getFirst());
      }
    }
    return state;
  }

  private static QueueState told(QueueState state, AccountId signer, Operation operation) {
    return RULES.decide(state, new Command("c", signer, operation), NOW).state();
  }
}
