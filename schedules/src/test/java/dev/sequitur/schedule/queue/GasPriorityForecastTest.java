package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.AlicesProposals.GAS;
import static dev.sequitur.schedule.queue.AlicesProposals.GAS_PRIORITY;
import static dev.sequitur.schedule.queue.AlicesProposals.SETTINGS;
import static dev.sequitur.schedule.queue.AlicesProposals.proposal;
import static dev.sequitur.schedule.queue.QueueUnderTest.ALICE;
import static dev.sequitur.schedule.queue.QueueUnderTest.BOB;
import static dev.sequitur.schedule.queue.QueueUnderTest.START_MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.gaspriority.GasPriority;
import dev.sequitur.schedule.gaspriority.GasPriorityForecast;
import dev.sequitur.schedule.gaspriority.GasPriorityTerms;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Two run in each tick of 100 ms, and what is more than three ticks late expires. */
class GasPriorityForecastTest {
  private final GasPriority family = new GasPriority(SETTINGS);
  private final QueueUnderTest queue = AlicesProposals.newQueue();
  private int inserted;

  @Test
  void aloneItRunsInItsTickAtTheMinimum() {
    assertThat(forecast(queue, 250, 9)).isEqualTo(runs(200, SETTINGS.minGasUnitPrice()));
  }

  @Test
  void withOthersItPaysWhatTheyOfferAtMostItsOwnPrice() {
    insert(queue, 200, 5);

    assertThat(forecast(queue, 200, 9)).isEqualTo(runs(200, 5));
    assertThat(forecast(queue, 200, 3)).isEqualTo(runs(200, 3));
  }

  @Test
  void outbidItRunsALaterTick() {
    insert(queue, 200, 5);
    insert(queue, 200, 6);

    assertThat(forecast(queue, 200, 7)).isEqualTo(runs(200, 6));
    assertThat(forecast(queue, 200, 5)).isEqualTo(runs(300, 1));
    insert(queue, 300, 4);
    assertThat(forecast(queue, 200, 5)).isEqualTo(runs(300, 4));
  }

  @Test
  void outbidForTooLongItExpires() {
    for (int i = 0; i < 8; i++) {
      insert(queue, 200, 9);
    }

    assertThat(forecast(queue, 200, 5)).isEqualTo(new GasPriorityForecast(at(600), 0, true));
    assertThat(forecast(queue, 300, 5)).isEqualTo(runs(600, 1));
  }

  @Test
  void itExpiresAllTheSameIfOthersComeAfterIt() {
    for (int i = 0; i < 8; i++) {
      insert(queue, 200, 9);
    }
    insert(queue, 700, 1);

    assertThat(forecast(queue, 200, 5)).isEqualTo(new GasPriorityForecast(at(600), 0, true));
  }

  @Test
  void ofTenThousandThatWaitEachIsPlayedAndOfMoreNobodyTells() {
    var last = new GasPriorityTerms(START_MS + 1_100_000, GAS, 1);

    assertThat(family.forecast(viewOf(10_000), last)).isPresent();
    assertThat(family.forecast(viewOf(10_001), last)).isEmpty();
  }

  /** Of so many that wait, one in each tick. */
  private QueueView viewOf(int many) {
    var view = queue.queue.view(queue.state, GAS_PRIORITY, queue.wall());
    var waiting = new ArrayList<Schedule>();
    for (int i = 1; i <= many; i++) {
      var id = new ScheduleId(GAS_PRIORITY, new Hash(0, 0, 0, i));
      var proposal = unlike(i * 100L, 1);
      var due = family.dueKey((GasPriorityTerms) proposal.terms(), id);
      waiting.add(new Schedule(id, i, proposal, 0, due));
    }
    return (QueueView)
        Proxy.newProxyInstance(
            QueueView.class.getClassLoader(),
            new Class<?>[] {QueueView.class},
            (proxy, method, given) ->
                method.getName().equals("firstWaiting")
                    ? waiting.subList(0, Math.min(many, (int) given[0]))
                    : method.invoke(view, given));
  }

  @Property(tries = 200)
  void whatIsForetoldComesTrueIfNobodyElseComes(
      @ForAll @Size(max = 30) List<@IntRange(max = 9_999) Integer> others,
      @ForAll @IntRange(min = 100, max = 900) int inMs,
      @ForAll @IntRange(min = 1, max = 9) int price) {
    // Each is for one more gas than the last: over all tries that would be more than Alice can pay.
    inserted = 0;
    var fresh = AlicesProposals.newQueue();
    others.forEach(code -> insert(fresh, 100 + code % 800, 1 + code / 1_000));
    var foretold = forecast(fresh, inMs, price);

    // Its id decides among those of its price, and is foretold to be the last.
    var id = fresh.insert(last(fresh, inMs, price));
    for (int tick = 1; tick < 40 && fresh.outcome(id).isEmpty(); tick++) {
      fresh.blockAt(START_MS + tick * 100L);
    }

    var outcome = fresh.outcome(id).orElseThrow();
    assertThat(outcome.outcome()).isEqualTo(foretold.expires() ? Outcome.EXPIRED : Outcome.RUN);
    if (!foretold.expires()) {
      assertThat(outcome.at().millis()).isEqualTo(foretold.runsAt().millis());
      assertThat(pricePaid(fresh, id)).isEqualTo(foretold.gasUnitPrice());
    }
  }

  private static long pricePaid(QueueUnderTest queue, Object id) {
    return queue.journal.stream()
        .filter(QueueEvent.Ran.class::isInstance)
        .map(QueueEvent.Ran.class::cast)
        .filter(ran -> ran.key().schedule().equals(id))
        .findAny()
        .orElseThrow()
        .price();
  }

  /** One whose id comes after those of all that wait in its tick at its price. */
  private Proposal last(QueueUnderTest queue, long inMs, long price) {
    while (true) {
      var tried = new QueueUnderTest(queue.queue.setup());
      tried.fund(ALICE, AlicesProposals.MONEY);
      var candidate = unlike(inMs, price);
      tried.insert(candidate);
      var own = tried.state.entries().schedules().values().iterator().next().due();
      boolean last = true;
      for (var other : queue.state.entries().schedules().values()) {
        boolean samePlace = other.due().time() == own.time() && other.due().order() == own.order();
        last &= !samePlace || other.due().compareTo(own) < 0;
      }
      if (last) {
        return candidate;
      }
    }
  }

  private GasPriorityForecast forecast(QueueUnderTest of, long inMs, long price) {
    var view = of.queue.view(of.state, GAS_PRIORITY, of.wall());
    return family.forecast(view, new GasPriorityTerms(START_MS + inMs, GAS, price)).orElseThrow();
  }

  private void insert(QueueUnderTest into, long inMs, long price) {
    into.insert(unlike(inMs, price));
  }

  /** Unlike any other. */
  private Proposal unlike(long inMs, long price) {
    return proposal(inMs, GAS + inserted++, price, new Target.Transfer(BOB, new Amount(1)));
  }

  private static GasPriorityForecast runs(long inMs, long price) {
    return new GasPriorityForecast(at(inMs), price, false);
  }

  private static ConsensusTime at(long inMs) {
    return ConsensusTime.ofMillis(START_MS + inMs);
  }
}
