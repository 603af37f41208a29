package dev.sequitur.node.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.links.admission.Places;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallerConnectionTest {
  private final List<String> closed = new ArrayList<>();
  private final Places places = new Places(new Places.Limits(2, 2, 4, 4, 0));

  private CallerConnection caller(String name) {
    return new CallerConnection(places, InetAddress.getLoopbackAddress(), () -> closed.add(name));
  }

  @Test
  void whoeverIsBeingAnsweredLeavesAfterwards() {
    var busy = caller("busy");
    busy.busy(true);
    var idle = caller("idle");
    assertThat(busy.isLast()).isFalse();

    busy.leave();
    idle.leave();

    assertThat(closed).containsExactly("idle");
    assertThat(busy.isLast()).isTrue();
  }

  @Test
  void whoeverHasNoFirmPlaceEndsWithItsAnswer() {
    caller("first");
    caller("second");
    var third = caller("third");

    assertThat(third.hasPlace()).isFalse();
    assertThat(third.isLast()).isTrue();
    third.ended();
    assertThat(places.size()).isEqualTo(2);
  }
}
