package dev.sequitur.protocol.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.table.TransitionTable.IllegalTransition;
import org.junit.jupiter.api.Test;

/** A step does with a transaction what the table says, on each event in each state. */
class SenderStepTest {
  @Test
  void aStepMovesIgnoresOrThrowsAsTheTableSays() {
    var sender = SenderOfA.started();
    var intent = Contract.transaction(Contract.A, 1);
    sender.accept(intent);
    for (var row : SenderTable.TRANSACTION.rows()) {
      var setup =
          new SenderSetup(Contract.A, Contract.GROUP, Contract.SELECTION, SenderOfA.SETTINGS);
      var step = new SenderStep(setup, sender.state(), sender.now());
      step.put(sender.transaction(intent).in(row.state(), sender.now(), "put there"));
      var before = step.state();
      switch (row.kind()) {
        case MOVE -> {
          assertThat(step.move(intent.id(), row.event(), "moved")).as("%s", row).isTrue();
          var left = step.get(intent.id());
          assertThat(left == null ? TransactionState.REVERTED : left.state())
              .as("%s", row)
              .isEqualTo(row.next());
        }
        case IGNORE -> {
          assertThat(step.move(intent.id(), row.event(), "moved")).as("%s", row).isFalse();
          assertThat(step.state()).as("%s", row).isEqualTo(before);
        }
        case IMPOSSIBLE ->
            assertThatThrownBy(() -> step.move(intent.id(), row.event(), "moved"))
                .as("%s", row)
                .isInstanceOf(IllegalTransition.class);
      }
    }
  }
}
