package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.family.Description;
import dev.sequitur.schedule.family.Intervention;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPrioritySettings;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import dev.sequitur.schedule.queue.DuePlace;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.SeriesTerms;
import dev.sequitur.scheduler.DuePage;
import dev.sequitur.scheduler.DueQuery;
import dev.sequitur.scheduler.SchedulePage;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleState;
import dev.sequitur.scheduler.ScheduleView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A list by state or time has what going through all has, and looks at no others. */
class StandingPagesTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final AccountId ALICE = new AccountId("alice");
  private static final int HALF = 20;
  private static final Target CALL =
      new Target.PrivateCall(
          new ContractAddress("0x" + "0a".repeat(20)),
          "token",
          "transfer",
          new Identity("alice", new NodeName("node1")),
          Bytes.utf8("{}"));

  private final ScheduleQueue rules =
      new ScheduleQueue(
          QueueSetup.of(
              OPERATOR,
              new GasPriority(GasPrioritySettings.DEFAULT),
              new Recurring(RecurringSettings.DEFAULT)));
  private QueueState state = QueueState.initial();
  private Instant now = START;

  /** Calls that have begun, what has ended in the last block, paused ones, and what waits. */
  private void fill() {
    tell(new Command("fund", OPERATOR, new Operation.Fund(ALICE, new Amount(1_000_000))));
    for (int i = 0; i < 2 * HALF; i++) {
      long at = START.plusSeconds(60 + i * 60L).toEpochMilli();
      var target = i % 2 == 0 ? CALL : new Target.Notify(Bytes.utf8("now"));
      var paid = Proposal.of(ALICE, new GasPriorityTerms(at, 200 + i, 1), target);
      propose(i % 4 == 0 ? paid.described(new Description("", List.of("few"))) : paid);
      propose(
          Proposal.of(
              ALICE,
              new SeriesTerms(
                  Bytes.utf8("s" + i), new Cadence.Every(at, 3_600_000), Optional.empty()),
              new Target.Notify(Bytes.utf8("again"))));
    }
    int number = 0;
    for (var id : List.copyOf(state.entries().schedules().keySet())) {
      if (number++ % 5 == 0) {
        tell(new Command("p", ALICE, new Operation.Intervene(id, Intervention.Kind.PAUSE, "")));
      }
    }
    now = START.plusSeconds(60 * HALF);
    tell(new QueueInput.CutBlock());
  }

  @Test
  void whatIsListedIsWhatGoingThroughAllFinds() {
    fill();
    var found = new EnumMap<ScheduleState, Integer>(ScheduleState.class);
    var families = new ArrayList<Optional<FamilyKind>>();
    families.add(Optional.empty());
    Stream.of(FamilyKind.GAS_PRIORITY, FamilyKind.RECURRING)
        .map(Optional::of)
        .forEach(families::add);
    for (var family : families) {
      for (var of : states()) {
        for (var since : times()) {
          for (var until : times()) {
            var query =
                new ScheduleQuery(
                    family,
                    Optional.empty(),
                    of,
                    Optional.empty(),
                    since,
                    until,
                    Optional.empty(),
                    7,
                    Optional.empty());
            var wanted =
                state.entries().schedules().values().stream()
                    .filter(each -> query.matches(view(each.id()), rules.setup()))
                    .map(each -> each.id())
                    .toList();
            assertThat(listed(query)).as("%s", query).isEqualTo(wanted);
            of.ifPresent(it -> found.merge(it, wanted.size(), Integer::sum));
          }
        }
      }
    }
    assertThat(
            Stream.of(
                ScheduleState.WAITING,
                ScheduleState.PARKED,
                ScheduleState.STARTED,
                ScheduleState.SETTLED))
        .allSatisfy(it -> assertThat(found.get(it)).as("%s", it).isPositive());
  }

  /** What has ended has no place in that order, and what is parked has the last. */
  @Test
  void inTheOrderOfDueTimesTheSameIsFoundPageByPage() {
    fill();
    var families = new ArrayList<Optional<FamilyKind>>();
    families.add(Optional.empty());
    families.add(Optional.of(FamilyKind.RECURRING));
    int all = 0;
    for (var family : families) {
      for (var of : states()) {
        for (var label : List.of(Optional.<String>empty(), Optional.of("few"))) {
          for (var since : times()) {
            for (var until : times()) {
              var which =
                  new ScheduleQuery(
                      family,
                      Optional.empty(),
                      of,
                      label,
                      since,
                      until,
                      Optional.empty(),
                      7,
                      Optional.of(9));
              var wanted =
                  state.entries().schedules().values().stream()
                      .filter(each -> !state.entries().isEnded(each.id()))
                      .filter(each -> which.matches(view(each.id()), rules.setup()))
                      .map(each -> DuePlace.of(each, rules.setup()))
                      .sorted()
                      .toList();
              assertThat(listedByDue(which)).as("%s", which).isEqualTo(wanted);
              all += wanted.size();
            }
          }
        }
      }
    }
    assertThat(all).isGreaterThan(500);
  }

  @Test
  void theTimesOfAListInTheirOrderNeverGoBack() {
    fill();
    var all = listedByDue(ScheduleQuery.first(7));
    assertThat(all).hasSizeGreaterThan(2 * HALF).isSorted();
    var times =
        all.stream().flatMap(place -> view(place.id()).next(rules.setup()).stream()).toList();
    assertThat(times).isSorted().contains(START.plusSeconds(60));
  }

  /**
   * What has run again, or is cancelled, between two pages neither hides another nor doubles it.
   */
  @Test
  void aPageGoesOnFromItsPlaceThoughTheOneThatStoodThereIsGone() {
    fill();
    var before = listedByDue(ScheduleQuery.first(7));
    var first = byDue(new DueQuery(ScheduleQuery.first(30), Optional.empty()));
    var last = first.next().orElseThrow();
    assertThat(last).isEqualTo(before.get(29));
    state =
        rules
            .decide(
                state, new Command("x", ALICE, new Operation.Cancel(last.id())), WallTime.of(now))
            .state();

    var rest = byDue(new DueQuery(ScheduleQuery.first(1_000), Optional.of(last)));

    assertThat(rest.schedules())
        .extracting(DuePage.Placed::place)
        .isEqualTo(before.subList(30, before.size()));
  }

  @Test
  void aPageInTheOrderOfDueTimesLooksAtNoMoreThanItShows() {
    fill();
    int running = state.entries().executing();
    var page = byDue(new DueQuery(ScheduleQuery.first(10), Optional.empty()));
    assertThat(page.looked()).isEqualTo(10 + running);
    var last = listedByDue(ScheduleQuery.first(1_000)).getLast();
    var end = byDue(new DueQuery(ScheduleQuery.first(10), Optional.of(last)));
    assertThat(end.schedules()).isEmpty();
    assertThat(end.next()).isEmpty();
    var parked = byDue(new DueQuery(inState(ScheduleState.PARKED), Optional.empty()));
    assertThat(parked.schedules()).isNotEmpty();
    assertThat(parked.looked()).isEqualTo(parked.schedules().size());
  }

  @Test
  void aPlaceIsReadAsItIsWritten() {
    fill();
    for (var place : listedByDue(ScheduleQuery.first(7))) {
      assertThat(DuePlace.parse(place.toString())).isEqualTo(place);
    }
  }

  private List<DuePlace> listedByDue(ScheduleQuery which) {
    var listed = new ArrayList<DuePlace>();
    for (var next = Optional.of(new DueQuery(which, Optional.empty())); next.isPresent(); ) {
      var page = byDue(next.get());
      page.schedules().forEach(placed -> listed.add(placed.place()));
      next = page.next().map(place -> new DueQuery(which, Optional.of(place)));
    }
    return listed;
  }

  private DuePage byDue(DueQuery query) {
    return ((QueueReply.Due) reading().answer(new QueueQuestion.ByDue(query))).page();
  }

  @Test
  void whatStandsElsewhereIsNotLookedAt() {
    fill();
    var parked = page(inState(ScheduleState.PARKED));
    assertThat(parked.schedules()).isNotEmpty();
    assertThat(parked.looked()).isEqualTo(parked.schedules().size());
    assertThat(page(inState(ScheduleState.SUBMITTED)).looked())
        .isEqualTo(state.entries().executing());
    var last = START.plusSeconds(60 + (2 * HALF - 1) * 60L);
    var due =
        page(
            new ScheduleQuery(
                Optional.of(FamilyKind.GAS_PRIORITY),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(last),
                Optional.empty(),
                Optional.empty(),
                100,
                Optional.empty()));
    assertThat(due.schedules()).hasSize(1);
    assertThat(due.looked()).isEqualTo(1 + state.entries().executing());
  }

  private static ScheduleQuery inState(ScheduleState of) {
    return new ScheduleQuery(
        Optional.empty(), Optional.empty(), Optional.of(of), Optional.empty(), 100);
  }

  private static Collection<Optional<ScheduleState>> states() {
    var all = new ArrayList<Optional<ScheduleState>>();
    all.add(Optional.empty());
    Stream.of(ScheduleState.values()).map(Optional::of).forEach(all::add);
    return all;
  }

  private static List<Optional<Instant>> times() {
    return List.of(
        Optional.empty(),
        Optional.of(START.plusSeconds(60L * HALF)),
        Optional.of(START.plusSeconds(60L * HALF + 90)),
        Optional.of(START.plusSeconds(60L * (HALF + 5))));
  }

  private List<ScheduleId> listed(ScheduleQuery query) {
    var listed = new ArrayList<ScheduleId>();
    for (var next = Optional.of(query); next.isPresent(); ) {
      var asked = next.get();
      var page = page(asked);
      page.schedules().forEach(view -> listed.add(view.schedule().id()));
      next = page.next().map(asked::after);
    }
    return listed;
  }

  private ScheduleView view(ScheduleId id) {
    return ((QueueReply.Found) reading().answer(new QueueQuestion.Find(id)))
        .schedule()
        .view()
        .orElseThrow();
  }

  private SchedulePage page(ScheduleQuery query) {
    return ((QueueReply.Paged) reading().answer(new QueueQuestion.Page(query))).page();
  }

  private QueueReading reading() {
    return new QueueReading(rules, state, WallTime.of(now));
  }

  private void propose(Proposal proposal) {
    int before = state.entries().schedules().size();
    tell(new Command("c", ALICE, new Operation.Propose(proposal)));
    assertThat(state.entries().schedules()).hasSize(before + 1);
  }

  private void tell(QueueInput input) {
    state = rules.decide(state, input, WallTime.of(now)).state();
  }
}
