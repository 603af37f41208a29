package dev.sequitur.transport.tls;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.placement.Scores;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which of a peer's addresses a JVM dials. The JVMs of a node begin at different ones, in turn;
 * from one that fails each goes on in an order of its own. Whoever is elsewhere than at its first
 * choice looks now and then whether one before it is there. Confined to one thread but for {@link
 * #others}, and without a clock.
 */
final class AddressChoice {
  private final List<PeerAddress> order;
  private final long goBackNanos;
  private int at;
  private long nextLook;

  /**
   * @param order begins with the first choice
   * @param goBack between two looks at those before the present one
   */
  AddressChoice(List<PeerAddress> order, Duration goBack) {
    this.order = List.copyOf(order);
    this.goBackNanos = goBack.toNanos();
  }

  /**
   * The addresses of a peer in the order of a JVM's choice.
   *
   * @param jvm the number of this JVM among those of its node: they take turns
   */
  static List<PeerAddress> order(
      NodeName self, int jvm, NodeName peer, List<PeerAddress> addresses) {
    var sorted = addresses.stream().sorted(Comparator.comparing(PeerAddress::toString)).toList();
    // Not all nodes begin with the same JVM of a peer.
    long begin = Math.floorMod(Scores.of(self + " " + peer, 0), sorted.size());
    int first = Math.floorMod(begin + jvm, sorted.size());
    var rest =
        IntStream.range(0, sorted.size())
            .filter(i -> i != first)
            .mapToObj(sorted::get)
            .sorted(Comparator.comparingLong(each -> Scores.of(self + " " + each, jvm)));
    return Stream.concat(Stream.of(sorted.get(first)), rest).toList();
  }

  PeerAddress present() {
    return order.get(at);
  }

  /** All but the first choice. */
  List<PeerAddress> others() {
    return order.subList(1, order.size());
  }

  /** The present one could not be reached, or was lost: the next one's turn. */
  void failed() {
    at = (at + 1) % order.size();
  }

  /**
   * Whoever is connected now is dialled no more; the next look comes after the time for it.
   *
   * @param address the one that is connected
   */
  void connected(PeerAddress address, long nanos) {
    at = order.indexOf(address);
    nextLook = nanos + goBackNanos;
  }

  /** Those that are before the present one, if it is time to look; then not for a while. */
  List<PeerAddress> look(long nanos) {
    if (at == 0 || nanos - nextLook < 0) {
      return List.of();
    }
    nextLook = nanos + goBackNanos;
    return order.subList(0, at);
  }

  /** How long it is until the next look, as far as there is one; 0 or less if it is due. */
  long untilLook(long nanos) {
    return at == 0 ? Long.MAX_VALUE : nextLook - nanos;
  }
}
