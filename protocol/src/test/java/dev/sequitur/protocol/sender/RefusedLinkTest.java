package dev.sequitur.protocol.sender;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.B;
import static dev.sequitur.protocol.fixture.Contract.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.message.DelegationRejected;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A link that is refused is a sign for whom to try first (AVL-8). */
class RefusedLinkTest {
  private final Map<NodeName, String> troubles = new HashMap<>();
  private final SenderOfA sender =
      SenderOfA.startedWith(node -> Optional.ofNullable(troubles.get(node)));

  private NodeName nextAfterB() {
    return Contract.SELECTION
        .ranking(Contract.SELECTION.range(sender.height))
        .preferred(node -> !node.equals(B))
        .orElseThrow();
  }

  @Test
  void whoseLinkIsRefusedIsNotAskedAndTheNextOneIsToldSo() {
    troubles.put(B, "connection refused");

    sender.accept(Contract.transaction(A, 1));

    assertThat(sender.delegatedTo()).containsExactly(nextAfterB());
    assertThat(sender.command().passedOver()).containsExactly(B);
  }

  @Test
  void asSoonAsThereIsALinkItIsChosenAgain() {
    troubles.put(B, "connection refused");
    sender.accept(Contract.transaction(A, 1));
    sender.accepted(sender.command(), 1);

    troubles.clear();
    sender.accept(Contract.transaction(A, 2));

    assertThat(sender.delegatedTo()).containsOnly(B);
    assertThat(sender.command().transactions()).hasSize(2);
  }

  /** Of a range that has ended: it is the best of this one, and its link is refused now. */
  @Test
  void theLateWordOfOneThatIsNotAskedNextHoldsNobodyElseBack() {
    var height = sender.height;
    while (!Contract.SELECTION.ranking(Contract.SELECTION.range(height)).prefers(C, A)) {
      height = Contract.heightPreferring(B, height);
    }
    sender.index(height);
    sender.accept(Contract.transaction(A, 1));
    sender.rejected(sender.command(), new DelegationRejected.CannotSubmit("no ledger"));
    var asked = sender.command();
    assertThat(asked.delegateNode()).isEqualTo(C);
    sender.index(Contract.heightPreferring(C, height));
    troubles.put(C, "connection refused");

    sender.rejected(asked, new DelegationRejected.Overloaded(Duration.ofMinutes(1)));

    assertThat(sender.delegatedTo()).containsExactly(A);
  }

  /** Not even on trial: what is sent there is lost. */
  @Test
  void whoDidNotAnswerIsNotTriedAgainWithoutALink() {
    sender.accept(Contract.transaction(A, 1));
    troubles.put(B, "connection refused");
    sender.tickAfter(SenderOfA.SETTINGS.delivery().delegationTimeout());
    sender.accepted(sender.command(), 1);
    sender.passes(SenderOfA.SETTINGS.heartbeats().presumedUnavailable().plus(Duration.ofDays(1)));

    sender.accept(Contract.transaction(A, 2));

    assertThat(sender.delegatedTo()).doesNotContain(B);
  }
}
