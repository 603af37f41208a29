package dev.sequitur.node.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sequitur.protocol.id.NodeName;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RehearsalTest {
  private static final NodeName OTHER = new NodeName("node2");
  private static final Set<NodeName> OTHERS = Set.of(OTHER);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final RehearsedFault DROP =
      new RehearsedFault.Drop(RehearsedFault.Traffic.to(Set.of(OTHER)), 1);

  private final Rehearsal rehearsal = new Rehearsal(new NodeName("node1"), new NoLedger());

  @AfterEach
  void close() {
    rehearsal.close();
  }

  @Test
  void aFaultEndsByItself() {
    rehearsal.begin(DROP, OTHERS, Duration.ofSeconds(1));
    assertThat(rehearsal.list()).hasSize(1);
    await().atMost(MINUTE).until(() -> rehearsal.list().isEmpty());
  }

  @Test
  void allFaultsAreCleared() {
    rehearsal.begin(DROP, OTHERS, MINUTE);
    rehearsal.begin(new RehearsedFault.Partition(Set.of()), OTHERS, MINUTE);
    assertThat(rehearsal.clear()).isEqualTo(2);
    assertThat(rehearsal.list()).isEmpty();
    assertThat(rehearsal.clear()).isZero();
  }

  @Test
  void noMoreFaultsThanItsBoundAndNoneForLongerThanTenMinutes() {
    for (int i = 0; i < Rehearsal.MOST; i++) {
      rehearsal.begin(DROP, OTHERS, MINUTE);
    }
    assertThatThrownBy(() -> rehearsal.begin(DROP, OTHERS, MINUTE))
        .hasMessageContaining("There are 20 faults already");
    rehearsal.clear();
    assertThatThrownBy(() -> rehearsal.begin(DROP, OTHERS, Duration.ofSeconds(601)))
        .hasMessageContaining("from 1 to 600 seconds");
  }

  @Test
  void aMessageThatIsNotThereIsRefused() {
    var traffic = new RehearsedFault.Traffic(Set.of(), Set.of("AssembleRequests"), Set.of());
    assertThatThrownBy(() -> rehearsal.begin(new RehearsedFault.Drop(traffic, 1), OTHERS, MINUTE))
        .hasMessageContaining("no message 'AssembleRequests'")
        .hasMessageContaining("AssembleRequest,");
    assertThat(rehearsal.list()).isEmpty();
  }

  @Test
  void aPeerThatTheNodeDoesNotHaveAndALedgerThatCannotBeReachedAreRefused() {
    assertThatThrownBy(() -> rehearsal.begin(DROP, Set.of(), MINUTE))
        .hasMessageContaining("no peer node2");
    assertThatThrownBy(() -> rehearsal.begin(new RehearsedFault.LedgerLag(3), OTHERS, MINUTE))
        .hasMessageContaining("No faults can be set on the ledger");
    assertThat(rehearsal.list()).isEmpty();
  }
}
