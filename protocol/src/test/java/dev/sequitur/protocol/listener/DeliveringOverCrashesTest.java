package dev.sequitur.protocol.listener;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.listener.DeliveringInput.Read;
import dev.sequitur.protocol.machine.Host;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A webhook whose JVM dies between any two of its steps (CLR-7). What its store has is all that
 * survives. Whatever the step, each row arrives, none that the store knows as taken arrives again,
 * and nobody hears of a schedule's later event before an earlier one.
 */
class DeliveringOverCrashesTest {
  private static final Delivering RULES =
      new Delivering(
          4,
          3,
          2,
          Duration.ofMillis(50),
          new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1)));

  /** Each with the schedule that it is of; one is of none. */
  private static final List<String> ROWS = List.of("a", "b", "a", "", "a", "b", "c", "b");

  /** In so many orders the steps are done that are open at one time. */
  private static final int ORDERS = 20;

  /** Behind which step it dies. */
  private enum Point {
    /** The rows are to be read. */
    LOOKING,
    /** They were. */
    READ,
    /** One is to be sent. */
    SENDING,
    /** It has arrived, and nobody here knows. */
    ARRIVED,
    /** It is known here that it was taken. */
    ANSWERED,
    /** That is to be stored. */
    STORING,
    /** It is durable, and nobody here knows. */
    STORED,
    /** That is known here. */
    KNOWN
  }

  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;

    Crash() {
      super(null, null, false, false);
    }
  }

  /** One webhook over several lives of its JVM. */
  private static final class Lives {
    private final Set<Integer> crashes;
    private final SplittableRandom order;
    private final Map<Point, Integer> passed = new EnumMap<>(Point.class);
    private final List<Long> arrived = new ArrayList<>();
    private int steps;
    private long stored;
    private Instant now = Instant.EPOCH;

    private Host<DeliveringInput<String>, DeliveringState<String>, Void, DeliveringEffect<String>>
        host;
    private final List<DeliveringEffect<String>> open = new ArrayList<>();

    /**
     * @param crashes behind which of all steps it dies
     */
    Lives(Set<Integer> crashes, int order) {
      this.crashes = crashes;
      this.order = new SplittableRandom(order);
    }

    Lives live() {
      while (true) {
        try {
          oneLife();
          return this;
        } catch (Crash e) {
          // The next one begins with what is stored.
        }
      }
    }

    private void oneLife() {
      var machine = RULES.<String>machine();
      host = new Host<>(machine, machine.initial());
      open.clear();
      tell(new DeliveringInput.Start<>(stored));
      while (stored < ROWS.size()) {
        if (open.isEmpty()) {
          now = now.plusSeconds(1);
          tell(new DeliveringInput.Tick<>());
        } else {
          carryOut(open.remove(order.nextInt(open.size())));
        }
      }
    }

    private void tell(DeliveringInput<String> input) {
      open.addAll(host.fold(List.of(input), now).effects());
    }

    private void carryOut(DeliveringEffect<String> effect) {
      switch (effect) {
        case DeliveringEffect.Look<String>(var after, var most) -> {
          pass(Point.LOOKING);
          var rows =
              IntStream.range((int) after, (int) Math.min(ROWS.size(), after + most))
                  .mapToObj(Lives::row)
                  .toList();
          pass(Point.READ);
          tell(new DeliveringInput.Came<>(rows, after + rows.size()));
        }
        case DeliveringEffect.Send<String> send -> {
          pass(Point.SENDING);
          // Before it arrives: else this would have been sent for nothing.
          assertThat(send.number()).isGreaterThan(stored);
          arrived.add(send.number());
          pass(Point.ARRIVED);
          tell(new DeliveringInput.Taken<>(send.number()));
          pass(Point.ANSWERED);
        }
        case DeliveringEffect.Store<String>(var taken) -> {
          pass(Point.STORING);
          assertThat(arrived).containsAll(numbers(taken.upTo()));
          stored = taken.upTo();
          pass(Point.STORED);
          tell(new DeliveringInput.Stored<>());
          pass(Point.KNOWN);
        }
        case DeliveringEffect.WarnOfDead<String> dead -> throw new AssertionError(dead);
        case DeliveringEffect.WarnOfSilence<String> silence -> throw new AssertionError(silence);
      }
    }

    private static Read<String> row(int index) {
      var subject = Optional.of(ROWS.get(index)).filter(name -> !name.isEmpty());
      return new Read<>(index + 1L, subject, ROWS.get(index));
    }

    private void pass(Point point) {
      passed.merge(point, 1, Integer::sum);
      if (crashes.contains(steps++)) {
        throw new Crash();
      }
    }

    void check() {
      assertThat(arrived).as("dying behind %s", crashes).containsAll(numbers(ROWS.size()));
      for (var schedule : Set.of("a", "b", "c")) {
        assertThat(arrived.stream().distinct().filter(number -> isOf(number, schedule)).toList())
            .as("first of %s, dying behind %s", schedule, crashes)
            .isSorted();
      }
    }

    private static boolean isOf(long number, String schedule) {
      return ROWS.get((int) number - 1).equals(schedule);
    }

    private static List<Long> numbers(long upTo) {
      return IntStream.rangeClosed(1, (int) upTo).mapToObj(Long::valueOf).toList();
    }
  }

  @Test
  void withoutACrashEachArrivesOnceAndEachStepIsPassed() {
    for (int order = 0; order < ORDERS; order++) {
      var lives = new Lives(Set.of(), order).live();
      lives.check();
      assertThat(lives.arrived).hasSize(ROWS.size());
      assertThat(lives.passed.keySet()).containsExactlyInAnyOrder(Point.values());
    }
  }

  @Test
  void itMayDieBehindAnyStep() {
    for (int order = 0; order < ORDERS; order++) {
      int steps = new Lives(Set.of(), order).live().steps;
      for (int crash = 0; crash < steps; crash++) {
        new Lives(Set.of(crash), order).live().check();
      }
    }
  }

  @Test
  void itMayDieAgainWhileItGoesOn() {
    for (int order = 0; order < ORDERS / 5; order++) {
      int steps = new Lives(Set.of(), order).live().steps;
      for (int first = 0; first < steps; first++) {
        for (int second = first + 1; second < first + steps; second++) {
          new Lives(Set.of(first, second), order).live().check();
        }
      }
    }
  }
}
