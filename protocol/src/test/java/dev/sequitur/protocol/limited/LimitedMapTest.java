package dev.sequitur.protocol.limited;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitedMapTest {
  @Test
  void oneForgetsWhatWasPutFirstEvenIfItWasReadSince() {
    Map<String, Integer> map = LimitedMap.ofNewest(2);
    map.put("a", 1);
    map.put("b", 2);
    assertThat(map.get("a")).isEqualTo(1);

    map.put("c", 3);

    assertThat(map).containsOnlyKeys("b", "c");
  }

  @Test
  void theOtherForgetsWhatWasNotUsedForLongest() {
    Map<String, Integer> map = LimitedMap.ofLastUsed(2);
    map.put("a", 1);
    map.put("b", 2);
    assertThat(map.get("a")).isEqualTo(1);

    map.put("c", 3);

    assertThat(map).containsOnlyKeys("a", "c");
  }
}
