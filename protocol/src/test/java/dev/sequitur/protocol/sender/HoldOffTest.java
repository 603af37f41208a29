package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.HeartbeatSequence;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.Pending;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What was dispatched in an earlier range holds back what comes (SWO-2). */
class HoldOffTest {
  private final SenderOfA sender = SenderOfA.started();

  @Test
  void aCoordinatorChosenBeforeTheRangeThatEndedDoesNotCountAsTheNewOne() {
    var first = Contract.transaction(A, 1);
    sender.accept(first);
    assertThat(sender.delegatedTo()).containsExactly(B);
    sender.confirm(first);
    // Nothing is delegated in the range between: others have dispatched in it.
    var between = Contract.heightPreferring(C, sender.height);
    index(between);
    var others = new Pending(Contract.transaction(C, 9).id(), Contract.SELECTION.range(between));
    sender.tell(
        C,
        new SubmitterHeartbeatNotification(
            new HeartbeatSequence(1, 1), sender.now(), ADDRESS, List.of(others), List.of()));

    index(Contract.heightPreferring(B, between));
    sender.accept(Contract.transaction(A, 2));

    assertThat(sender.delegatedTo()).as("it waits for what C has dispatched").isEmpty();
  }

  private void index(BlockHeight height) {
    sender.tell(new SenderInput.BlockIndexed(height, sender.now(), Map.of()));
  }
}
