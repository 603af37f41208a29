package dev.sequitur.protocol.founding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.founding.Withdrawals.Effect;
import dev.sequitur.protocol.founding.Withdrawals.Input;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.NodeStore.Withdrawal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How members' nodes are told that a group is never made (SEL-9). */
final class WithdrawalsTest {
  private static final String REASON = "Nobody takes part.";
  private static final NodeName SECOND = new NodeName("node2");
  private static final NodeName THIRD = new NodeName("node3");

  private final Host<Input, Withdrawals.State, Void, Effect> host = life("first-");
  private final Map<GroupId, StoredGroup> store = new HashMap<>();
  private final List<Outgoing> sent = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private Instant now = Instant.EPOCH;
  private long groups;

  private static Host<Input, Withdrawals.State, Void, Effect> life(String incarnation) {
    var machine = new Withdrawals(incarnation).machine();
    return new Host<>(machine, machine.initial());
  }

  private void tell(Input input) {
    var folded = host.fold(List.of(input), now);
    sent.addAll(folded.messages());
    effects.addAll(folded.effects());
    for (var effect : folded.effects()) {
      if (effect instanceof Effect.Store(var untold)) {
        store.merge(untold.id(), untold, StoredGroup::joined);
      }
    }
  }

  private void pass(Duration time) {
    var end = now.plus(time);
    while (now.plus(Questions.RESEND).compareTo(end) <= 0) {
      now = now.plus(Questions.RESEND);
      tell(new Input.Tick());
    }
    now = end;
  }

  private StoredGroup ended(NodeName... untold) {
    var group =
        StoredGroup.of(new GroupId(new Hash(++groups, 0, 0, 0)), Instant.EPOCH)
            .withNotMade(Optional.of(REASON))
            .withWithdrawal(Optional.of(new Withdrawal(now, List.of(untold))));
    store.put(group.id(), group);
    return group;
  }

  private void begin(StoredGroup group) {
    tell(new Input.Ended(group));
  }

  private List<NodeName> untold(StoredGroup group) {
    return store.get(group.id()).withdrawal().orElseThrow().untold();
  }

  private List<GroupWithdrawal> told(NodeName whom) {
    return sent.stream()
        .filter(each -> each.to().equals(whom))
        .map(each -> (GroupWithdrawal) each.message())
        .toList();
  }

  private void acknowledge(NodeName node) {
    tell(new Input.Acknowledged(node, told(node).getLast().requestId()));
  }

  @Test
  void eachNodeIsToldUntilItHasAcknowledged() {
    var group = ended(SECOND, THIRD);

    begin(group);

    assertThat(told(SECOND)).extracting(GroupWithdrawal::group).containsExactly(group.id());
    assertThat(told(SECOND)).extracting(GroupWithdrawal::reason).containsExactly(REASON);
    assertThat(told(THIRD)).hasSize(1);
    acknowledge(SECOND);
    assertThat(untold(group)).containsExactly(THIRD);

    pass(Questions.GIVEN_UP);
    assertThat(told(THIRD)).as("each half a second").hasSize(20);
    assertThat(effects).contains(new Effect.Unanswered(THIRD));
    pass(Withdrawals.PAUSE);
    assertThat(told(THIRD)).hasSize(21);
    acknowledge(THIRD);

    assertThat(untold(group)).isEmpty();
    assertThat(store.get(group.id()).notMade()).contains(REASON);
    assertThat(told(SECOND)).hasSize(1);
    assertThat(host.state().isEmpty()).isTrue();
  }

  /** It may have been away for long, and many groups may have ended meanwhile. */
  @Test
  void aNodeIsToldOfOneGroupAfterTheOther() {
    var first = ended(SECOND);
    var second = ended(SECOND);
    begin(first);
    begin(second);
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
    begin(ended(SECOND));
    pass(Questions.GIVEN_UP);
    int sends = told(SECOND).size();

    begin(ended(SECOND));
    assertThat(told(SECOND)).hasSize(sends);
    begin(ended(THIRD));
    assertThat(told(THIRD)).as("no affair of the other").hasSize(1);

    pass(Withdrawals.PAUSE.minusMillis(1));
    assertThat(told(SECOND)).hasSize(sends);
    now = now.plusMillis(1);
    tell(new Input.Tick());
    assertThat(told(SECOND)).hasSize(sends + 1);
  }

  @Test
  void toBeginAgainTellsNobodyTwice() {
    var group = ended(SECOND);

    begin(group);
    begin(group);
    assertThat(told(SECOND)).hasSize(1);
    acknowledge(SECOND);

    assertThat(told(SECOND)).hasSize(1);
    begin(store.get(group.id()));
    assertThat(told(SECOND)).as("nobody is untold").hasSize(1);
  }

  @Test
  void anAnswerOfAnotherNodeCountsForNothing() {
    var group = ended(SECOND, THIRD);
    begin(group);

    tell(new Input.Acknowledged(THIRD, told(SECOND).getLast().requestId()));

    assertThat(untold(group)).containsExactly(SECOND, THIRD);
  }

  @Test
  void anAnswerThatComesTwiceCountsOnce() {
    var first = ended(SECOND);
    var second = ended(SECOND);
    begin(first);
    begin(second);
    var answer = new Input.Acknowledged(SECOND, told(SECOND).getLast().requestId());

    tell(answer);
    tell(answer);

    assertThat(untold(second)).containsExactly(SECOND);
  }

  /** It was answered when it was given up just before: the same question is asked once more. */
  @Test
  void whoAnswersTooLateIsAskedAgainAfterThePause() {
    var group = ended(SECOND);
    begin(group);
    var late = new Input.Acknowledged(SECOND, told(SECOND).getLast().requestId());
    pass(Questions.GIVEN_UP);

    tell(late);

    assertThat(untold(group)).containsExactly(SECOND);
    pass(Withdrawals.PAUSE);
    acknowledge(SECOND);
    assertThat(untold(group)).isEmpty();
  }

  @Test
  void whoDoesNotAnswerForThirtyDaysIsToldNoMore() {
    var group = ended(SECOND);
    begin(group);
    pass(Questions.GIVEN_UP);
    int sends = told(SECOND).size();

    now = now.plus(Withdrawal.TOLD_FOR);
    tell(new Input.Tick());

    assertThat(told(SECOND)).hasSize(sends);
    assertThat(untold(group)).as("after a restart neither").isEmpty();
    assertThat(effects).contains(new Effect.Late(SECOND, group.id()));
    assertThat(host.state().isEmpty()).isTrue();
  }

  @Test
  void whatAStartFindsThatIsTooOldIsToldToNobody() {
    var group = ended(SECOND);
    now = now.plus(Withdrawal.TOLD_FOR);

    begin(group);

    assertThat(sent).isEmpty();
    assertThat(untold(group)).isEmpty();
    assertThat(host.state().isEmpty()).isTrue();
  }

  /** Else its answer would count for the next one, of which it was never told. */
  @Test
  void whatIsBeingToldIsNotTooOldBeforeItsLineGoesOn() {
    var first = ended(SECOND);
    now = now.plus(Withdrawal.TOLD_FOR).minusSeconds(1);
    begin(first);
    var second = ended(SECOND);
    now = now.plusSeconds(1);

    begin(second);
    acknowledge(SECOND);

    assertThat(untold(first)).isEmpty();
    assertThat(untold(second)).containsExactly(SECOND);
    assertThat(told(SECOND).getLast().group()).isEqualTo(second.id());
    assertThat(effects).doesNotContain(new Effect.Late(SECOND, first.id()));
  }

  @Test
  void whoseQuestionIsOpenMayAnswerThoughAllHasBecomeTooOld() {
    var first = ended(SECOND);
    var second = ended(SECOND);
    now = now.plus(Withdrawal.TOLD_FOR).minusSeconds(1);
    begin(first);
    now = now.plusSeconds(1);

    begin(second);
    acknowledge(SECOND);

    assertThat(untold(first)).isEmpty();
    assertThat(untold(second)).isEmpty();
    assertThat(host.state().isEmpty()).isTrue();
  }

  @Test
  void whatIsTooMuchAtATimeWaitsInTheStore() {
    for (int i = 0; i < Withdrawals.MOST; i++) {
      begin(ended(SECOND));
    }
    var more = ended(THIRD);

    begin(more);

    assertThat(told(THIRD)).isEmpty();
    assertThat(untold(more)).containsExactly(THIRD);
  }

  /** Its answer could be taken for one to another question. */
  @Test
  void noTwoLivesAskUnderOneId() {
    begin(ended(SECOND));
    var other = life("second-");

    var again = other.fold(List.of(new Input.Ended(ended(SECOND))), now).messages();

    assertThat(((GroupWithdrawal) again.getFirst().message()).requestId())
        .isNotEqualTo(told(SECOND).getFirst().requestId());
  }
}
