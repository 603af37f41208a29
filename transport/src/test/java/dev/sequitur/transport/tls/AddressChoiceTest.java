package dev.sequitur.transport.tls;

import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Time is what the tests say. */
class AddressChoiceTest {
  private static final Duration GO_BACK = Duration.ofSeconds(30);

  private static List<PeerAddress> addresses(int count) {
    return IntStream.range(0, count).mapToObj(i -> new PeerAddress("10.0.0." + i, 7_000)).toList();
  }

  private static PeerAddress first(NodeName self, int jvm, NodeName peer, int count) {
    return AddressChoice.order(self, jvm, peer, addresses(count)).get(0);
  }

  /** How many of a node's JVMs begin at each address of a peer. */
  private static Map<PeerAddress, Long> begin(NodeName self, int jvms, int count) {
    return IntStream.range(0, jvms)
        .mapToObj(jvm -> first(self, jvm, NODE2, count))
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  @Property(tries = 200)
  void theJvmsOfANodeTakeTurnsAtThoseOfAPeer(
      @ForAll @IntRange(min = 1, max = 12) int jvms,
      @ForAll @IntRange(min = 1, max = 12) int count) {
    var links = begin(NODE1, jvms, count);

    assertThat(links).hasSize(Math.min(jvms, count));
    assertThat(Collections.max(links.values())).isEqualTo(Math.ceilDiv(jvms, count));
  }

  @Test
  void tenNodesOfTenJvmsHaveNineLinksToEachJvm() {
    var links = new TreeMap<String, Integer>();
    for (int node = 2; node <= 10; node++) {
      begin(new NodeName("node" + node), 10, 10)
          .forEach(
              (address, jvms) -> links.merge(address.toString(), jvms.intValue(), Integer::sum));
    }

    assertThat(links.values()).hasSize(10).containsOnly(9);
  }

  @Test
  void nodesOfOneJvmBeginAtDifferentOnesOfAPeer() {
    var links =
        IntStream.range(0, 30)
            .mapToObj(i -> first(new NodeName("node" + i), 0, NODE2, 3))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));

    assertThat(links).hasSize(3);
    assertThat(Collections.min(links.values())).isGreaterThanOrEqualTo(5);
  }

  @Property(tries = 100)
  void theOrderInWhichAddressesAreWrittenDoesNotMatter(@ForAll long seed) {
    var shuffled = new ArrayList<>(addresses(5));
    Collections.shuffle(shuffled, new Random(seed));

    assertThat(AddressChoice.order(NODE1, 3, NODE2, shuffled))
        .isEqualTo(AddressChoice.order(NODE1, 3, NODE2, addresses(5)))
        .hasSameElementsAs(shuffled);
  }

  /** Or all that one has lost would be the next one's. */
  @Test
  void thoseThatBeginAtOneAddressGoOnAtDifferentOnes() {
    var second =
        IntStream.range(0, 40)
            .filter(i -> i % 4 == 0)
            .mapToObj(jvm -> AddressChoice.order(NODE1, jvm, NODE2, addresses(4)).get(1))
            .distinct();

    assertThat(second).hasSizeGreaterThan(1);
  }

  private static final List<PeerAddress> THREE = addresses(3);

  private static AddressChoice choice() {
    return new AddressChoice(THREE, GO_BACK);
  }

  private static long nanos(Duration time) {
    return time.toNanos();
  }

  @Test
  void eachFailureIsTheNextOnesTurnAndAfterTheLastTheFirst() {
    var choice = choice();
    var tried = new ArrayList<PeerAddress>();
    for (int i = 0; i < 4; i++) {
      tried.add(choice.present());
      choice.failed();
    }

    assertThat(tried).containsExactly(THREE.get(0), THREE.get(1), THREE.get(2), THREE.get(0));
  }

  @Test
  void whoeverIsElsewhereLooksForThoseBeforeItWithinAMinute() {
    var choice = choice();
    choice.connected(THREE.get(2), 0);

    assertThat(choice.look(nanos(GO_BACK) - 1)).isEmpty();
    assertThat(choice.untilLook(0)).isEqualTo(nanos(GO_BACK));
    assertThat(choice.look(nanos(GO_BACK))).containsExactly(THREE.get(0), THREE.get(1));
    assertThat(GO_BACK).isLessThan(Duration.ofMinutes(1));
    assertThat(TlsConfiguration.Times.DEFAULT.goBack()).isEqualTo(GO_BACK);
  }

  @Test
  void aLookIsNotRepeatedAtOnce() {
    var choice = choice();
    choice.connected(THREE.get(1), 0);
    choice.look(nanos(GO_BACK));

    assertThat(choice.look(nanos(GO_BACK) + 1)).isEmpty();
    assertThat(choice.look(2 * nanos(GO_BACK))).containsExactly(THREE.get(0));
  }

  @Test
  void whoeverIsAtTheFirstLooksForNobody() {
    var choice = choice();
    choice.connected(THREE.get(1), 0);
    choice.connected(THREE.get(0), 1);

    assertThat(choice.look(10 * nanos(GO_BACK))).isEmpty();
    assertThat(choice.untilLook(0)).isEqualTo(Long.MAX_VALUE);
  }
}
