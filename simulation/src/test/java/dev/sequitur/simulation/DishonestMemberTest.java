package dev.sequitur.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.message.Message;
import java.util.HashSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the member that lies in every tenth network sends; what must hold, holds all the same. */
final class DishonestMemberTest {
  private static final int LIARS = 8;

  /** A kind that is added is sent by nobody who lies until it is seen or made up. */
  @Test
  void itSendsMessagesOfEachKindThatThereIsAndOfGroupsThatItIsNoMemberOf() {
    var sent = new HashSet<Class<?>>();
    long foreign = 0;
    for (int i = 0; i < LIARS; i++) {
      var run = new RandomRun(RunPlan.of(9 + 10 * i));
      run.run();
      sent.addAll(run.simulation().wire().forged());
      foreign += run.simulation().counted(RunningNode.NOT_A_MEMBER);
    }

    assertThat(sent).containsAll(kinds(Message.class).toList());
    assertThat(foreign).isPositive();
  }

  private static Stream<Class<?>> kinds(Class<?> type) {
    var below = type.getPermittedSubclasses();
    return below == null ? Stream.of(type) : Stream.of(below).flatMap(DishonestMemberTest::kinds);
  }
}
