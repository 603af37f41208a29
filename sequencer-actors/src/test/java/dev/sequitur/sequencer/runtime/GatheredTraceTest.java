package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.TracePart;
import dev.sequitur.protocol.message.TracedMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
  void whatAnotherNodeSaysInWordsThatAreNotKnownIsLeftOutAndCounted() {
    var gathered = new GatheredTrace(SELF, part(1, 1), List.of(OTHER));
    var known = message("AssembleRequest", "coordinator", 1);
    var part =
        new TracePart(
            new UUID(0, 2),
            1,
            List.of(
                known,
                message("CoordinatorFarewell", "coordinator", 2),
                message("AssembleRequest", "<b>sender", 3)),
            5);

    gathered.add(OTHER, part);

    var trace = gathered.completion().join();
    assertThat(trace.lines())
        .extracting(line -> line.message().messageId())
        .containsExactly(known.messageId());
    assertThat(trace.leftOut()).isEqualTo(7);
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

  private static TracedMessage message(String type, String fromRole, long number) {
    return new TracedMessage(
        TracedMessage.Sight.SENT,
        number,
        Instant.EPOCH,
        new MessageId(new UUID(7, number)),
        Optional.empty(),
        OTHER,
        fromRole,
        SELF,
        "sender",
        Optional.empty(),
        type,
        List.of(),
        "");
  }

  private static TracePart part(long process, int processes) {
    return new TracePart(new UUID(0, process), processes, List.of(), 0);
  }
}
