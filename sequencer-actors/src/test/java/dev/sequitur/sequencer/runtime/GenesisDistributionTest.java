package dev.sequitur.sequencer.runtime;

import static dev.sequitur.sequencer.runtime.GroupNode.THIRD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.sequencer.actor.ScriptedPorts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How the nodes of a group's members come to know what it is (SEL-7). */
class GenesisDistributionTest {
  private static final NodeName MAKER = GroupNode.SECOND;
  private static final Identity ALICE = new Identity("alice", GroupNode.SELF);
  private static final RequestId REQUEST = new RequestId("first");

  private final GroupNode node = new GroupNode(17);
  private final Arbitrary any = node.any;
  private final ScriptedPorts ports = node.ports;
  private final Verifier ours = node.services.setup().ports().keys().verifier(ALICE.name());
  private final GenesisDistribution distribution = node.distribution();

  @Test
  void itAcknowledgesWhenItHasStored() {
    var genesis = genesis("{}", committee());
    ports.holdWrites();

    give(MAKER, "record", genesis);
    assertThat(ports.sent()).isEmpty();

    ports.releaseWrites();
    assertThat(ports.sent())
        .containsExactly(new GroupGenesisAcknowledgement(REQUEST, genesis.group()));
    assertThat(ports.envelopes()).allMatch(sent -> sent.to().equals(MAKER));
    assertThat(ports.putGroups())
        .singleElement()
        .satisfies(
            stored -> {
              assertThat(stored.isAwaited()).isTrue();
              assertThat(stored.deployment()).contains(new Deployment("record", genesis));
            });
  }

  @Test
  void whatComesAgainIsAcknowledgedAgainAndStoredOnce() {
    var genesis = genesis("{}", committee());

    give(MAKER, "record", genesis);
    give(MAKER, "record", genesis);

    assertThat(ports.sent()).hasSize(2).allMatch(GroupGenesisAcknowledgement.class::isInstance);
    assertThat(ports.putGroups()).hasSize(1);
  }

  @Test
  void itSaysNothingIfItCannotStore() {
    var failed = new IllegalStateException("The disk is full.");
    ports.answerGroups(CompletableFuture.failedFuture(failed));

    give(MAKER, "record", genesis("{}", committee()));

    assertThat(ports.sent()).isEmpty();
  }

  @Test
  void itTakesNoPartInADomainThatItDoesNotHave() {
    give(MAKER, "unheard-of", genesis("{}", committee()));

    assertRejected(GenesisFlaw.DOMAIN_UNKNOWN);
  }

  @Test
  void itTakesNoPartWithAConfigurationThatTheDomainRefuses() {
    give(MAKER, "record", genesis("[]", committee()));

    assertRejected(GenesisFlaw.CONFIGURATION_REFUSED);
  }

  @Test
  void itIsGivenAGroupByOneOfItsMembersOnly() {
    give(THIRD, "record", genesis("{}", committee()));

    assertRejected(GenesisFlaw.NOT_FROM_A_MEMBER);
  }

  @Test
  void itTakesNoPartWithoutAMemberOfItsOwn() {
    give(MAKER, "record", genesis("{}", new Committee(List.of(theirs()))));

    assertRejected(GenesisFlaw.NO_MEMBER_HERE);
  }

  @Test
  void itTakesNoPartWithAKeyThatItDoesNotHold() {
    var wrong = new Member(ALICE, any.next(Verifier.class));

    give(MAKER, "record", genesis("{}", new Committee(List.of(wrong, theirs()))));

    assertRejected(GenesisFlaw.KEY_NOT_OURS);
  }

  @Test
  void itTakesNoPartIfTwoMembersHaveOneKey() {
    var same = new Member(new Identity("bob", MAKER), ours);

    give(MAKER, "record", genesis("{}", new Committee(List.of(new Member(ALICE, ours), same))));

    assertRejected(GenesisFlaw.KEY_TWICE);
  }

  @Test
  void itTakesNoPartWithAKeyOfTheNodeItself() {
    var deployer = new Member(new Identity("deployer.0a", GroupNode.SELF), ours);

    give(MAKER, "record", genesis("{}", new Committee(List.of(deployer, theirs()))));

    assertRejected(GenesisFlaw.KEY_NOT_OURS);
  }

  /** Else a member could put another group under the id, and others would hold it for stored. */
  @Test
  void itTakesNoPartInAGroupThatItWasGivenOtherwise() {
    var genesis = genesis("{}", committee());
    give(MAKER, "record", genesis);

    give(MAKER, "token", genesis);

    assertThat(ports.sent())
        .containsExactly(
            new GroupGenesisAcknowledgement(REQUEST, genesis.group()),
            new GroupGenesisRejected(REQUEST, genesis.group(), GenesisFlaw.OTHER_GENESIS));
    assertThat(ports.putGroups()).hasSize(1);
  }

  @Test
  void atMostAThousandGroupsOfOthersWait() {
    ports.answerGroups(CompletableFuture.completedFuture(waiting(MAKER, 999)));
    give(MAKER, "record", genesis("{}", committee()));
    assertThat(ports.sent()).last().isInstanceOf(GroupGenesisAcknowledgement.class);

    waitFrom(MAKER);
    var genesis = genesis("{}", committee());
    give(MAKER, "record", genesis);

    assertThat(ports.sent())
        .last()
        .isEqualTo(new GroupGenesisRejected(REQUEST, genesis.group(), GenesisFlaw.TOO_MANY));
    assertThat(ports.putGroups()).hasSize(1);
    assertThat(ports.groupLooks()).as("one for each that is given").isEqualTo(2);
  }

  /** They may never be deployed, and would keep all others from making a group with this node. */
  @Test
  void theGroupsOfOneNodeTakeNoRoomFromThoseOfAnother() {
    waitFrom(THIRD);

    give(MAKER, "record", genesis("{}", committee()));

    assertThat(ports.sent()).singleElement().isInstanceOf(GroupGenesisAcknowledgement.class);
    assertThat(ports.putGroups())
        .singleElement()
        .extracting(StoredGroup::giver)
        .isEqualTo(Optional.of(MAKER));
  }

  @Test
  void groupsThatStandAndThoseOfItsOwnDoNotCountAsWaiting() {
    var standing = stored(Optional.empty(), Optional.of(ports.newGroup()), MAKER);
    var own = stored(Optional.of(any.next(TransactionId.class)), Optional.empty(), MAKER);
    var all = Stream.concat(waiting(MAKER, 999).stream(), Stream.of(standing, own)).toList();
    ports.answerGroups(CompletableFuture.completedFuture(all));

    give(MAKER, "record", genesis("{}", committee()));

    assertThat(ports.sent()).last().isInstanceOf(GroupGenesisAcknowledgement.class);
  }

  // What is withdrawn

  @Test
  void itAcknowledgesAWithdrawalWhenItHasStoredIt() {
    var genesis = genesis("{}", committee());
    give(MAKER, "record", genesis);
    ports.holdWrites();

    withdraw(MAKER, genesis.group());
    assertThat(ports.sent()).hasSize(1);

    ports.releaseWrites();
    assertThat(ports.sent())
        .last()
        .isEqualTo(new GroupWithdrawalAcknowledgement(REQUEST, genesis.group()));
    assertThat(ports.putGroups())
        .last()
        .satisfies(
            stored -> {
              assertThat(stored.notMade()).contains("Nobody takes part.");
              assertThat(stored.withdrawnBy()).contains(MAKER);
            });
  }

  @Test
  void nobodyButWhoHasGivenAGroupCanWithdrawIt() {
    var genesis = genesis("{}", committee());
    give(MAKER, "record", genesis);

    withdraw(THIRD, genesis.group());

    assertThat(ports.putGroups()).hasSize(1);
    assertThat(ports.putGroups().getFirst().notMade()).isEmpty();
  }

  /** Who has no answer asks again; the genesis may have been overtaken on its way. */
  @Test
  void itTakesNoPartInWhatWasWithdrawnBeforeItWasGiven() {
    var genesis = genesis("{}", committee());

    withdraw(MAKER, genesis.group());
    assertThat(ports.sent())
        .containsExactly(new GroupWithdrawalAcknowledgement(REQUEST, genesis.group()));
    assertThat(ports.putGroups())
        .singleElement()
        .extracting(StoredGroup::withdrawnBy)
        .isEqualTo(Optional.of(MAKER));
    give(MAKER, "record", genesis);

    assertThat(ports.sent())
        .last()
        .isEqualTo(new GroupGenesisRejected(REQUEST, genesis.group(), GenesisFlaw.WITHDRAWN));
    assertThat(ports.putGroups()).hasSize(1);
  }

  @Test
  void itSaysNothingToAWithdrawalIfItCannotStore() {
    ports.answerGroups(CompletableFuture.failedFuture(new IllegalStateException("Full.")));

    withdraw(MAKER, any.next(GroupId.class));

    assertThat(ports.sent()).isEmpty();
  }

  /** Its maker would deploy what others take for ended. */
  @Test
  void itTakesNoPartInWhatWasWithdrawn() {
    var genesis = genesis("{}", committee());
    give(MAKER, "record", genesis);
    withdraw(MAKER, genesis.group());
    ports.answerGroups(CompletableFuture.completedFuture(List.of(ports.putGroups().getLast())));
    ports.answerGroups(CompletableFuture.completedFuture(List.of(ports.putGroups().getLast())));
    ports.answerGroups(CompletableFuture.completedFuture(List.of(ports.putGroups().getLast())));

    give(MAKER, "record", genesis);

    assertThat(ports.sent())
        .last()
        .isEqualTo(new GroupGenesisRejected(REQUEST, genesis.group(), GenesisFlaw.WITHDRAWN));
    assertThat(ports.putGroups()).hasSize(2);
  }

  private void withdraw(NodeName from, GroupId group) {
    node.receive(from, new GroupWithdrawal(REQUEST, group, "Nobody takes part."));
  }

  // Who makes a group

  @Test
  void itIsStoredByAllOnceTheNodeOfEachOtherMemberHasSaidSo() {
    var given = distribution.give(new Deployment("record", genesis("{}", committee())));

    var asked = (GroupGenesis) ports.sent().getFirst();
    assertThat(ports.envelopes()).extracting(Envelope::to).containsExactly(MAKER);
    assertThat(asked.domain()).isEqualTo("record");
    var stored = GroupNode.acknowledgement(asked);
    node.receive(THIRD, stored);
    assertThat(given).as("said by another").isNotDone();
    node.receive(MAKER, stored);
    assertThat(given).isCompleted();
  }

  @Test
  void whoTakesNoPartIsNamedWithTheReason() {
    var failure = failureOnceRejectedFor(GenesisFlaw.KEY_NOT_OURS);

    assertThat(failure)
        .hasMessageStartingWith("Node %s %s".formatted(MAKER, GenesisFlaw.KEY_NOT_OURS.sentence()));
    assertThat(GenesisDistribution.isRejection(failure)).isTrue();
  }

  @Test
  void thatTooManyGroupsWaitIsNoRejectionForGood() {
    var failure = failureOnceRejectedFor(GenesisFlaw.TOO_MANY);

    assertThat(failure)
        .hasMessageStartingWith("Node %s %s".formatted(MAKER, GenesisFlaw.TOO_MANY.sentence()))
        .hasMessageEndingWith(" yet.");
    assertThat(GenesisDistribution.isRejection(failure)).isFalse();
  }

  private Throwable failureOnceRejectedFor(GenesisFlaw flaw) {
    var given =
        distribution
            .give(new Deployment("record", genesis("{}", committee())))
            .toCompletableFuture();
    node.reject(MAKER, flaw);
    return catchThrowableOfType(CompletionException.class, given::join).getCause();
  }

  @Test
  void anythingElseThatGoesWrongIsNoRejection() {
    assertThat(GenesisDistribution.isRejection(new IllegalStateException("silent"))).isFalse();
    assertThat(GenesisDistribution.isRejection(new RefusedIntent("SQ020015", "silent"))).isFalse();
  }

  private void assertRejected(GenesisFlaw flaw) {
    assertThat(ports.sent())
        .singleElement()
        .isInstanceOfSatisfying(
            GroupGenesisRejected.class, answer -> assertThat(answer.flaw()).isEqualTo(flaw));
    assertThat(ports.putGroups()).isEmpty();
  }

  private void give(NodeName from, String domain, ContractGenesis genesis) {
    node.receive(from, new GroupGenesis(REQUEST, domain, genesis));
  }

  private ContractGenesis genesis(String configuration, Committee committee) {
    return new ContractGenesis(
        any.next(GroupId.class), "traders", committee, 1, Bytes.utf8(configuration));
  }

  private Committee committee() {
    return new Committee(List.of(new Member(ALICE, ours), theirs()));
  }

  private Member theirs() {
    return new Member(new Identity("bob", MAKER), any.next(Verifier.class));
  }

  private List<StoredGroup> waiting(NodeName giver, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> stored(Optional.empty(), Optional.empty(), giver))
        .toList();
  }

  private void waitFrom(NodeName giver) {
    ports.answerGroups(CompletableFuture.completedFuture(waiting(giver, 1_000)));
  }

  private StoredGroup stored(
      Optional<TransactionId> genesisTransaction, Optional<PrivacyGroup> group, NodeName giver) {
    return StoredGroup.of(any.next(GroupId.class), Instant.EPOCH)
        .withGenesisTransaction(genesisTransaction)
        .withGroup(group)
        .withGiver(Optional.of(giver));
  }
}
