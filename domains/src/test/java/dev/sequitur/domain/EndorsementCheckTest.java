package dev.sequitur.domain;

import static dev.sequitur.domain.GroupFixture.ALICE;
import static dev.sequitur.domain.GroupFixture.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.distribution.StateStore;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.selection.SelectionPolicy;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is refused of a request whatever its domain is, each by itself. */
class EndorsementCheckTest {
  private static final int MOST = 64;

  private final GroupFixture group = new GroupFixture(new TokenDomain());
  private Tampering request;

  @BeforeEach
  void mint() {
    var transaction = group.transaction(ALICE, "mint", "{'to':'alice@node1','amount':'1'}");
    request = new Tampering(group.request(BOB, transaction, group.assembled(transaction)));
  }

  @Test
  void anotherDomainThanThatOfTheGroupRefusesIt() {
    var asked = request.request();
    var item = asked.items().getFirst();

    assertThatCode(() -> EndorsementCheck.checkEnvelope(group.group(), "token", asked, item))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> EndorsementCheck.checkEnvelope(group.group(), "record", asked, item))
        .isInstanceOf(RuleViolation.class)
        .hasMessageContaining("domain");
  }

  @Test
  void soManyStatesAndNoMoreWhereverTheyStand() {
    request.inputs = states(0, 20);
    request.reads = states(20, 40);
    request.outputs = states(40, MOST);
    assertThatCode(this::check).doesNotThrowAnyException();

    request.outputs = states(40, MOST + 1);
    assertThatThrownBy(this::check)
        .isInstanceOf(RuleViolation.class)
        .hasMessageContaining("more than 64");
  }

  @Test
  void aStateStandsInOnePlaceOnly() {
    request.reads = states(0, 1);
    request.outputs = states(0, 1);

    assertThatThrownBy(this::check)
        .isInstanceOf(RuleViolation.class)
        .hasMessageContaining("stands twice");
  }

  @Test
  void whatIsOnlyReadIsForTheWholeCommitteeAndGenuineToo() {
    var read = states(0, 1).getFirst();
    request.reads =
        List.of(
            new PrivateState(
                read.id(),
                read.contract(),
                read.schema(),
                read.lookup(),
                read.data(),
                read.distribution().subList(0, 1)));
    assertThatThrownBy(this::check)
        .isInstanceOf(RuleViolation.class)
        .hasMessageContaining("whole committee");

    request.reads =
        List.of(
            new PrivateState(
                read.id(),
                read.contract(),
                read.schema(),
                "another",
                read.data(),
                read.distribution()));
    assertThatThrownBy(this::check)
        .isInstanceOf(RuleViolation.class)
        .hasMessageContaining("not that of its content");
  }

  /** What is made has those on its list who are members then. */
  @Test
  void whatWasMadeBeforeTheCommitteeChangedIsTakenAndReadAndNotMade() {
    var changed = group.left(ALICE, BOB);
    request.inputs = states(0, 1);
    request.reads = states(1, 2);
    request.outputs = List.of();
    assertThatCode(() -> check(changed)).doesNotThrowAnyException();

    request.outputs = states(2, 3);

    assertThatThrownBy(() -> check(changed))
        .isInstanceOf(RuleViolation.class)
        .hasMessageContaining("whole committee");
  }

  /** A node's state store goes on when the committee changes. */
  @Test
  void aNodeHoldsWhatTheNextCommitteeMakes() {
    var changed = group.left(ALICE, BOB);
    var selection = new CoordinatorSelection(group.group(), SelectionPolicy.DEFAULT);
    var store = StateStore.of(selection, group.domain(), BOB.node(), SequencerSettings.DEFAULT);
    var made = StateContent.seal(changed, "coin", "alice@node1", CanonicalJson.object());
    assertThat(store.mayHold(made)).isFalse();

    selection.follow(changed);

    assertThat(store.mayHold(made)).isTrue();
  }

  private void check() {
    check(group.group());
  }

  private void check(PrivacyGroup of) {
    EndorsementCheck.checkStates(of, request.request().items().getFirst());
  }

  private List<PrivateState> states(int from, int to) {
    return new ArrayList<>(
        IntStream.range(from, to)
            .mapToObj(
                number ->
                    StateContent.seal(
                        group.group(),
                        "coin",
                        "alice@node1",
                        CanonicalJson.object().put("number", number)))
            .toList());
  }
}
