package dev.sequitur.protocol.founding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.errand.ChangingNode;
import dev.sequitur.protocol.founding.Changing.Next;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.ChangeStore.AgreedChange;
import dev.sequitur.protocol.port.ChangeStore.Phase;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.table.TransitionTable.Kind;
import dev.sequitur.protocol.transaction.Signature;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a node agrees to, and what it does about it then (AGR-1 to AGR-7). */
final class ChangingTest {
  private static final BlockHeight NOW = new BlockHeight(10);
  private static final Member ALICE = ChangingNode.member("alice@a", 1);
  private static final Member BOB = ChangingNode.member("bob@b", 2);
  private static final Member CAROL = ChangingNode.member("carol@c", 3);
  private static final Member BOB_ANEW = ChangingNode.member("bob@b", 4);
  private static final Member DAVE = ChangingNode.member("dave@d", 5);

  /** All must endorse, and two of three sign changes. */
  private static final PrivacyGroup GROUP =
      ChangingNode.group(new Quorum(new Committee(List.of(ALICE, BOB, CAROL)), 3, 2));

  private static final CommitteeChange NEW_KEY = change(1, ALICE, BOB_ANEW, CAROL);

  private static CommitteeChange change(int number, Member... members) {
    return new CommitteeChange(
        number,
        new Quorum(new Committee(List.of(members)), members.length, Math.min(2, members.length)),
        block(100));
  }

  private static BlockHeight block(long number) {
    return new BlockHeight(number);
  }

  private static Changing node(String name, Member... held) {
    return ChangingNode.rules(new NodeName(name), Set.of(held));
  }

  private static Optional<String> refused(Changing node, CommitteeChange change) {
    return node.refusal(GROUP.contract(), Optional.of(GROUP), change, NOW)
        .map(RefusedIntent::getMessage);
  }

  private static AgreedChange agreed(Phase phase, CommitteeChange change, Member... signers) {
    return AgreedChange.of(GROUP.contract(), change, Instant.EPOCH, "operator", phase)
        .plus(List.of(signers).stream().map(ChangingTest::signature).toList());
  }

  private static Signature signature(Member member) {
    return new Signature(member.identity(), member.verifier(), Bytes.utf8("signed"));
  }

  private static Next next(Changing node, AgreedChange agreed) {
    return node.next(agreed, Optional.of(GROUP), NOW, 0);
  }

  private static AgreedChange become(Next next) {
    return ((Next.Become) next).now();
  }

  @Test
  void aChangeThatFollowsIsAgreedToByWhoCanSignIt() {
    assertThat(refused(node("a", ALICE), NEW_KEY)).isEmpty();
    assertThat(refused(node("b", BOB_ANEW), NEW_KEY)).as("it has lost the other").isEmpty();
    assertThat(refused(node("d", DAVE), change(1, ALICE, BOB, CAROL, DAVE))).isEmpty();
    assertThat(refused(node("b", BOB), change(1, ALICE, CAROL))).as("it leaves").isEmpty();
  }

  @Test
  void whatCanNeverComeIntoForceIsRefusedWithItsReason() {
    var alice = node("a", ALICE);
    assertThat(refused(alice, change(2, ALICE, BOB_ANEW, CAROL)).orElseThrow())
        .contains("not that of the group's next change", "has number 0");
    assertThat(refused(alice, change(1, DAVE)).orElseThrow()).contains("was there before");
    assertThat(refused(alice, new CommitteeChange(1, NEW_KEY.quorum(), NOW)).orElseThrow())
        .contains("Block 10 has passed");
    assertThat(
            refused(alice, change(1, ALICE, ChangingNode.member("eve@nowhere", 7))).orElseThrow())
        .contains("eve@nowhere is on a node that this one does not know");
  }

  @Test
  void aNodeAgreesToNoKeyOfItsOwnThatItDoesNotHold() {
    assertThat(refused(node("b", BOB), NEW_KEY).orElseThrow())
        .contains("names a key of member bob@b that its node does not hold");
    assertThat(refused(node("b"), change(1, ALICE, CAROL)).orElseThrow())
        .contains("holds no key that could sign");
    assertThat(
            refused(node("a", ALICE), change(1, ALICE, ChangingNode.member("deployer.x@a", 9)))
                .orElseThrow())
        .contains("called like a key of its node's own");
  }

  @Test
  void aNodeOfNeitherCommitteeAgreesToNothing() {
    var none = node("d", DAVE).refusal(GROUP.contract(), Optional.empty(), NEW_KEY, NOW);

    assertThat(none.orElseThrow().code()).isEqualTo("SQ020001");
  }

  @Test
  void ofASecondChangeThatIsOpenTheOperatorIsToldWhatToDo() {
    var open = agreed(Phase.GATHERING, NEW_KEY);

    assertThat(Changing.refusal(open, NEW_KEY)).as("the same again").isEmpty();
    assertThat(Changing.refusal(open, change(1, ALICE, CAROL)).orElseThrow().getMessage())
        .contains("withdraw that one first");
  }

  @Test
  void aNodeSignsWithWhatItHoldsOfBeforeAndWithAllThatIsNew() {
    assertThat(next(node("a", ALICE), agreed(Phase.SIGNING, NEW_KEY)))
        .isEqualTo(new Next.Sign(List.of(ALICE)));
    assertThat(next(node("b", BOB_ANEW), agreed(Phase.SIGNING, NEW_KEY)))
        .isEqualTo(new Next.Sign(List.of(BOB_ANEW)));
    assertThat(next(node("b", BOB, BOB_ANEW), agreed(Phase.SIGNING, NEW_KEY)))
        .isEqualTo(new Next.Sign(List.of(BOB, BOB_ANEW)));

    var signed = Changing.signed(agreed(Phase.SIGNING, NEW_KEY), List.of(signature(ALICE)));
    assertThat(signed.phase()).isEqualTo(Phase.GATHERING);
    assertThat(signed.signers()).containsExactly(ALICE);
  }

  @Test
  void theNodesOfBothCommitteesAreToldUntilEnoughHaveSignedAndAllNewKeys() {
    var alice = node("a", ALICE);
    var joining = change(1, ALICE, BOB, CAROL, DAVE);

    assertThat(next(alice, agreed(Phase.GATHERING, joining, ALICE, BOB)))
        .as("the new key has not signed")
        .isEqualTo(new Next.Tell(Set.of(new NodeName("b"), new NodeName("c"), new NodeName("d"))));
    assertThat(next(alice, agreed(Phase.GATHERING, joining, ALICE, DAVE)))
        .as("too few of before")
        .isInstanceOf(Next.Tell.class);
    assertThat(become(next(alice, agreed(Phase.GATHERING, joining, ALICE, BOB, DAVE))).phase())
        .isEqualTo(Phase.GIVING);
  }

  @Test
  void theyGiveItToTheLedgerOneAfterTheOther() {
    var giving = agreed(Phase.GIVING, NEW_KEY, ALICE, BOB_ANEW, CAROL);

    assertThat(next(node("a", ALICE), giving)).isEqualTo(new Next.Give());
    assertThat(next(node("b", BOB_ANEW), giving)).isEqualTo(new Next.Wait());
    assertThat(node("b", BOB_ANEW).next(giving, Optional.of(GROUP), NOW, Changing.PATIENCE))
        .isEqualTo(new Next.Give());
  }

  /** Its call names places in the committee of before, which who is new cannot look up (AGR-9). */
  @Test
  void whereTheLedgerHasOnlyAHashWhoIsNewGivesNothingAndNobodyWaitsForIt() {
    var giving =
        agreed(Phase.GIVING, change(1, DAVE, BOB, CAROL), DAVE, BOB, CAROL)
            .withRead(Optional.of(GROUP));
    var early = ChangingNode.member("eve@a", 8);
    var withEarly = agreed(Phase.GIVING, change(1, early, BOB, CAROL), early, BOB, CAROL);
    var group = ChangingNode.group(new Quorum(new Committee(List.of(BOB, CAROL)), 2, 2));
    for (var tellsGenesis : List.of(true, false)) {
      var dave = ChangingNode.rules(new NodeName("d"), Set.of(DAVE), tellsGenesis);
      var bob = ChangingNode.rules(new NodeName("b"), Set.of(BOB), tellsGenesis);

      assertThat(dave.next(giving, Optional.empty(), NOW, 99))
          .isEqualTo(tellsGenesis ? new Next.Give() : new Next.Hold());
      assertThat(bob.next(withEarly, Optional.of(group), NOW, 0))
          .isEqualTo(tellsGenesis ? new Next.Wait() : new Next.Give());
    }
  }

  /** How a change ends (AGR-5). */
  @Test
  void whatStandsOnTheLedgerIsInForceWhoeverHasGivenIt() {
    var changed = GROUP.changed(NEW_KEY, block(9));
    for (var phase : List.of(Phase.SIGNING, Phase.GATHERING, Phase.GIVING)) {
      var now = node("a", ALICE).next(agreed(phase, NEW_KEY), changed, NOW, 0);
      assertThat(become(now).phase()).isEqualTo(Phase.IN_FORCE);
    }
  }

  /** The group after a first change. */
  private static PrivacyGroup changed(long block, long until) {
    var first = new CommitteeChange(1, NEW_KEY.quorum(), block(until));
    return GROUP.changed(first, block(block)).orElseThrow();
  }

  /** Ranges have 10 blocks. */
  @ParameterizedTest(name = "a change in block {0} with its last block {1}: {2}")
  @CsvSource({
    "9,100,20",
    "10,100,30",
    "19,100,30",
    "20,100,40",
    "9,12,13",
    "9,9,10",
    "9,19,20",
    "9,20,20"
  })
  void theNextChangeWaitsUntilTheCommitteeBeforeTheLastOneHasRunItsCourse(
      long changed, long until, long first) {
    var alice = node("a", ALICE);
    var group = Optional.of(changed(changed, until));
    var second = agreed(Phase.GIVING, change(2, ALICE, CAROL), ALICE, CAROL);

    assertThat(alice.notBefore(group.orElseThrow())).contains(block(first));
    assertThat(alice.next(second, group, block(first - 1), 0)).isEqualTo(new Next.Give());
    assertThat(alice.notBefore(GROUP)).isEmpty();
  }

  @Test
  void whoWaitsForTheChangeBeforeItSaysUpToWhichBlock() {
    var alice = node("a", ALICE);
    var group = Optional.of(changed(9, 100));
    var second = agreed(Phase.GIVING, change(2, ALICE, CAROL), ALICE, CAROL);

    var noted = become(alice.next(second, group, block(18), 0));

    assertThat(noted.phase()).isEqualTo(Phase.GIVING);
    assertThat(noted.note().orElseThrow()).contains("from block 20 on");
    assertThat(alice.next(noted, group, block(18), 99)).isEqualTo(new Next.Hold());
    assertThat(alice.next(noted, group, block(19), 0)).isEqualTo(new Next.Give());
    assertThat(alice.next(agreed(Phase.GATHERING, second.change(), ALICE), group, block(10), 0))
        .as("it is signed meanwhile")
        .isInstanceOf(Next.Tell.class);
  }

  @Test
  void aNextChangeWhoseLastBlockComesTooSoonIsRefused() {
    var group = Optional.of(changed(9, 100));
    var members = change(2, ALICE, CAROL).quorum();
    for (long until : List.of(19L, 20L)) {
      var change = new CommitteeChange(2, members, block(until));

      var refused = node("a", ALICE).refusal(GROUP.contract(), group, change, NOW);

      assertThat(refused.isPresent()).isEqualTo(until < 20);
      refused.ifPresent(it -> assertThat(it.getMessage()).contains("from block 20 on", "than 19"));
    }
    var joining = change(2, ALICE, CAROL, DAVE);
    var soon = new CommitteeChange(2, joining.quorum(), block(19));
    assertThat(node("d", DAVE).read(agreed(Phase.READING, soon), group).note().orElseThrow())
        .contains("from block 20 on");
  }

  /** How a change ends (AGR-5). */
  @Test
  void itIsOverIfAnotherOneTookItsNumberOrItsTimeHasPassed() {
    var other = GROUP.changed(change(1, ALICE, CAROL), block(9));
    var alice = node("a", ALICE);
    var agreed = agreed(Phase.GATHERING, NEW_KEY);

    assertThat(become(alice.next(agreed, other, NOW, 0)).phase()).isEqualTo(Phase.OVER);
    assertThat(become(alice.next(agreed, other, NOW, 0)).note().orElseThrow())
        .contains("Another change has taken the number 1");
    assertThat(alice.next(agreed, Optional.of(GROUP), block(100), 0))
        .as("the last block may have it")
        .isInstanceOf(Next.Tell.class);
    assertThat(become(alice.next(agreed, Optional.of(GROUP), block(101), 0)).note().orElseThrow())
        .contains("No block up to 100 has it");
    var reading = agreed(Phase.READING, NEW_KEY);
    assertThat(alice.next(reading, Optional.empty(), block(101), 0))
        .as("the ledger may have it")
        .isEqualTo(new Next.Read());
    var read = alice.read(reading, Optional.of(GROUP));
    assertThat(become(alice.next(read, Optional.empty(), block(101), 0)).phase())
        .isEqualTo(Phase.OVER);
  }

  @Test
  void theOperatorTakesBackWhatIsNotGivenYet() {
    for (var phase : List.of(Phase.READING, Phase.SIGNING, Phase.GATHERING)) {
      assertThat(Changing.withdrawn(agreed(phase, NEW_KEY)).orElseThrow().phase())
          .isEqualTo(Phase.WITHDRAWN);
    }
    assertThat(Changing.withdrawn(agreed(Phase.GIVING, NEW_KEY))).isEmpty();
    assertThat(Changing.withdrawn(agreed(Phase.IN_FORCE, NEW_KEY))).isEmpty();
  }

  @Test
  void whatOthersSayCountsIfItIsValidAndOfSomebodyWhoMatters() {
    var here = agreed(Phase.GATHERING, NEW_KEY, ALICE);
    var given = List.of(signature(BOB_ANEW), signature(DAVE), signature(CAROL), signature(ALICE));

    var told =
        Changing.told(
            here,
            GROUP.committee(),
            given,
            signature -> !signature.party().equals(CAROL.identity()));

    assertThat(told.signers()).containsExactlyInAnyOrder(ALICE, BOB_ANEW);
    assertThat(Changing.knowsMore(told, List.of(signature(ALICE)))).isTrue();
    assertThat(Changing.knowsMore(told, told.signatures())).isFalse();
  }

  /** A member may have signed more than once: what counts is who has signed (AGR-3). */
  @Test
  void anotherSignatureOfAMemberThatHasSignedIsNothingNew() {
    var here = agreed(Phase.GATHERING, NEW_KEY, ALICE);
    var anew = new Signature(ALICE.identity(), ALICE.verifier(), Bytes.utf8("signed again"));

    var told = Changing.told(here, GROUP.committee(), List.of(anew), signature -> true);

    assertThat(told).isEqualTo(here);
    assertThat(Changing.knowsMore(told, List.of(anew))).isFalse();
    assertThat(Changing.knowsMore(told, List.of(signature(CAROL)))).isTrue();
  }

  @Test
  void ofEachMemberOneSignatureIsLookedAtAndKept() {
    var here = agreed(Phase.GATHERING, NEW_KEY, ALICE);
    var again = new Signature(CAROL.identity(), CAROL.verifier(), Bytes.utf8("signed again"));
    var twice = List.of(signature(CAROL), again, signature(CAROL), signature(BOB_ANEW));
    var lookedAt = new ArrayList<Signature>();

    var told = Changing.told(here, GROUP.committee(), twice, lookedAt::add);

    assertThat(told.signatures())
        .containsExactly(signature(ALICE), signature(CAROL), signature(BOB_ANEW));
    assertThat(lookedAt).containsExactly(signature(CAROL), signature(BOB_ANEW));
    assertThat(here.plus(twice).signatures())
        .containsExactly(signature(ALICE), signature(CAROL), signature(BOB_ANEW));
  }

  @Test
  void whoIsNewReadsTheGroupBeforeItSigns() {
    var joining = change(1, ALICE, BOB, CAROL, DAVE);
    var dave = node("d", DAVE);
    var reading = agreed(Phase.READING, joining);

    assertThat(dave.next(reading, Optional.empty(), NOW, 0)).isEqualTo(new Next.Read());
    var read = dave.read(reading, Optional.of(GROUP));
    assertThat(read.phase()).isEqualTo(Phase.SIGNING);
    assertThat(dave.next(read, Optional.empty(), NOW, 0)).isEqualTo(new Next.Sign(List.of(DAVE)));
    assertThat(dave.read(reading, Optional.empty()).note().orElseThrow())
        .contains("no group of this contract");
    assertThat(dave.read(agreed(Phase.READING, change(3, ALICE, DAVE)), Optional.of(GROUP)).phase())
        .isEqualTo(Phase.OVER);
    assertThat(node("d").read(reading, Optional.of(GROUP)).note().orElseThrow())
        .contains("does not hold");
    var elsewhere = ChangingNode.group("unknown", GROUP.committees().newest());
    assertThat(dave.read(reading, Optional.of(elsewhere)).note().orElseThrow())
        .contains("no domain 'unknown'");
  }

  @Test
  void whoIsLetInIsInTheGroupOnceItHoldsWhatTheLedgerShows() {
    var joining = change(1, ALICE, BOB, CAROL, DAVE);
    var changed = GROUP.changed(joining, block(9));
    var dave = node("d", DAVE);
    for (var phase : List.of(Phase.READING, Phase.SIGNING, Phase.GATHERING, Phase.GIVING)) {
      var agreed = agreed(phase, joining).withRead(Optional.of(GROUP));
      var letIn = become(dave.next(agreed, changed, NOW, 0));
      assertThat(letIn.phase()).isEqualTo(Phase.JOINING);
      assertThat(dave.next(letIn, changed, NOW, 0)).isEqualTo(new Next.Join(false));
      assertThat(dave.next(letIn, Optional.empty(), NOW, 0))
          .as("its block is not done")
          .isEqualTo(new Next.Join(false));
      assertThat(Changing.joined(letIn).phase()).isEqualTo(Phase.IN_FORCE);
      assertThat(Changing.withdrawn(letIn)).isEmpty();
      assertThat(Changing.letIn(agreed, joining)).contains(GROUP);
      assertThat(Changing.letIn(agreed, NEW_KEY)).isEmpty();
    }
    assertThat(
            become(
                    node("a", ALICE)
                        .next(
                            agreed(Phase.READING, NEW_KEY),
                            GROUP.changed(NEW_KEY, block(9)),
                            NOW,
                            0))
                .phase())
        .isEqualTo(Phase.IN_FORCE);
    assertThat(Changing.letIn(agreed(Phase.OVER, joining).withRead(changed), joining)).isEmpty();
    assertThat(
            become(dave.next(agreed(Phase.SIGNING, joining), Optional.of(GROUP), block(101), 0))
                .phase())
        .isEqualTo(Phase.OVER);
    assertThat(
            become(dave.next(agreed(Phase.GIVING, joining), Optional.of(GROUP), block(101), 0))
                .phase())
        .isEqualTo(Phase.OVER);
  }

  /** It has been a member, and has lost its records (AGR-6). */
  @Test
  void whoComesBackIntoAGroupThatHasTheChangeTakesItAsTheLedgerShowsIt() {
    var joining = change(1, ALICE, BOB, CAROL, DAVE);
    var shown = GROUP.changed(joining, block(9)).orElseThrow();
    var later = shown.changed(change(2, ALICE, BOB_ANEW, CAROL, DAVE), block(40));
    var dave = node("d", DAVE);
    var reading = agreed(Phase.READING, joining);

    assertThat(dave.refusal(GROUP.contract(), Optional.empty(), joining, block(500))).isEmpty();
    assertThat(dave.next(reading, Optional.empty(), block(500), 0)).isEqualTo(new Next.Read());
    var read = dave.read(reading, later);
    assertThat(read.phase()).isEqualTo(Phase.JOINING);
    assertThat(read.signatures()).as("nothing is signed again").isEmpty();
    assertThat(dave.next(read, Optional.empty(), block(500), 0))
        .isEqualTo(new Next.Enter(later.orElseThrow()));
    assertThat(dave.next(read, later, block(500), 0)).isEqualTo(new Next.Join(true));
    assertThat(Changing.joined(read).phase()).isEqualTo(Phase.IN_FORCE);
    assertThat(Changing.withdrawn(read)).isEmpty();
  }

  @Test
  void whoIsNoMemberAnyMoreOrHasLostItsKeyTooDoesNotComeBack() {
    var joining = change(1, ALICE, BOB, CAROL, DAVE);
    var shown = GROUP.changed(joining, block(9));
    var gone = shown.orElseThrow().changed(change(2, ALICE, BOB, CAROL), block(40));
    var reading = agreed(Phase.READING, joining);

    assertThat(node("d", DAVE).read(reading, gone).note().orElseThrow())
        .contains("with change 2 no member of the group is on this node");
    assertThat(node("d").read(reading, shown).note().orElseThrow())
        .contains("does not hold the key that the group has of dave@d");
    var other = new CommitteeChange(1, joining.quorum(), block(99));
    assertThat(node("d", DAVE).read(agreed(Phase.READING, other), shown).phase())
        .as("another change")
        .isEqualTo(Phase.OVER);
    var elsewhere =
        ChangingNode.group("unknown", GROUP.committees().newest()).changed(joining, block(9));
    assertThat(node("d", DAVE).read(reading, elsewhere).note().orElseThrow())
        .contains("no domain 'unknown'");
  }

  /** What the ledger is given is the same each time (AGR-4). */
  @Test
  void toWhatIsGivenNoSignatureIsAdded() {
    var giving = agreed(Phase.GIVING, NEW_KEY, ALICE, BOB_ANEW);
    var more = List.of(signature(CAROL));

    assertThat(Changing.told(giving, GROUP.committee(), more, signature -> true)).isEqualTo(giving);
    for (var phase : List.of(Phase.GATHERING, Phase.GIVING)) {
      assertThat(giving.joined(agreed(phase, NEW_KEY, ALICE, CAROL)).signatures())
          .isEqualTo(giving.signatures());
    }
  }

  @Test
  void theLedgerIsNotGivenWhatItsNextBlockWouldRefuse() {
    var giving = agreed(Phase.GIVING, NEW_KEY, ALICE, BOB_ANEW, CAROL);
    var alice = node("a", ALICE);

    assertThat(alice.next(giving, Optional.of(GROUP), block(99), 0)).isEqualTo(new Next.Give());
    assertThat(alice.next(giving, Optional.of(GROUP), block(100), 99)).isEqualTo(new Next.Hold());
    assertThat(become(alice.next(giving, Optional.of(GROUP), block(101), 0)).phase())
        .isEqualTo(Phase.OVER);
  }

  /** Two JVMs of a node may move a change at once: the one that comes second must fit the first. */
  @ParameterizedTest(name = "{1} after {0}")
  @MethodSource
  void whatIsStoredGoesFromPhaseToPhaseAsTheTableSays(Phase stored, Phase later, boolean follows) {
    var joined = agreed(stored, NEW_KEY).joined(agreed(later, NEW_KEY));

    assertThat(joined.phase()).isEqualTo(follows ? later : stored);
  }

  static List<Arguments> whatIsStoredGoesFromPhaseToPhaseAsTheTableSays() {
    var pairs = new ArrayList<Arguments>();
    for (var stored : Phase.values()) {
      var following = following(stored);
      for (var later : Phase.values()) {
        pairs.add(Arguments.of(stored, later, following.contains(later)));
      }
    }
    return pairs;
  }

  /** Where the rows of the table lead to. */
  private static Set<Phase> following(Phase from) {
    var found = EnumSet.of(from);
    int before;
    do {
      before = found.size();
      for (var row : ChangingTable.CHANGING.rows()) {
        if (row.kind() == Kind.MOVE && found.contains(row.state())) {
          found.add(row.next());
        }
      }
    } while (found.size() > before);
    return found;
  }

  /** Others have its signature, so its key may stand in the group all the same (AGR-2). */
  @Test
  void whoHasWithdrawnAndMayHaveSignedIsLetInIfABlockHasTheChange() {
    var joining = change(1, ALICE, BOB, CAROL, DAVE);
    var signed = agreed(Phase.GATHERING, joining, DAVE).withRead(Optional.of(GROUP));

    assertThat(Changing.letIn(Changing.withdrawn(signed).orElseThrow(), joining)).contains(GROUP);
    var unread = Changing.withdrawn(agreed(Phase.READING, joining)).orElseThrow();
    assertThat(Changing.letIn(unread, joining)).as("it has signed nothing").isEmpty();
  }

  @Test
  void whoHasNotSignedIsToldApart() {
    var joining = change(1, ALICE, BOB, CAROL, DAVE);

    var unsigned = Changing.unsigned(GROUP, agreed(Phase.GATHERING, joining, ALICE));

    assertThat(unsigned.newKeys()).containsExactly(DAVE.identity());
    assertThat(unsigned.others()).containsExactly(BOB.identity(), CAROL.identity());
    assertThat(unsigned.needed()).isEqualTo(1);
    assertThat(
            Changing.unsigned(GROUP, agreed(Phase.GATHERING, joining, ALICE, BOB, CAROL)).needed())
        .isZero();
  }

  @Test
  void whatSeveralJvmsLearnMeetsInAnyOrder() {
    var first = agreed(Phase.GATHERING, NEW_KEY, ALICE);
    var second = agreed(Phase.GIVING, NEW_KEY, CAROL).withRead(Optional.of(GROUP));

    for (var joined : List.of(first.joined(second), second.joined(first))) {
      assertThat(joined.phase()).isEqualTo(Phase.GIVING);
      assertThat(joined.signers()).contains(CAROL);
      assertThat(joined.read()).contains(GROUP);
    }
    assertThat(first.joined(second).signers()).containsExactlyInAnyOrder(ALICE, CAROL);
    var over = agreed(Phase.OVER, NEW_KEY);
    assertThat(over.joined(second)).isEqualTo(over);
    assertThat(first.joined(agreed(Phase.GIVING, change(1, ALICE, CAROL)))).isEqualTo(first);
  }

  /** It may ask when a block has the change already, and it is let in by that block (AGR-9). */
  @Test
  void whoIsNewIsToldWhatTheGroupBeganWithAsLongAsTheChangeCounts() {
    var bob = ChangingNode.rules(new NodeName("b"), Set.of(BOB), false);
    var change = change(1, DAVE, BOB, CAROL);
    for (var phase : Phase.values()) {
      var told = bob.answer(new NodeName("d"), agreed(phase, change), GROUP, List.of());

      assertThat(told.isPresent())
          .as(phase.name())
          .isEqualTo(phase.isOpen() || phase == Phase.IN_FORCE);
    }
    var open = agreed(Phase.SIGNING, change);
    assertThat(bob.answer(new NodeName("e"), open, GROUP, List.of())).as("no member").isEmpty();
    assertThat(bob.answer(new NodeName("d"), open, GROUP, List.of(signature(DAVE))))
        .as("it has signed, so it knows")
        .isEmpty();
  }
}
