package dev.sequitur.links.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.links.admission.Places.Limits;
import dev.sequitur.links.admission.Places.Place;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PlacesTest {
  private final List<String> closed = new ArrayList<>();

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private Place take(Places places, String from) {
    return places.take(address(from), () -> closed.add(from));
  }

  private Place takeProvisionally(Places places, String from) {
    return places.takeProvisionally(address(from), () -> closed.add(from));
  }

  private void takeProvisionally(Places places, String from, int number) {
    IntStream.range(0, number).forEach(each -> takeProvisionally(places, from));
  }

  @Nested
  class Firm {
    @Test
    void oneAddressDoesNotTakeThePlacesOfOthers() {
      var places = new Places(new Limits(10, 2, 8, 8, 0));
      assertThat(take(places, "192.0.2.1").isFirm()).isTrue();
      assertThat(take(places, "192.0.2.1").isFirm()).isTrue();
      assertThat(take(places, "192.0.2.1").isFirm()).isFalse();
      assertThat(take(places, "192.0.2.2").isFirm()).isTrue();
    }

    @Test
    void allTogetherHaveSoManyPlaces() {
      var places = new Places(new Limits(2, 2, 8, 8, 0));
      take(places, "192.0.2.1");
      var second = take(places, "192.0.2.2");
      assertThat(take(places, "192.0.2.3").isFirm()).isFalse();
      second.end();
      assertThat(take(places, "192.0.2.3").isFirm()).isTrue();
    }

    @Test
    void aPlaceThatIsLeftTwiceIsFreedOnce() {
      var places = new Places(new Limits(10, 1, 8, 8, 0));
      var first = take(places, "192.0.2.1");
      first.end();
      first.end();
      take(places, "192.0.2.1");
      assertThat(take(places, "192.0.2.1").isFirm()).isFalse();
      assertThat(places.size()).isEqualTo(2);
    }

    @Test
    void whoeverHasAFirmPlaceIsNeverDisplaced() {
      var places = new Places(new Limits(1, 1, 2, 2, 0));
      var first = take(places, "192.0.2.1");
      takeProvisionally(places, "192.0.2.1", 10);
      assertThat(first.isDisplaced()).isFalse();
      assertThat(closed).hasSize(8);
      assertThat(places.open()).hasSize(3).contains(first);
    }

    @Test
    void oneNetworkOfIpv6IsOneAddressButThisMachineIsNoNetwork() {
      var places = new Places(new Limits(10, 1, 8, 8, 0));
      assertThat(take(places, "2001:db8:0:1::1").isFirm()).isTrue();
      assertThat(take(places, "2001:db8:0:1:ffff::2").isFirm()).isFalse();
      assertThat(take(places, "2001:db8:0:2::1").isFirm()).isTrue();
      assertThat(take(places, "::1").isFirm()).isTrue();
      assertThat(take(places, "::2").isFirm()).isTrue();
    }
  }

  @Nested
  class Confirmed {
    @Test
    void aProvisionalPlaceBecomesFirmIfThereIsOne() {
      var places = new Places(new Limits(1, 1, 8, 8, 0));
      var first = takeProvisionally(places, "192.0.2.1");
      var second = takeProvisionally(places, "192.0.2.2");
      assertThat(first.confirm()).isTrue();
      assertThat(first.confirm()).isTrue();
      assertThat(first.isFirm()).isTrue();
      assertThat(second.confirm()).isFalse();
      first.end();
      assertThat(second.confirm()).isTrue();
      assertThat(places.size()).isEqualTo(1);
    }

    @Test
    void whoeverHasLostItsPlaceOrHasEndedGetsNone() {
      var places = new Places(new Limits(8, 8, 1, 1, 0));
      var lost = takeProvisionally(places, "192.0.2.1");
      var ended = takeProvisionally(places, "192.0.2.1");
      ended.end();
      assertThat(lost.isDisplaced()).isTrue();
      assertThat(lost.confirm()).isFalse();
      assertThat(ended.isDisplaced()).isFalse();
      assertThat(ended.confirm()).isFalse();
      assertThat(places.size()).isZero();
    }
  }

  @Nested
  class Provisional {
    private static final Limits LIMITS = new Limits(8, 8, 32, 8, 32);
    private final Places places = new Places(LIMITS);

    @Test
    void connectionsOfOneAddressDisplaceTheOldestOfItsOwn() {
      var first = takeProvisionally(places, "192.0.2.1");
      takeProvisionally(places, "192.0.2.1", 7);
      takeProvisionally(places, "192.0.2.2");
      assertThat(closed).isEmpty();

      takeProvisionally(places, "192.0.2.1");

      assertThat(closed).containsExactly("192.0.2.1");
      assertThat(first.isDisplaced()).isTrue();
    }

    @Test
    void whenStrangersAreTooManyTheAddressWithTheMostGivesUpItsOldest() {
      IntStream.range(0, 30).forEach(each -> takeProvisionally(places, "198.51.100." + each));
      var oldest = takeProvisionally(places, "192.0.2.1");
      var newer = takeProvisionally(places, "192.0.2.1");

      takeProvisionally(places, "192.0.2.2");

      assertThat(oldest.isDisplaced()).isTrue();
      assertThat(newer.isDisplaced()).isFalse();
      assertThat(closed).containsExactly("192.0.2.1");
    }

    @Test
    void fromWhereOneWasConfirmedNobodyElseIsDisplacedNorDisplaces() {
      takeProvisionally(places, "192.0.2.1").confirm();
      takeProvisionally(places, "192.0.2.1");
      IntStream.range(0, 32).forEach(each -> takeProvisionally(places, "198.51.100." + each));
      assertThat(closed).isEmpty();

      takeProvisionally(places, "192.0.2.1");
      assertThat(closed).isEmpty();
      takeProvisionally(places, "203.0.113.1");
      assertThat(closed).containsExactly("198.51.100.0");
    }

    @Test
    void whoeverHasLeftTakesNoPlace() {
      takeProvisionally(places, "192.0.2.1", 7);
      takeProvisionally(places, "192.0.2.1").end();

      takeProvisionally(places, "192.0.2.1");

      assertThat(closed).isEmpty();
    }

    @Test
    void howManyThereAreIsBoundedWhateverComes() {
      for (int each = 0; each < 10_000; each++) {
        var place = takeProvisionally(places, "192.0.2." + each % 100);
        if (each % 100 < 50 && places.size() % 2 == 0) {
          place.confirm();
        }
      }

      assertThat(places.size())
          .isLessThanOrEqualTo(
              LIMITS.firm()
                  + LIMITS.provisional()
                  + LIMITS.remembered() * LIMITS.provisionalOfNetwork());
      assertThat(places.open()).hasSize(places.size());
    }
  }

  @Test
  void aPlaceSaysWhoseItIs() {
    var place = take(new Places(new Limits(1, 1, 1, 1, 0)), "2001:db8:0:1::1");

    assertThat(place.address()).isEqualTo(address("2001:db8:0:1::1"));
    assertThat(place.network())
        .hasToString("2001:db8:0:1::/64")
        .isEqualTo(Network.of(address("2001:db8:0:1::2")));
    assertThat(Network.of(address("192.0.2.1"))).hasToString("192.0.2.1");
    assertThat(Network.of(address("::1"))).isNotEqualTo(Network.of(address("::2")));
  }

  @Test
  void ofNetworksThatAreRememberedThereAreSoMany() {
    var places = new Places(new Limits(8, 8, 1, 1, 1));
    takeProvisionally(places, "192.0.2.1").confirm();
    takeProvisionally(places, "192.0.2.2").confirm();
    takeProvisionally(places, "198.51.100.1");

    takeProvisionally(places, "192.0.2.1");
    assertThat(closed).as("it is remembered").isEmpty();
    takeProvisionally(places, "192.0.2.2");
    assertThat(closed).as("it came too late").containsExactly("198.51.100.1");
  }
}
