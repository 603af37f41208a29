package dev.sequitur.scheduler.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.cluster.metrics.Shown;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.WallTime;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.queue.QueueInput;
import dev.sequitur.schedule.queue.QueueInput.Command;
import dev.sequitur.schedule.queue.QueueInput.CutBlock;
import dev.sequitur.schedule.queue.QueueInput.Operation;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.schedule.queue.QueueState;
import dev.sequitur.schedule.queue.ScheduleQueue;
import dev.sequitur.schedule.recurring.Cadence;
import dev.sequitur.schedule.recurring.Recurring;
import dev.sequitur.schedule.recurring.RecurringSettings;
import dev.sequitur.schedule.recurring.SeriesTerms;
import dev.sequitur.scheduler.ScheduleQuery;
import dev.sequitur.scheduler.ScheduleState;
import dev.sequitur.scheduler.ScheduleView;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of two series the owner of one cannot pay the fee of its second time. */
class ParkedSeriesTest {
  private static final AccountId OPERATOR = new AccountId("operator");
  private static final AccountId ALICE = new AccountId("alice");
  private static final AccountId CAROL = new AccountId("carol");
  private static final Instant START = Instant.parse("2026-11-21T11:30:00Z");
  private static final Instant FIRST = Instant.parse("2026-11-21T12:00:00Z");

  private final ScheduleQueue rules =
      new ScheduleQueue(QueueSetup.of(OPERATOR, new Recurring(RecurringSettings.DEFAULT)));
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final QueueFigures figures = new QueueFigures(registry, rules, () -> WallTime.of(FIRST));
  private QueueState state = QueueState.initial();

  @BeforeEach
  void park() {
    for (var owner : List.of(ALICE, CAROL)) {
      tell(START, OPERATOR, new Operation.Fund(owner, new Amount(owner.equals(ALICE) ? 100 : 1)));
      var cadence = new Cadence.Every(FIRST.toEpochMilli(), Duration.ofHours(1).toMillis());
      var terms = new SeriesTerms(Bytes.utf8("walk"), cadence, Optional.empty());
      var proposal = Proposal.of(owner, terms, new Target.Notify(Bytes.utf8("walk")));
      tell(START, owner, new Operation.Propose(proposal));
    }
    figures.holds("default", state, START);
    assertThat(figures.remarks()).isEmpty();
    tell(FIRST, new CutBlock());
    figures.holds("default", state, FIRST);
  }

  @Test
  void aListOfWhatIsParkedHasItAlone() {
    assertThat(listed(Optional.of(ScheduleState.PARKED)))
        .singleElement()
        .extracting(view -> view.schedule().proposal().owner())
        .isEqualTo(CAROL);
    assertThat(listed(Optional.of(ScheduleState.WAITING)))
        .singleElement()
        .extracting(view -> view.schedule().proposal().owner())
        .isEqualTo(ALICE);
    assertThat(listed(Optional.empty())).hasSize(2);
  }

  @Test
  void itIsCountedByItsCause() {
    assertThat(Shown.in(registry))
        .containsEntry("sequitur_schedule_parked{cause=\"fee_unpaid\"}", 1.0)
        .containsEntry("sequitur_schedule_parked{cause=\"slot_full\"}", 0.0)
        .containsEntry("sequitur_schedule_parked{cause=\"failed\"}", 0.0)
        .containsEntry("sequitur_schedule_parked{cause=\"overdue\"}", 0.0);
  }

  @Test
  void itIsRemarkedAndIsNoTroubleOfTheNode() {
    assertThat(figures.remarks())
        .singleElement()
        .asString()
        .contains("could not pay the fee of their next time: 1.", "state parked");
    assertThat(figures.stores().troubles()).isEmpty();
  }

  private List<ScheduleView> listed(Optional<ScheduleState> inState) {
    var query = new ScheduleQuery(Optional.empty(), Optional.empty(), inState, Optional.empty(), 9);
    var reading = new QueueReading(rules, state, WallTime.of(FIRST));
    var answer = reading.answer(new QueueQuestion.Page(query));
    return ((QueueReply.Paged) answer).page().schedules();
  }

  private void tell(Instant at, AccountId signer, Operation operation) {
    tell(at, new Command("command", signer, operation));
  }

  private void tell(Instant at, QueueInput input) {
    state = rules.decide(state, input, WallTime.of(at)).state();
  }
}
