package dev.sequitur.sequencer.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.persistence.store.InMemoryNodeStore;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.NodeStore.Withdrawal;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.ScriptedPorts;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How members' nodes are told that a group is never made (SEL-9). */
class WithdrawalsTest {
  private static final NodeName SELF = new NodeName("node1");
  private static final NodeName SECOND = new NodeName("node2");
  private static final NodeName THIRD = new NodeName("node3");
  private static final Duration GIVEN_UP = Duration.ofSeconds(10);
  private static final String REASON = "Nobody takes part.";

  private final Arbitrary any = new Arbitrary(29);
  private final ScriptedPorts ports = new ScriptedPorts();
  private final ManualTimers timers = new ManualTimers();
  private final InMemoryNodeStore store = new InMemoryNodeStore();
  private final NodeServices services = services();
  private final GenesisDistribution distribution =
      new GenesisDistribution(
          services, new NodeQuestions(SELF, services.outbox(), envelope -> {}, timers));
  private final Withdrawals withdrawals = new Withdrawals(services, distribution, timers);

  @Test
  void eachNodeIsToldUntilItHasAcknowledged() {
    var group = ended(SECOND, THIRD);

    withdrawals.begin(group);

    assertThat(told(SECOND)).extracting(GroupWithdrawal::group).containsExactly(group.id());
    assertThat(told(SECOND)).extracting(GroupWithdrawal::reason).containsExactly(REASON);
    assertThat(told(THIRD)).hasSize(1);
    acknowledge(SECOND);
    assertThat(untold(group)).containsExactly(THIRD);

    timers.pass(GIVEN_UP);
    int sends = told(THIRD).size();
    timers.pass(Withdrawals.PAUSE);
    assertThat(told(THIRD)).hasSizeGreaterThan(sends);
    acknowledge(THIRD);

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

    acknowledge(SECOND);

    assertThat(told(SECOND))
        .extracting(GroupWithdrawal::group)
        .containsExactly(first.id(), second.id());
    acknowledge(SECOND);
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
    acknowledge(SECOND);

    assertThat(told(SECOND)).hasSize(1);
    withdrawals.begin(stored(group));
    assertThat(told(SECOND)).as("nobody is untold").hasSize(1);
  }

  @Test
  void anAnswerOfAnotherNodeCountsForNothing() {
    var group = ended(SECOND);
    withdrawals.begin(group);

    acknowledge(THIRD, told(SECOND).getLast());

    assertThat(untold(group)).containsExactly(SECOND);
  }

  @Test
  void whoDoesNotAnswerForThirtyDaysIsToldNoMore() {
    var group = ended(SECOND);
    withdrawals.begin(group);
    timers.pass(GIVEN_UP);
    int sends = told(SECOND).size();

    ports.advance(Withdrawal.TOLD_FOR);
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

  private NodeServices services() {
    var setup = ports.setup(0);
    var given = setup.ports();
    return ActorFixture.withoutEntities(
        new NodeSetup(
            setup.self(),
            new NodeSetup.Ports(
                given.transport(), given.ledger(), store, given.keys(), given.signatures()),
            setup.domains(),
            setup.rules(),
            setup.trace(),
            setup.registry(),
            setup.clock()));
  }

  private StoredGroup ended(NodeName... untold) {
    var group =
        StoredGroup.of(any.next(GroupId.class), Instant.EPOCH)
            .withGenesisTransaction(Optional.of(any.next(TransactionId.class)))
            .withNotMade(Optional.of(REASON))
            .withWithdrawal(Optional.of(new Withdrawal(services.now(), List.of(untold))));
    store.putGroup(group);
    return group;
  }

  private StoredGroup stored(StoredGroup group) {
    return store.group(group.id()).toCompletableFuture().join().orElseThrow();
  }

  private List<NodeName> untold(StoredGroup group) {
    return stored(group).withdrawal().orElseThrow().untold();
  }

  private List<GroupWithdrawal> told(NodeName node) {
    return ports.envelopes().stream()
        .filter(sent -> sent.to().equals(node))
        .map(sent -> (GroupWithdrawal) sent.payload())
        .toList();
  }

  private void acknowledge(NodeName node) {
    acknowledge(node, told(node).getLast());
  }

  private void acknowledge(NodeName from, GroupWithdrawal told) {
    var answer = new GroupWithdrawalAcknowledgement(told.requestId(), told.group());
    distribution.receive(
        new Envelope(
            ProtocolVersion.CURRENT,
            any.next(MessageId.class),
            Optional.empty(),
            from,
            SELF,
            List.of(),
            answer),
        answer);
  }
}
