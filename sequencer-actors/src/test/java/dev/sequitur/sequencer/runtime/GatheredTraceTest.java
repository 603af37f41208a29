package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.TracePart;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class GatheredTraceTest {
  private static final NodeName SELF = new NodeName("node1");
  private static final NodeName OTHER = new NodeName("node2");
  private static final NodeName THIRD = new NodeName("node3");

  @Test
  void itIsDoneWhenEveryProcessOfEveryMemberHasAnswered() {
    var gathered = new GatheredTrace(SELF, part(1, 1), List.of(SELF, OTHER));
    gathered.add(OTHER, part(2, 2));
    gathered.add(OTHER, part(2, 2));
    assertThat(gathered.completion()).isNotDone();

    gathered.add(OTHER, part(3, 2));

    assertThat(gathered.completion().join().silent()).isEmpty();
  }

  @Test
  void theOtherProcessesOfThisNodeAreWaitedForToo() {
    var gathered = new GatheredTrace(SELF, part(1, 2), List.of(SELF));

    assertThat(gathered.waitsFor()).containsExactly(SELF);
  }

  @Test
  void whoDidNotAnswerIsNamedAtTheEnd() {
    var gathered = new GatheredTrace(SELF, part(1, 1), List.of(SELF, THIRD, OTHER));
    gathered.add(OTHER, part(2, 2));

    gathered.end();

    assertThat(gathered.completion().join().silent()).containsExactly(OTHER, THIRD);
  }

  @Test
  void anAnswerOfWhoWasNotAskedIsIgnored() {
    var gathered = new GatheredTrace(SELF, part(1, 1), List.of(OTHER));

    gathered.add(THIRD, part(3, 1));

    assertThat(gathered.waitsFor()).containsExactly(OTHER);
  }

  @Test
  void aNodeIsAnsweredOnlySoOftenInASecond() {
    var now = new long[] {1_000};
    var rate = new RequestRate(() -> Instant.ofEpochMilli(now[0]));
    for (int i = 0; i < RequestRate.REQUESTS; i++) {
      assertThat(rate.admits(OTHER)).isTrue();
    }

    assertThat(rate.admits(OTHER)).isFalse();
    assertThat(rate.admits(THIRD)).isTrue();
    now[0] += 1_000;
    assertThat(rate.admits(OTHER)).isTrue();
  }

  private static TracePart part(long process, int processes) {
    return new TracePart(new UUID(0, process), processes, List.of(), 0);
  }
}
