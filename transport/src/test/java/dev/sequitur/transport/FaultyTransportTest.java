package dev.sequitur.transport;

import static dev.sequitur.transport.Envelopes.CONTRACT;
import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static dev.sequitur.transport.Envelopes.NODE3;
import static dev.sequitur.transport.Envelopes.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.transport.FaultRule.Delay;
import dev.sequitur.transport.FaultRule.Drop;
import dev.sequitur.transport.FaultRule.Duplicate;
import dev.sequitur.transport.FaultRule.Partition;
import dev.sequitur.transport.FaultRule.Partition.Direction;
import dev.sequitur.transport.FaultRule.Reorder;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultyTransportTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualTime time = new VirtualTime();
  private final InProcessNetwork network = new InProcessNetwork();
  private final FaultRules rules = new FaultRules(7);
  private final FaultyTransport node1 =
      new FaultyTransport(network.join(NODE1, new PrometheusRegistry()), rules, time, 1_000);
  private final FaultyTransport node2 =
      new FaultyTransport(network.join(NODE2, new PrometheusRegistry()), rules, time, 1_000);
  private final List<Integer> at1 = new ArrayList<>();
  private final List<Integer> at2 = new ArrayList<>();

  FaultyTransportTest() {
    node1.receive(batch -> batch.forEach(envelope -> at1.add(Envelopes.numberOf(envelope))));
    node2.receive(batch -> batch.forEach(envelope -> at2.add(Envelopes.numberOf(envelope))));
  }

  /** Runs what is due when told to; equal times in the order they were asked for. */
  private static final class VirtualTime implements FaultyTransport.Delayer {
    private record Timer(Duration due, long order, Runnable action) {}

    private final PriorityQueue<Timer> timers =
        new PriorityQueue<>(Comparator.comparing(Timer::due).thenComparing(Timer::order));
    private Duration now = Duration.ZERO;
    private long asked;

    @Override
    public void after(Duration delay, Runnable action) {
      timers.add(new Timer(now.plus(delay), asked++, action));
    }

    void advance(Duration time) {
      now = now.plus(time);
      while (!timers.isEmpty() && timers.peek().due().compareTo(now) <= 0) {
        timers.poll().action().run();
      }
    }
  }

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void withoutRulesEverythingPassesAtOnce() {
    node1.send(numbered(NODE1, NODE2, 0, 10));

    assertThat(at2).isEqualTo(numbers(10));
  }

  @Test
  void aShareOfTheEnvelopesIsDropped() {
    rules.add(new Drop(FaultScope.ALL, 0.3));

    node1.send(numbered(NODE1, NODE2, 0, 1_000));

    assertThat(at2).hasSizeBetween(630, 770).isSorted();
  }

  @Test
  void theSameSeedLosesTheSameEnvelopes() {
    assertThat(survivorsOf(new FaultRules(3)))
        .isEqualTo(survivorsOf(new FaultRules(3)))
        .isNotEqualTo(survivorsOf(new FaultRules(4)));
  }

  private static List<Integer> survivorsOf(FaultRules seeded) {
    seeded.add(new Drop(FaultScope.ALL, 0.5));
    return IntStream.range(0, 100)
        .filter(number -> !seeded.arrivals(numbered(NODE1, NODE2, number)).isEmpty())
        .boxed()
        .toList();
  }

  @Test
  void aFixedDelayKeepsTheOrder() {
    rules.add(new Delay(FaultScope.ALL, 1, new DelayTime.Fixed(SECOND)));
    node1.send(numbered(NODE1, NODE2, 0, 5));
    node1.send(numbered(NODE1, NODE2, 5, 10));
    time.advance(SECOND.minusNanos(1));
    assertThat(at2).isEmpty();
    assertThat(node1.delayed()).isEqualTo(10);

    time.advance(Duration.ofNanos(1));

    assertThat(at2).isEqualTo(numbers(10));
    assertThat(node1.delayed()).isZero();
  }

  @Test
  void anExponentialDelayHasItsMeanAndItsBound() {
    var random = new SplittableRandom(1);
    var delay = new DelayTime.Exponential(SECOND, SECOND.multipliedBy(3));

    var drawn = IntStream.range(0, 10_000).mapToLong(i -> delay.draw(random).toMillis()).toArray();

    assertThat(Arrays.stream(drawn).max()).hasValue(3_000);
    assertThat(Arrays.stream(drawn).average().orElseThrow()).isBetween(900.0, 1_000.0);
  }

  @Test
  void duplicatesArriveTwice() {
    rules.add(new Duplicate(FaultScope.ALL, 1));

    node1.send(numbered(NODE1, NODE2, 0, 2));

    assertThat(at2).containsExactly(0, 0, 1, 1);
  }

  @Test
  void reorderingLosesNothingButTheOrder() {
    rules.add(new Reorder(FaultScope.ALL, 0.5, SECOND));
    node1.send(numbered(NODE1, NODE2, 0, 100));

    time.advance(SECOND);

    assertThat(at2).isNotEqualTo(numbers(100)).containsExactlyInAnyOrderElementsOf(numbers(100));
  }

  @Test
  void onlyTheMessagesOfTheScopeAreHit() {
    rules.add(new Drop(FaultScope.ofMessages("StartupNotificationAcknowledgement"), 1));
    rules.add(new Drop(FaultScope.link(NODE2, NODE1), 1));

    node1.send(List.of(numbered(NODE1, NODE2, 1), Envelopes.acknowledgement(NODE1, NODE2)));
    node2.send(List.of(numbered(NODE2, NODE1, 2)));

    assertThat(at2).containsExactly(1);
    assertThat(at1).isEmpty();
  }

  @Test
  void onlyTheContractsOfTheScopeAreHit() {
    var other = new ContractAddress("0x" + "cd".repeat(20));
    rules.add(new Drop(new FaultScope(Set.of(), Set.of(NODE2), Set.of(), Set.of(CONTRACT)), 1));
    rules.add(new Drop(new FaultScope(Set.of(), Set.of(NODE1), Set.of(), Set.of(other)), 1));

    node1.send(List.of(numbered(NODE1, NODE2, 1)));
    node2.send(List.of(numbered(NODE2, NODE1, 2)));

    assertThat(at2).isEmpty();
    assertThat(at1).containsExactly(2);
  }

  @Test
  void aPartitionCutsBothWaysUntilItIsRemoved() {
    int number = rules.add(new Partition(Set.of(NODE1), Set.of(NODE2, NODE3), Direction.BOTH_WAYS));
    node1.send(List.of(numbered(NODE1, NODE2, 1)));
    node2.send(List.of(numbered(NODE2, NODE1, 2)));
    assertThat(at1).isEmpty();
    assertThat(at2).isEmpty();

    assertThat(rules.remove(number)).isTrue();
    node1.send(List.of(numbered(NODE1, NODE2, 3)));

    assertThat(at2).containsExactly(3);
  }

  @Test
  void aOneWayPartitionLetsTheOtherDirectionThrough() {
    rules.add(new Partition(Set.of(NODE1), Set.of(NODE2), Direction.ONE_WAY));

    node1.send(List.of(numbered(NODE1, NODE2, 1)));
    node2.send(List.of(numbered(NODE2, NODE1, 2)));

    assertThat(at2).isEmpty();
    assertThat(at1).containsExactly(2);
  }

  @Test
  void aPartitionKnownOnlyToTheReceiverHoldsToo() {
    var sender = network.join(NODE3, new PrometheusRegistry());
    rules.add(new Partition(Set.of(NODE2), Set.of(NODE3), Direction.BOTH_WAYS));

    sender.send(List.of(numbered(NODE3, NODE2, 1)));

    assertThat(at2).isEmpty();
  }

  @Test
  void whatIsHeldBackIsBounded() {
    var bounded =
        new FaultyTransport(network.join(NODE3, new PrometheusRegistry()), rules, time, 10);
    rules.add(new Delay(FaultScope.ALL, 1, new DelayTime.Fixed(SECOND)));
    IntStream.range(0, 15).forEach(i -> bounded.send(List.of(numbered(NODE3, NODE2, i))));

    time.advance(SECOND);

    assertThat(at2).isEqualTo(numbers(10));
    assertThat(bounded.overflowed()).isEqualTo(5);
  }

  @Test
  void aSchedulerThatHasStoppedDoesNotHurtTheSender() {
    var stopped =
        new FaultyTransport(network.join(NODE3, new PrometheusRegistry()), rules, this::reject, 10);
    rules.add(new Delay(FaultScope.ALL, 1, new DelayTime.Fixed(SECOND)));

    stopped.send(List.of(numbered(NODE3, NODE2, 1)));

    assertThat(stopped.delayed()).isZero();
  }

  private void reject(Duration delay, Runnable action) {
    throw new RejectedExecutionException("stopped");
  }

  @Test
  void whatWasHeldBackIsNotSentAfterClose() {
    rules.add(new Delay(FaultScope.ALL, 1, new DelayTime.Fixed(SECOND)));
    node1.send(List.of(numbered(NODE1, NODE2, 1)));

    node1.close();
    time.advance(SECOND);

    assertThat(at2).isEmpty();
  }

  @Test
  void rulesAreListedWithHowOftenTheyApplied() {
    var rule = new Drop(FaultScope.link(NODE1, NODE2), 1);
    int number = rules.add(rule);

    node1.send(numbered(NODE1, NODE2, 0, 3));

    assertThat(rules.list()).containsExactly(new FaultRules.Numbered(number, rule, 3));
    rules.clear();
    assertThat(rules.list()).isEmpty();
    assertThat(rules.remove(number)).isFalse();
  }

  @Test
  void aWrongRuleIsRefusedWithASentence() {
    assertThatThrownBy(() -> new Drop(FaultScope.ALL, 1.5))
        .hasMessage("A probability is between 0 and 1, not 1.5.");
    assertThatThrownBy(() -> FaultScope.ofMessages("Nonsense"))
        .hasMessageStartingWith("There is no message 'Nonsense'; name some of [AssembleError, ");
    assertThatThrownBy(() -> new Partition(Set.of(), Set.of(NODE1), Direction.ONE_WAY))
        .hasMessage("A partition has nodes on both sides.");
  }

  @Test
  void batchesStayTogetherWhenNothingIsDelayed() {
    List<Integer> sizes = new ArrayList<>();
    network.join(NODE3, new PrometheusRegistry()).receive(batch -> sizes.add(batch.size()));
    rules.add(new Drop(FaultScope.link(NODE2, NODE1), 1));
    List<Envelope> batch = numbered(NODE1, NODE3, 0, 4);

    node1.send(batch);

    assertThat(sizes).containsExactly(4);
  }
}
