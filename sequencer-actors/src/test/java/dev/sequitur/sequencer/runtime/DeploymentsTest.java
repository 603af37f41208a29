package dev.sequitur.sequencer.runtime;

import static dev.sequitur.sequencer.runtime.GroupNode.GIVEN_UP;
import static dev.sequitur.sequencer.runtime.GroupNode.SECOND;
import static dev.sequitur.sequencer.runtime.GroupNode.SELF;
import static dev.sequitur.sequencer.runtime.GroupNode.THIRD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.NodeStore.Withdrawal;
import dev.sequitur.protocol.port.PrivateTransactions.RefusedIntent;
import dev.sequitur.protocol.submitter.SubmitterSetup;
import dev.sequitur.sequencer.actor.ScriptedPorts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the node that makes a group gives it to its members and deploys it (SEL-7). */
class DeploymentsTest {
  private static final SubmitterSetup.Gas GAS = SubmitterSetup.Gas.DEFAULT;

  private final GroupNode node = new GroupNode(19);
  private final Arbitrary any = node.any;
  private final ScriptedPorts ports = node.ports;
  private final ManualTimers timers = node.timers;
  private final Deployments deployments =
      new Deployments(node.services, node.distribution(), timers);

  @BeforeEach
  void theLedgerTakes() {
    node.ledgerTakes();
  }

  @Test
  void itDeploysOnceEveryOtherMembersNodeHasAcknowledged() {
    var deployment = deployment(SELF, SECOND, THIRD);

    var begun = deployments.begin(deployment);
    assertThat(asked(deployment)).containsExactlyInAnyOrder(SECOND, THIRD);
    node.acknowledge(SECOND);
    assertThat(ports.submitted()).isEmpty();
    assertThat(begun.toCompletableFuture()).isNotDone();

    node.acknowledge(THIRD);

    assertThat(deployed()).containsExactly(deployment);
    assertThat(begun.toCompletableFuture()).isCompleted();
  }

  @Test
  void aGroupOfThisNodeAloneIsDeployedAtOnce() {
    var deployment = deployment(SELF);

    deployments.begin(deployment);

    assertThat(ports.envelopes()).isEmpty();
    assertThat(deployed()).containsExactly(deployment);
  }

  @Test
  void anAnswerOfAnotherNodeCountsForNothing() {
    var deployment = deployment(SELF, SECOND);
    deployments.begin(deployment);

    node.receive(THIRD, GroupNode.acknowledgement(node.lastGiven(SECOND)));

    assertThat(ports.submitted()).isEmpty();
  }

  @Test
  void aNodeThatDoesNotAnswerIsAskedAgainWhileThisOneRuns() {
    var deployment = deployment(SELF, SECOND, THIRD);
    var begun = deployments.begin(deployment);
    node.acknowledge(THIRD);

    timers.pass(GIVEN_UP);

    assertThat(refusal(begun).code()).isEqualTo("SQ020011");
    assertThat(refusal(begun)).hasMessageContaining("node2 does not answer");
    assertThat(ports.submitted()).isEmpty();
    int asked = ports.envelopes().size();

    timers.pass(Deployments.PAUSE);
    assertThat(ports.envelopes()).hasSizeGreaterThan(asked);
    node.acknowledge(SECOND);
    node.acknowledge(THIRD);

    assertThat(deployed()).containsExactly(deployment);
  }

  @Test
  void allThatDoNotAnswerAreNamed() {
    var begun = deployments.begin(deployment(SELF, SECOND, THIRD));

    timers.pass(GIVEN_UP);

    assertThat(refusal(begun).code()).isEqualTo("SQ020011");
    assertThat(refusal(begun))
        .hasMessageContaining("node2 does not answer")
        .hasMessageContaining("node3 does not answer");
  }

  /** Else it would be tried until the other answers, for nothing. */
  @Test
  void whoTakesNoPartEndsItThoughAnotherDoesNotAnswer() {
    var begun = deployments.begin(deployment(SELF, SECOND, THIRD));
    node.reject(THIRD, GenesisFlaw.DOMAIN_UNKNOWN);

    timers.pass(GIVEN_UP);

    assertThat(refusal(begun).code()).isEqualTo("SQ020016");
    assertThat(refusal(begun)).hasMessageContaining("Node node3 has no such domain");
  }

  @Test
  void whatANodeTakesNoPartInIsNotTriedAgain() {
    var begun = deployments.begin(deployment(SELF, SECOND));
    node.reject(SECOND, GenesisFlaw.DOMAIN_UNKNOWN);

    assertThat(refusal(begun).code()).isEqualTo("SQ020016");
    assertThat(refusal(begun)).hasMessageContaining("Node node2 has no such domain");
    int given = genesesSent();
    node.withdrawn(SECOND);
    timers.pass(Deployments.PAUSE.multipliedBy(3));
    assertThat(timers.count()).isZero();
    assertThat(ports.submitted()).isEmpty();
    assertThat(genesesSent()).isEqualTo(given);
  }

  /** Else those that have acknowledged it would keep it for ever. */
  @Test
  void theNodesOfMembersAreToldThatItIsNeverMade() {
    var deployment = deployment(SELF, SECOND, THIRD);
    deployments.begin(deployment);
    node.acknowledge(SECOND);
    assertThat(withdrawals()).isEmpty();
    node.reject(THIRD, GenesisFlaw.DOMAIN_UNKNOWN);

    assertThat(withdrawals())
        .hasSize(2)
        .allSatisfy(
            told -> {
              assertThat(told.group()).isEqualTo(deployment.genesis().group());
              assertThat(told.reason()).contains("Node node3 has no such domain");
            });
    node.withdrawn(SECOND);
    node.withdrawn(THIRD);
    assertThat(ports.putGroups().getLast().withdrawal().orElseThrow().untold()).isEmpty();
  }

  @Test
  void whoseMembersAreNotToldYetAreToldAfterARestart() {
    var deployment = deployment(SELF, SECOND, THIRD);
    var untold = new Withdrawal(node.services.now(), List.of(THIRD));

    deployments.resume(List.of(ended(deployment, Optional.of(untold))));

    assertThat(ports.envelopes())
        .singleElement()
        .satisfies(
            sent -> {
              assertThat(sent.to()).isEqualTo(THIRD);
              assertThat(sent.payload()).isInstanceOf(GroupWithdrawal.class);
            });
    node.withdrawn(THIRD);
    assertThat(timers.count()).as("nothing is deployed").isEqualTo(1);
    assertThat(ports.submitted()).isEmpty();
  }

  /** As a node of before has left it. */
  @Test
  void whatHasEndedAndNobodyWasToldIsWithdrawnAtAStart() {
    var deployment = deployment(SELF, SECOND, THIRD);

    deployments.resume(List.of(ended(deployment, Optional.empty())));

    assertThat(withdrawals())
        .hasSize(2)
        .extracting(GroupWithdrawal::reason)
        .containsOnly("It was never made.");
    assertThat(ports.putGroups().getLast().withdrawal().orElseThrow().untold())
        .containsExactlyInAnyOrder(SECOND, THIRD);
  }

  private StoredGroup ended(Deployment deployment, Optional<Withdrawal> withdrawal) {
    return stored(deployment, true)
        .withNotMade(Optional.of("It was never made."))
        .withWithdrawal(withdrawal);
  }

  private List<GroupWithdrawal> withdrawals() {
    return ports.sent().stream()
        .filter(GroupWithdrawal.class::isInstance)
        .map(GroupWithdrawal.class::cast)
        .toList();
  }

  private int genesesSent() {
    return (int) ports.sent().stream().filter(GroupGenesis.class::isInstance).count();
  }

  @Test
  void aNodeThatHasTooManyGroupsForNowIsAskedAgain() {
    var deployment = deployment(SELF, SECOND);
    var begun = deployments.begin(deployment);
    node.reject(SECOND, GenesisFlaw.TOO_MANY);

    assertThat(refusal(begun).code()).isEqualTo("SQ020011");
    assertThat(refusal(begun)).hasMessageContaining("tries again");
    timers.pass(Deployments.PAUSE);
    node.acknowledge(SECOND);

    assertThat(deployed()).containsExactly(deployment);
  }

  @Test
  void whatTheLedgerDoesNotTakeIsTriedAgainAndNotGivenAgain() {
    var deployment = deployment(SELF, SECOND);
    node.ledgerAnswers(new SubmitOutcome.InsufficientFunds(any.next(TransactionHash.class)));
    var begun = deployments.begin(deployment);
    node.acknowledge(SECOND);
    assertThat(refusal(begun).code()).isEqualTo("SQ020012");
    int asked = ports.envelopes().size();

    timers.pass(Deployments.PAUSE);

    assertThat(deployed()).containsExactly(deployment, deployment);
    assertThat(new HashSet<>(ports.submitted())).as("the same transaction").hasSize(1);
    assertThat(ports.envelopes()).hasSize(asked);
  }

  @Test
  void aLedgerThatIsNotReachedIsTriedAgain() {
    var deployment = deployment(SELF);
    node.ledgerIsAway();

    var begun = deployments.begin(deployment);

    assertThat(refusal(begun).code()).isEqualTo("SQ020012");
    timers.pass(Deployments.PAUSE);
    assertThat(ports.submitted()).hasSize(2);
  }

  @Test
  void whatTheLedgerNeverTakesIsNotTriedAgain() {
    node.ledgerAnswers(
        new SubmitOutcome.Invalid(any.next(TransactionHash.class), "It is too long."));

    var begun = deployments.begin(deployment(SELF));

    assertThat(refusal(begun).code()).isEqualTo("SQ020010");
    timers.pass(Deployments.PAUSE);
    assertThat(ports.submitted()).hasSize(1);
    assertThat(timers.count()).isZero();
  }

  /** A pool may lose what is in it. */
  @Test
  void whatIsInThePoolIsTriedAgainUntilTheContractIsIndexed() {
    var deployment = deployment(SELF);
    deployments.begin(deployment);
    timers.pass(Deployments.PAUSE);
    assertThat(ports.submitted()).hasSize(2);

    node.services.groups().add(node.indexed(deployment));
    timers.pass(Deployments.PAUSE.multipliedBy(3));

    assertThat(ports.submitted()).hasSize(2);
    assertThat(timers.count()).isZero();
  }

  /** A pool may take and keep what pays less than blocks ask for. */
  @Test
  void whatIsInThePoolForLongIsOfferedWithMore() {
    deployments.begin(deployment(SELF));
    ports.advance(GAS.overdueAfter().minusMillis(1));
    timers.pass(Deployments.PAUSE);
    assertThat(fees()).containsExactly(GAS.initial(), GAS.initial());

    ports.advance(Duration.ofMillis(1));
    timers.pass(Deployments.PAUSE);
    timers.pass(Deployments.PAUSE);

    var more = GAS.increased(GAS.initial());
    assertThat(fees()).endsWith(GAS.initial(), more, more);
  }

  @Test
  void whatABlockHasThatIsNotFinalIsOfferedWithNoMore() {
    deployments.begin(deployment(SELF));
    ports.nextNonce(1);
    ports.advance(GAS.overdueAfter());

    timers.pass(Deployments.PAUSE.multipliedBy(3));

    assertThat(fees()).containsOnly(GAS.initial());
  }

  /** It may come into a block though it was offered with more meanwhile. */
  @Test
  void ofWhatWasOfferedBeforeABlockTellsToo() {
    var hash = any.next(TransactionHash.class);
    node.ledgerAnswers(new SubmitOutcome.Pooled(hash));
    deployments.begin(deployment(SELF));
    ports.advance(GAS.overdueAfter());
    node.ledgerAnswers(new SubmitOutcome.Pooled(any.next(TransactionHash.class)));
    timers.pass(Deployments.PAUSE);
    assertThat(fees()).endsWith(GAS.increased(GAS.initial()));

    ports.carriedOut(hash, new LedgerReceipt.NonceUsed());
    timers.pass(Deployments.PAUSE);

    assertThat(timers.count()).isZero();
    assertThat(ports.putGroups().getLast().notMade().orElseThrow()).contains(hash.toString());
  }

  @Test
  void whatThePoolHasTakenIsNotGivenUpSinceItRefusesTheSameForMore() {
    deployments.begin(deployment(SELF));
    ports.advance(GAS.overdueAfter());
    node.ledgerAnswers(new SubmitOutcome.Invalid(any.next(TransactionHash.class), "Too much."));

    timers.pass(Deployments.PAUSE);

    assertThat(fees()).endsWith(GAS.increased(GAS.initial()));
    assertThat(ports.putGroups()).isEmpty();
    assertThat(timers.count()).as("tried again").isPositive();
  }

  private List<Fees> fees() {
    return ports.submitted().stream().map(signed -> signed.transaction().fees()).toList();
  }

  /** The block may still be replaced. */
  @Test
  void aNonceThatIsUsedIsLookedAtUntilTheContractIsIndexed() {
    var hash = any.next(TransactionHash.class);
    node.ledgerAnswers(new SubmitOutcome.NonceTooLow(hash, 1));
    var deployment = deployment(SELF);

    var begun = deployments.begin(deployment);

    assertThat(begun.toCompletableFuture()).isCompleted();
    timers.pass(Deployments.PAUSE);
    assertThat(timers.count()).as("in no block yet").isPositive();

    ports.carriedOut(
        hash,
        new LedgerReceipt.Deployed(
            any.next(ContractAddress.class), deployment.domain(), deployment.genesis()));
    timers.pass(Deployments.PAUSE);
    assertThat(timers.count()).as("in no final one").isPositive();

    node.services.groups().add(node.indexed(deployment));
    timers.pass(Deployments.PAUSE);
    assertThat(timers.count()).isZero();
    assertThat(ports.putGroups()).as("none is never made").isEmpty();
  }

  /** Of the life before, which this one has not seen the pool take. */
  @Test
  void whatHasUsedItsNonceWithoutMakingAContractIsNeverMade() {
    var hash = any.next(TransactionHash.class);
    node.ledgerAnswers(new SubmitOutcome.NonceTooLow(hash, 1));
    ports.carriedOut(hash, new LedgerReceipt.NonceUsed());

    var begun = deployments.begin(deployment(SELF));

    assertThat(refusal(begun).code()).isEqualTo("SQ020010");
    assertThat(ports.putGroups().getLast().notMade().orElseThrow()).contains(hash.toString());
  }

  /** A chain charges for what its contract refuses, and for what has used up its gas. */
  @Test
  void whatAChainHasCarriedOutWithoutMakingAContractIsNeverMade() {
    var hash = any.next(TransactionHash.class);
    var deployment = deployment(SELF);
    node.ledgerAnswers(new SubmitOutcome.Pooled(hash));
    deployments.begin(deployment);
    ports.carriedOut(hash, new LedgerReceipt.NonceUsed());

    timers.pass(Deployments.PAUSE);

    assertThat(timers.count()).isZero();
    assertThat(ports.putGroups())
        .singleElement()
        .satisfies(
            ended -> {
              assertThat(ended.id()).isEqualTo(deployment.genesis().group());
              assertThat(ended.notMade().orElseThrow())
                  .contains("made no contract of the group's transaction " + hash);
            });
  }

  @Test
  void whatALaterRoundFailsOverIsSaidInTheLogOnce() {
    node.ledgerIsAway();

    var lines =
        GroupNode.logged(
            Deployments.class,
            () -> {
              deployments.resume(List.of(stored(deployment(SELF), true)));
              timers.pass(Duration.ZERO);
              timers.pass(Deployments.PAUSE);
              timers.pass(Deployments.PAUSE);
            });

    assertThat(lines)
        .extracting(ILoggingEvent::getFormattedMessage)
        .singleElement()
        .satisfies(line -> assertThat(line).contains("Gone."));
  }

  @Test
  void oneIsTriedAfterTheOther() {
    var first = deployment(SELF);
    var second = deployment(SELF);
    var slow = new CompletableFuture<List<SubmitOutcome>>();
    ports.answerSubmissions(slow);

    deployments.resume(List.of(stored(first, true), stored(second, true)));
    timers.pass(Duration.ZERO);
    timers.pass(Deployments.PAUSE);
    assertThat(deployed()).containsExactly(first);

    slow.complete(List.of(new SubmitOutcome.Pooled(any.next(TransactionHash.class))));
    assertThat(deployed()).containsExactly(first, second);
  }

  @Test
  void atItsStartItTakesUpWhatItMakesItselfAndNothingElse() {
    var own = deployment(SELF);
    var others = deployment(SELF);

    deployments.resume(List.of(stored(others, false), stored(own, true)));
    timers.pass(Duration.ZERO);

    assertThat(deployed()).containsExactly(own);
  }

  @Test
  void whoOffersMoreDoesNotGiveItAgain() {
    var deployment = deployment(SELF, SECOND);
    node.ledgerAnswers(
        new SubmitOutcome.Underpriced(any.next(TransactionHash.class), Fees.flat(1)));
    deployments.begin(deployment);
    node.acknowledge(SECOND);
    int asked = ports.envelopes().size();

    timers.pass(Deployments.PAUSE);

    assertThat(ports.envelopes()).hasSize(asked);
    assertThat(fees()).containsExactly(GAS.initial(), GAS.increased(GAS.initial()));
  }

  @Test
  void neverMoreIsOfferedThanTheMost() {
    var needed = GAS.ceiling().toReplace();
    node.ledgerAnswers(new SubmitOutcome.Underpriced(any.next(TransactionHash.class), needed));
    deployments.begin(deployment(SELF));

    timers.pass(Deployments.PAUSE);

    assertThat(fees()).containsExactly(GAS.initial(), GAS.initial());
  }

  /** It would ask the members anew, and offer the first fees. */
  @Test
  void whoTakesUpTheGroupsOfAnotherJvmGoesOnWithItsOwnAsTheyAre() {
    var own = deployment(SELF, SECOND);
    deployments.begin(own);
    node.acknowledge(SECOND);
    int asked = ports.envelopes().size();
    var ofAnother = deployment(SELF);

    deployments.resume(List.of(stored(own, true), stored(ofAnother, true)));
    timers.pass(Deployments.PAUSE);

    assertThat(deployed()).containsExactly(own, own, ofAnother);
    assertThat(ports.envelopes()).hasSize(asked);
  }

  private StoredGroup stored(Deployment deployment, boolean own) {
    return StoredGroup.of(deployment.genesis().group(), Instant.EPOCH)
        .withGenesisTransaction(own ? Optional.of(any.next(TransactionId.class)) : Optional.empty())
        .withDeployment(Optional.of(deployment));
  }

  private List<Deployment> deployed() {
    return ports.submitted().stream()
        .map(signed -> (LedgerTransaction.Deploy) signed.transaction().call())
        .map(deploy -> new Deployment(deploy.domain(), deploy.genesis()))
        .toList();
  }

  private List<NodeName> asked(Deployment deployment) {
    return ports.envelopes().stream()
        .filter(
            sent ->
                sent.payload() instanceof GroupGenesis given
                    && given.genesis().equals(deployment.genesis()))
        .map(Envelope::to)
        .toList();
  }

  private static RefusedIntent refusal(CompletionStage<?> failed) {
    return (RefusedIntent)
        Groups.root(catchThrowable(() -> failed.toCompletableFuture().getNow(null)));
  }

  private Deployment deployment(NodeName... nodes) {
    var members = new ArrayList<Member>();
    for (var node : nodes) {
      members.add(new Member(new Identity("member", node), any.next(Verifier.class)));
    }
    return new Deployment(
        "record",
        new ContractGenesis(
            any.next(GroupId.class), "traders", new Committee(members), 1, Bytes.utf8("{}")));
  }
}
