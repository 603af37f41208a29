package dev.sequitur.sequencer.runtime;

import static dev.sequitur.sequencer.runtime.GroupNode.GIVEN_UP;
import static dev.sequitur.sequencer.runtime.GroupNode.SECOND;
import static dev.sequitur.sequencer.runtime.GroupNode.THIRD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.NodeStore.Withdrawal;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How members' nodes are told that a group is never made (SEL-9). */
class WithdrawalsTest {
  private static final String REASON = "Nobody takes part.";

  private final InMemoryNodeStore store = new InMemoryNodeStore();
  private final GroupNode node =
      new GroupNode(
          29,
          given ->
              new NodeSetup.Ports(
                  given.transport(), given.ledger(), store, given.keys(), given.signatures()));
  private final ManualTimers timers = node.timers;
  private final Withdrawals withdrawals =
      new Withdrawals(node.services, node.distribution(), timers);

  @Test
  void eachNodeIsToldUntilItHasAcknowledged() {
    var group = ended(SECOND, THIRD);

    withdrawals.begin(group);

    assertThat(told(SECOND)).extracting(GroupWithdrawal::group).containsExactly(group.id());
    assertThat(told(SECOND)).extracting(GroupWithdrawal::reason).containsExactly(REASON);
    assertThat(told(THIRD)).hasSize(1);
    node.withdrawn(SECOND);
    assertThat(untold(group)).containsExactly(THIRD);

    timers.pass(GIVEN_UP);
    int sends = told(THIRD).size();
    timers.pass(Withdrawals.PAUSE);
    assertThat(told(THIRD)).hasSizeGreaterThan(sends);
    node.withdrawn(THIRD);

    assertThat(untold(group)).isEmpty();
    assertThat(stored(group).notMade()).contains(REASON);
    assertThat(told(SECOND)).hasSize(1);
    timers.pass(Withdrawals.PAUSE);
    assertThat(timers.count()).isZero();
  }

  /** It may have been away for long, and many groups may have ended meanwhile. */
  @Test
  void aNodeIsToldOfOneGroupAfterTheOther() {
    var first = ended(SECOND);
    var second = ended(SECOND);
    withdrawals.begin(first);
    withdrawals.begin(second);
    assertThat(told(SECOND)).extracting(GroupWithdrawal::group).containsExactly(first.id());

    node.withdrawn(SECOND);

    assertThat(told(SECOND))
        .extracting(GroupWithdrawal::group)
        .containsExactly(first.id(), second.id());
    node.withdrawn(SECOND);
    assertThat(untold(first)).isEmpty();
    assertThat(untold(second)).isEmpty();
  }

  @Test
  void whoIsNotReachedIsLeftAloneForAPause() {
    withdrawals.begin(ended(SECOND));
    timers.pass(GIVEN_UP);
    int sends = told(SECOND).size();

    withdrawals.begin(ended(SECOND));
    assertThat(told(SECOND)).hasSize(sends);
    withdrawals.begin(ended(THIRD));
    assertThat(told(THIRD)).as("no affair of the other").hasSize(1);

    timers.pass(Withdrawals.PAUSE.minusMillis(1));
    assertThat(told(SECOND)).hasSize(sends);
    timers.pass(Duration.ofMillis(1));
    assertThat(told(SECOND)).hasSize(sends + 1);
  }

  @Test
  void toBeginAgainTellsNobodyTwice() {
    var group = ended(SECOND);

    withdrawals.begin(group);
    withdrawals.begin(group);
    assertThat(told(SECOND)).hasSize(1);
    node.withdrawn(SECOND);

    assertThat(told(SECOND)).hasSize(1);
    withdrawals.begin(stored(group));
    assertThat(told(SECOND)).as("nobody is untold").hasSize(1);
  }

  @Test
  void anAnswerOfAnotherNodeCountsForNothing() {
    var group = ended(SECOND);
    withdrawals.begin(group);

    node.withdrawn(THIRD, told(SECOND).getLast());

    assertThat(untold(group)).containsExactly(SECOND);
  }

  @Test
  void whoDoesNotAnswerForThirtyDaysIsToldNoMore() {
    var group = ended(SECOND);
    withdrawals.begin(group);
    timers.pass(GIVEN_UP);
    int sends = told(SECOND).size();

    node.ports.advance(Withdrawal.TOLD_FOR);
    timers.pass(Withdrawals.PAUSE);

    assertThat(told(SECOND)).hasSize(sends);
    assertThat(untold(group)).as("after a restart neither").isEmpty();
    assertThat(timers.count()).isZero();
  }

  @Test
  void whatIsTooMuchAtATimeWaitsInTheStore() {
    for (int i = 0; i < Withdrawals.MOST; i++) {
      withdrawals.begin(ended(SECOND));
    }
    var more = ended(THIRD);

    withdrawals.begin(more);

    assertThat(told(THIRD)).isEmpty();
    assertThat(untold(more)).containsExactly(THIRD);
  }

  private StoredGroup ended(NodeName... untold) {
    var group =
        StoredGroup.of(node.any.next(GroupId.class), Instant.EPOCH)
            .withGenesisTransaction(Optional.of(node.any.next(TransactionId.class)))
            .withNotMade(Optional.of(REASON))
            .withWithdrawal(Optional.of(new Withdrawal(node.services.now(), List.of(untold))));
    store.putGroup(group);
    return group;
  }

  private StoredGroup stored(StoredGroup group) {
    return store.group(group.id()).toCompletableFuture().join().orElseThrow();
  }

  private List<NodeName> untold(StoredGroup group) {
    return stored(group).withdrawal().orElseThrow().untold();
  }

  private List<GroupWithdrawal> told(NodeName whom) {
    return node.ports.envelopes().stream()
        .filter(sent -> sent.to().equals(whom))
        .map(sent -> (GroupWithdrawal) sent.payload())
        .toList();
  }
}
