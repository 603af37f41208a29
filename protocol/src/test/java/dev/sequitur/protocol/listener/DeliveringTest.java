package dev.sequitur.protocol.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.listener.DeliveringEffect.Send;
import dev.sequitur.protocol.listener.DeliveringInput.Read;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.protocol.port.ListenerStore.Taken;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** What a webhook is sent next, and where it stands. */
class DeliveringTest {
  private static final Delivering RULES =
      new Delivering(
          4,
          2,
          3,
          Duration.ofMillis(50),
          new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1)));

  private final Receiver receiver = new Receiver(RULES);

  /** A webhook, its store, and whoever sends for it; answers are given by the test. */
  private static final class Receiver {
    private final Delivering rules;
    private Host<DeliveringInput<String>, DeliveringState<String>, Void, DeliveringEffect<String>>
        host;
    private Instant now = Instant.EPOCH;
    private long stands;
    private final List<Read<String>> log = new ArrayList<>();
    private final Deque<Send<String>> sent = new ArrayDeque<>();
    private final Set<Long> dead = new HashSet<>();
    private final List<DeliveringEffect<String>> warnings = new ArrayList<>();
    private boolean storing = true;
    private Optional<Taken> held = Optional.empty();

    Receiver(Delivering rules) {
      this.rules = rules;
      begin();
    }

    void begin() {
      var machine = rules.<String>machine();
      host = new Host<>(machine, machine.initial());
      sent.clear();
      held = Optional.empty();
    }

    Receiver with(String... subjects) {
      for (var subject : subjects) {
        long number = log.size() + 1L;
        log.add(new Read<>(number, Optional.of(subject), subject + number));
      }
      return this;
    }

    void start() {
      tell(new DeliveringInput.Start<>(stands));
    }

    void tell(DeliveringInput<String> first) {
      var inputs = new ArrayDeque<DeliveringInput<String>>(List.of(first));
      while (!inputs.isEmpty()) {
        for (var effect : host.fold(List.of(inputs.remove()), now).effects()) {
          run(effect).ifPresent(inputs::add);
        }
      }
    }

    private Optional<DeliveringInput<String>> run(DeliveringEffect<String> effect) {
      return switch (effect) {
        case DeliveringEffect.Look<String>(var after, var most) -> {
          var rows = log.stream().filter(row -> row.number() > after).limit(most).toList();
          long readTo = rows.isEmpty() ? after : rows.getLast().number();
          yield Optional.of(new DeliveringInput.Came<>(rows, readTo));
        }
        case Send<String> send -> {
          sent.add(send);
          yield Optional.empty();
        }
        case DeliveringEffect.Store<String>(var taken) -> {
          if (!storing) {
            held = Optional.of(taken);
            yield Optional.empty();
          }
          keep(taken);
          yield Optional.of(new DeliveringInput.Stored<>());
        }
        case DeliveringEffect.WarnOfDead<String> warning -> warned(warning);
        case DeliveringEffect.WarnOfSilence<String> warning -> warned(warning);
      };
    }

    private Optional<DeliveringInput<String>> warned(DeliveringEffect<String> warning) {
      warnings.add(warning);
      return Optional.empty();
    }

    private void keep(Taken taken) {
      assertThat(taken.upTo()).isGreaterThan(stands);
      stands = taken.upTo();
      taken.heldBack().stream().map(HeldBack.Row::number).forEach(dead::add);
    }

    List<Long> underway() {
      return sent.stream().map(Send::number).toList();
    }

    void take(long number) {
      answer(number, new DeliveringInput.Taken<>(number));
    }

    void refuse(long number) {
      answer(number, new DeliveringInput.Refused<>(number, "answered 400"));
    }

    void unreached(long number) {
      answer(number, new DeliveringInput.Unreached<>(number, "connection refused"));
    }

    private void answer(long number, DeliveringInput<String> input) {
      assertThat(sent.removeIf(each -> each.number() == number)).as("%d is sent", number).isTrue();
      tell(input);
    }

    /** Time goes on until something is sent. */
    void tickUntilSent() {
      for (int i = 0; i < 1_000 && sent.isEmpty(); i++) {
        tick();
      }
    }

    /** Time goes on to what is waited for. */
    void tick() {
      host.state().wake().filter(now::isBefore).ifPresent(wake -> now = wake);
      tell(new DeliveringInput.Tick<>());
    }
  }

  @Test
  void rowsOfOneSubjectGoOneAfterAnotherAndOthersBesideThem() {
    receiver.with("a", "a", "b", "a").start();
    assertThat(receiver.underway()).containsExactly(1L, 3L);

    receiver.take(3);
    assertThat(receiver.underway()).containsExactly(1L);
    assertThat(receiver.stands).isZero();
    receiver.take(1);
    assertThat(receiver.underway()).containsExactly(2L);
    assertThat(receiver.stands).isEqualTo(1);
    receiver.take(2);
    assertThat(receiver.stands).isEqualTo(3);
    receiver.take(4);
    assertThat(receiver.stands).isEqualTo(4);
  }

  @Test
  void noMoreAreOnTheirWayOrReadAheadThanMayBe() {
    receiver.with("a", "b", "c", "d", "e", "f").start();

    assertThat(receiver.underway()).containsExactly(1L, 2L);
    receiver.take(2);
    receiver.take(3);
    receiver.take(4);
    assertThat(receiver.underway()).as("the first keeps the room").containsExactly(1L);
    receiver.take(1);
    assertThat(receiver.underway()).containsExactly(5L, 6L);
  }

  @Test
  void aRefusedRowKeepsThoseOfItsSubjectUntilItIsDeadAndListed() {
    receiver.with("a", "a", "b").start();
    receiver.take(3);
    receiver.refuse(1);
    assertThat(receiver.underway()).isEmpty();
    receiver.tickUntilSent();
    receiver.refuse(1);
    receiver.tickUntilSent();
    assertThat(receiver.sent.getFirst().attempt()).isEqualTo(3);

    receiver.refuse(1);

    assertThat(receiver.underway()).containsExactly(2L);
    assertThat(receiver.dead).containsExactly(1L);
    assertThat(receiver.stands).isEqualTo(1);
    assertThat(receiver.warnings)
        .containsExactly(new DeliveringEffect.WarnOfDead<>(1, "answered 400"));
  }

  @Test
  void whileNobodyIsThereNothingDiesAndOneIsTriedNowAndThen() {
    receiver.with("a", "b", "c").start();
    receiver.unreached(1);
    receiver.unreached(2);
    assertThat(receiver.underway()).isEmpty();
    for (int i = 0; i < 20; i++) {
      receiver.tick();
      assertThat(receiver.underway()).as("try %d", i).hasSize(1);
      receiver.unreached(1);
    }
    assertThat(receiver.dead).isEmpty();
    assertThat(receiver.warnings).hasSize(1);
    assertThat(Duration.between(Instant.EPOCH, receiver.now)).isGreaterThan(Duration.ofMinutes(10));

    receiver.tick();
    receiver.take(1);

    assertThat(receiver.underway()).containsExactly(2L, 3L);
  }

  @Test
  void whereItStandsIsStoredInOneWriteAtATimeAndBehindWhatWasTaken() {
    receiver.storing = false;
    receiver.with("a", "b", "c").start();
    receiver.take(1);
    assertThat(receiver.held).contains(Taken.upTo(1));
    receiver.take(2);
    assertThat(receiver.held).contains(Taken.upTo(1));

    receiver.tell(new DeliveringInput.NotStored<>(new IllegalStateException("no disk")));
    receiver.tick();
    assertThat(receiver.held).contains(Taken.upTo(2));
  }

  @Test
  void whatCannotBeReadIsReadAgainLater() {
    var machine = RULES.<String>machine();
    var host = new Host<>(machine, machine.initial());
    host.fold(List.of(new DeliveringInput.Start<>(7)), Instant.EPOCH);
    var failed = new DeliveringInput.NotRead<String>(new IllegalStateException("no disk"));
    assertThat(host.fold(List.of(failed), Instant.EPOCH).effects())
        .hasOnlyElementsOfType(DeliveringEffect.WarnOfSilence.class);

    var wake = host.state().wake().orElseThrow();

    assertThat(host.fold(List.of(new DeliveringInput.Tick<>()), wake).effects())
        .containsExactly(new DeliveringEffect.Look<>(7, 4));
  }

  /** Crashes, refusals and silence in any order. */
  @Property(tries = 300)
  void eachIsTakenOrDeadInTheOrderOfItsSubjectAndTheStoreIsNeverAhead(@ForAll long seed) {
    var random = new Random(seed);
    var one = new Receiver(RULES);
    var ended = new HashSet<Long>();
    var newest = new HashMap<String, Long>();
    one.start();
    for (int i = 0; i < 200; i++) {
      if (i < 60) {
        one.with(String.valueOf((char) ('a' + random.nextInt(3))));
      }
      assertThat(one.sent).hasSizeLessThanOrEqualTo(2);
      if (i < 150 && random.nextInt(20) == 0) {
        one.begin();
        newest.clear();
        one.start();
      } else if (one.sent.isEmpty() || random.nextInt(4) == 0) {
        one.tick();
      } else {
        answer(one, i < 150 ? random.nextInt(4) : 0, ended, newest);
      }
      assertThat(Stream.iterate(1L, n -> n <= one.stands, n -> n + 1))
          .allMatch(number -> ended.contains(number) || one.dead.contains(number));
    }
    for (int i = 0; i < 500 && one.stands < one.log.size(); i++) {
      if (one.sent.isEmpty()) {
        one.tick();
      } else {
        answer(one, 0, ended, newest);
      }
    }
    assertThat(one.stands).isEqualTo(one.log.size());
  }

  private static void answer(
      Receiver one, int how, Set<Long> ended, Map<String, Long> newestOfSubject) {
    var send = one.sent.getFirst();
    var subject = send.row().substring(0, 1);
    switch (how) {
      case 1 -> one.refuse(send.number());
      case 2 -> one.unreached(send.number());
      default -> {
        assertThat(newestOfSubject.getOrDefault(subject, 0L)).isLessThan(send.number());
        newestOfSubject.put(subject, send.number());
        ended.add(send.number());
        one.take(send.number());
      }
    }
  }
}
