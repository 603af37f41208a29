package dev.sequitur.node.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.rpc.server.Places.Place;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacesTest {
  private final List<String> closed = new ArrayList<>();

  private Place take(Places places, String address) {
    try {
      return places.take(InetAddress.getByName(address), () -> closed.add(address));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Test
  void oneAddressDoesNotTakeThePlacesOfOthers() {
    var places = new Places(10, 2);
    assertThat(take(places, "192.0.2.1").isSpare()).isFalse();
    assertThat(take(places, "192.0.2.1").isSpare()).isFalse();
    assertThat(take(places, "192.0.2.1").isSpare()).isTrue();
    assertThat(take(places, "192.0.2.2").isSpare()).isFalse();
  }

  @Test
  void allTogetherHaveSoManyPlaces() {
    var places = new Places(2, 2);
    take(places, "192.0.2.1");
    var second = take(places, "192.0.2.2");
    assertThat(take(places, "192.0.2.3").isSpare()).isTrue();
    places.leave(second);
    assertThat(take(places, "192.0.2.3").isSpare()).isFalse();
  }

  @Test
  void aPlaceThatIsLeftTwiceIsFreedOnce() {
    var places = new Places(10, 1);
    var first = take(places, "192.0.2.1");
    places.leave(first);
    places.leave(first);
    take(places, "192.0.2.1");
    assertThat(take(places, "192.0.2.1").isSpare()).isTrue();
    assertThat(places.size()).isEqualTo(2);
  }

  @Test
  void aSparePlaceDoesNotBecomeAnother() {
    var places = new Places(1, 1);
    take(places, "192.0.2.1");
    places.leave(take(places, "192.0.2.2"));
    assertThat(take(places, "192.0.2.3").isSpare()).isTrue();
  }

  @Test
  void theNewestComerOfAnAddressDisplacesItsOldest() {
    var places = new Places(1, 1);
    take(places, "192.0.2.1");
    take(places, "192.0.2.9");
    for (int i = 0; i < 2 * Places.SPARE_OF_ADDRESS; i++) {
      take(places, "192.0.2.1");
    }
    assertThat(closed).hasSize(Places.SPARE_OF_ADDRESS).containsOnly("192.0.2.1");
    assertThat(places.size()).isEqualTo(1 + 1 + Places.SPARE_OF_ADDRESS);
  }

  @Test
  void theNewestComerOfAllDisplacesTheOldest() {
    var places = new Places(1, 1);
    take(places, "192.0.2.1");
    IntStream.range(0, Places.SPARE + 3).forEach(i -> take(places, "198.51.100." + i));
    assertThat(closed).containsExactly("198.51.100.0", "198.51.100.1", "198.51.100.2");
    assertThat(places.size()).isEqualTo(1 + Places.SPARE);
  }

  @Test
  void oneNetworkOfIpv6IsOneAddress() {
    var places = new Places(10, 1);
    assertThat(take(places, "2001:db8:0:1::1").isSpare()).isFalse();
    assertThat(take(places, "2001:db8:0:1:ffff::2").isSpare()).isTrue();
    assertThat(take(places, "2001:db8:0:2::1").isSpare()).isFalse();
  }

  @Test
  void whoeverIsBeingAnsweredLeavesAfterwards() {
    var places = new Places(10, 10);
    var busy = take(places, "192.0.2.1");
    busy.busy(true);
    var idle = take(places, "192.0.2.2");

    places.open().forEach(Place::leave);

    assertThat(closed).containsExactly("192.0.2.2");
    assertThat(busy.isLeaving()).isTrue();
    assertThat(idle.isLeaving()).isTrue();
  }
}
