package dev.sequitur.protocol.founding;

import static dev.sequitur.protocol.founding.FoundingNode.GAS;
import static dev.sequitur.protocol.founding.FoundingNode.NO_KEY;
import static dev.sequitur.protocol.founding.FoundingNode.SECOND;
import static dev.sequitur.protocol.founding.FoundingNode.SELF;
import static dev.sequitur.protocol.founding.FoundingNode.SIGNER;
import static dev.sequitur.protocol.founding.FoundingNode.THIRD;
import static dev.sequitur.protocol.founding.FoundingNode.hash;
import static dev.sequitur.protocol.founding.FoundingNode.idOf;
import static dev.sequitur.protocol.founding.FoundingNode.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.founding.FoundingEffect.Outcome;
import dev.sequitur.protocol.founding.FoundingTable.FoundingPhase;
import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.port.Keys.Standing;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a node makes groups with others (SEL-7 to SEL-9). */
final class FoundingTest {
  private static final Duration PAUSE = Founding.PAUSE;
  private static final Duration GIVEN_UP = Questions.GIVEN_UP;

  private final FoundingNode node = new FoundingNode();

  /** A caller wants a group with members on these nodes, which tell their keys. */
  private long made(NodeName... others) {
    var members = new ArrayList<String>(List.of("alice@node1"));
    for (var other : others) {
      members.add("bob@" + other.value());
    }
    long call = node.make(members.toArray(String[]::new));
    for (var other : others) {
      node.tellKey(other);
    }
    return call;
  }

  private int given(NodeName to) {
    return node.sentTo(to, GroupGenesis.class).size();
  }

  // A group that a caller asks for

  @Test
  void itIsDeployedOnceEveryOtherMembersNodeHasAcknowledged() {
    long call = made(SECOND, THIRD);
    assertThat(given(SECOND)).isEqualTo(1);
    assertThat(given(THIRD)).isEqualTo(1);
    node.acknowledge(SECOND);
    assertThat(node.submitted).isEmpty();
    assertThat(node.outcomes).isEmpty();

    node.acknowledge(THIRD);

    assertThat(node.deployed()).containsExactly(node.only().id());
    assertThat(node.outcomes.get(call)).isEqualTo(new Outcome.Begun(node.only()));
  }

  @Test
  void aGroupOfThisNodeAloneIsDeployedAtOnce() {
    long call = made();

    assertThat(node.sent).isEmpty();
    assertThat(node.hasBegun(call)).isTrue();
    var genesis = node.submitted.getFirst().deployment().genesis();
    assertThat(genesis.committee().member(Identity.parse("alice@node1")).orElseThrow().verifier())
        .isEqualTo(key(Identity.parse("alice@node1")));
    assertThat(node.only().request()).isEqualTo(node.request("alice@node1").request());
  }

  /** A restart must take up what members' nodes wait for. */
  @Test
  void itIsStoredBeforeAnybodyIsGivenIt() {
    node.holds = true;
    made(SECOND);
    assertThat(given(SECOND)).isZero();

    node.release();

    assertThat(given(SECOND)).isEqualTo(1);
  }

  @Test
  void anAnswerOfAnotherNodeCountsForNothing() {
    made(SECOND);
    var given = node.sentTo(SECOND, GroupGenesis.class).getLast();

    node.answer(THIRD, new GroupGenesisAcknowledgement(given.requestId(), given.genesis().group()));

    assertThat(node.submitted).isEmpty();
    node.acknowledge(SECOND);
    assertThat(node.submitted).hasSize(1);
  }

  @Test
  void whatCannotBeUsedIsRefusedAndNothingIsStored() {
    var noDomain =
        new GroupRequest(
            "token", "x", node.request("alice@node1").members(), Bytes.utf8("{}"), Bytes.EMPTY);
    var badConfiguration =
        new GroupRequest(
            "record", "x", node.request("alice@node1").members(), Bytes.utf8("[]"), Bytes.EMPTY);

    assertThat(node.refused(node.make(noDomain)).sentence()).contains("no domain 'token'");
    assertThat(node.refused(node.make(badConfiguration)).sentence()).contains("an empty object");
    assertThat(node.refused(node.make()).sentence()).contains("at least one member");
    assertThat(node.refused(node.make("alice@node1", "alice@node1")).sentence())
        .contains("each only once");
    assertThat(node.refused(node.make("bob@node2")).sentence()).contains("Ask a node that is in");
    assertThat(node.refused(node.make("deployer.x@node1")).sentence())
        .contains(
            "called like a key of its node's own",
            "'submitter.'",
            "'deployer.'",
            "'funding.'",
            "'salts.'",
            "'storage.'");
    var refusal = node.refused(node.make("alice@node1", "bob@nowhere"));
    assertThat(refusal.code()).isEqualTo(GroupRules.UNUSABLE);
    assertThat(refusal.sentence()).contains("a node that this one does not know");
    assertThat(node.store).isEmpty();
    assertThat(node.state().isEmpty()).isTrue();
  }

  @Test
  void aMemberWhoseKeyIsRevokedIsRefusedAndNothingIsStored() {
    node.standings.put("alice", Standing.REVOKED);

    var refusal = node.refused(node.make("alice@node1", "bob@node2"));

    assertThat(refusal.code()).isEqualTo(GroupRules.UNUSABLE);
    assertThat(refusal.sentence())
        .startsWith("The key of member alice@node1 is revoked on its node")
        .contains("`sequitur keys rotate`");
    assertThat(node.sent).isEmpty();
    assertThat(node.store).isEmpty();
    assertThat(node.state().isEmpty()).isTrue();
  }

  @Test
  void aGroupOfATransactionWithARevokedKeyIsNeverMade() {
    node.standings.put("alice", Standing.REVOKED);

    var asked = node.acceptAndTell("alice@node1");

    assertThat(node.failures.get(asked.id())).contains("is revoked on its node");
    assertThat(node.submitted).isEmpty();
    assertThat(node.state().isEmpty()).isTrue();
  }

  @Test
  void aCallerLearnsThatAMembersNodeHasRevokedItsKey() {
    long call = made(SECOND);
    node.reject(SECOND, GenesisFlaw.KEY_REVOKED);

    assertThat(node.refused(call).sentence())
        .isEqualTo(
            "Node node2 has revoked a key that the group names for one of its members: it takes no"
                + " part in the group.");
  }

  @Test
  void aCallerLearnsWhoDoesNotTellAKeyAndNothingIsStored() {
    long call = node.make("alice@node1", "bob@node2", "carol@node3", "dave@node3");

    node.pass(GIVEN_UP);

    assertThat(node.refused(call).code()).isEqualTo("SQ020011");
    assertThat(node.refused(call).sentence())
        .containsOnlyOnce("Node node2 does not answer")
        .containsOnlyOnce("Node node3 does not answer");
    assertThat(node.store).isEmpty();
    assertThat(node.state().isEmpty()).isTrue();
  }

  /** In words of ours: what another node writes is not for our callers. */
  @Test
  void aCallerLearnsWhoHasNoSuchIdentity() {
    long call = node.make("alice@node1", "bob@node2");

    node.tellNoKey(SECOND);

    assertThat(node.refused(call).sentence())
        .isEqualTo("Node node2 says that it does not hold bob@node2: check the identity.");
    assertThat(node.state().isEmpty()).isTrue();
  }

  @Test
  void aCallerWhoseGroupCannotBeStoredLearnsWhy() {
    node.failingWrites = 1;

    long call = made();

    assertThat(node.outcomes.get(call)).isEqualTo(new Outcome.Failed(FoundingNode.AWAY));
    assertThat(node.state().isEmpty()).isTrue();
  }

  @Test
  void twoMembersWithOneKeyAreRefusedByName() {
    long call = node.make("alice@node1", "bob@node2");

    node.tellKey(SECOND, key(Identity.parse("alice@node1")));

    assertThat(node.refused(call).code()).isEqualTo(GroupRules.UNUSABLE);
    assertThat(node.refused(call).sentence())
        .isEqualTo(
            "Members alice@node1 and bob@node2 have the same key: each member of a group signs with"
                + " one of its own.");
    assertThat(node.store).isEmpty();
    assertThat(node.state().isEmpty()).isTrue();
  }

  // Members' nodes

  @Test
  void aNodeThatDoesNotAnswerIsAskedAgainWhileThisOneRuns() {
    long call = made(SECOND, THIRD);
    node.acknowledge(THIRD);

    node.pass(GIVEN_UP);

    assertThat(node.refused(call).code()).isEqualTo("SQ020011");
    assertThat(node.refused(call).sentence())
        .contains("node2 does not answer")
        .contains("tries again every 10 seconds");
    assertThat(node.submitted).isEmpty();
    int asked = given(SECOND);
    node.pass(PAUSE);
    assertThat(given(SECOND)).isGreaterThan(asked);
    node.acknowledge(SECOND);
    node.acknowledge(THIRD);

    assertThat(node.deployed()).containsExactly(node.only().id());
  }

  @Test
  void allThatDoNotAnswerAreNamed() {
    long call = made(SECOND, THIRD);

    node.pass(GIVEN_UP);

    assertThat(node.refused(call).sentence())
        .contains("node2 does not answer")
        .contains("node3 does not answer");
  }

  /** Else it would be tried until the other answers, for nothing. */
  @Test
  void whoTakesNoPartEndsItThoughAnotherDoesNotAnswer() {
    long call = made(SECOND, THIRD);
    node.reject(THIRD, GenesisFlaw.DOMAIN_UNKNOWN);
    assertThat(node.outcomes).as("the other is being asked").isEmpty();

    node.pass(GIVEN_UP);

    assertThat(node.refused(call).code()).isEqualTo("SQ020016");
    assertThat(node.refused(call).sentence()).contains("Node node3 has no such domain");
  }

  @Test
  void whatANodeTakesNoPartInIsStoredAndWithdrawnAndNotTriedAgain() {
    long call = made(SECOND, THIRD);
    node.acknowledge(SECOND);
    assertThat(node.withdrawn).isEmpty();

    node.reject(THIRD, GenesisFlaw.DOMAIN_UNKNOWN);

    assertThat(node.refused(call).code()).isEqualTo("SQ020016");
    assertThat(node.only().notMade().orElseThrow()).contains("Node node3 has no such domain");
    assertThat(node.withdrawn)
        .singleElement()
        .satisfies(
            ended -> {
              assertThat(ended.id()).isEqualTo(node.only().id());
              assertThat(ended.withdrawal().orElseThrow().untold())
                  .containsExactlyInAnyOrder(SECOND, THIRD);
            });
    int asked = node.sent.size();
    node.pass(PAUSE.multipliedBy(3));
    assertThat(node.sent).hasSize(asked);
    assertThat(node.submitted).isEmpty();
    assertThat(node.state().isEmpty()).isTrue();
  }

  @Test
  void aNodeThatHasTooManyGroupsForNowIsAskedAgain() {
    long call = made(SECOND);
    node.reject(SECOND, GenesisFlaw.TOO_MANY);

    assertThat(node.refused(call).code()).isEqualTo("SQ020011");
    assertThat(node.refused(call).sentence()).contains(" yet.").contains("tries again");
    node.pass(PAUSE);
    node.acknowledge(SECOND);

    assertThat(node.deployed()).containsExactly(node.only().id());
  }

  /** One node that is away must not hold up the groups of others. */
  @Test
  void whoIsAskedAgainKeepsNobodyElseWaiting() {
    made(SECOND);
    made(THIRD);
    node.pass(GIVEN_UP);

    node.pass(PAUSE);
    assertThat(given(SECOND)).isEqualTo(21);
    assertThat(given(THIRD)).isEqualTo(21);
    node.acknowledge(THIRD);

    assertThat(node.deployed()).hasSize(1);
  }

  /** Nor one that does not tell a key. */
  @Test
  void whoTellsNoKeyKeepsNobodyElseWaiting() {
    node.acceptAndTell("alice@node1", "bob@node2");
    node.acceptAndTell("alice@node1", "carol@node2");
    node.pass(Duration.ofSeconds(1));
    node.ledgerIsAway();
    made();
    node.pass(GIVEN_UP);
    int submitted = node.submitted.size();

    node.pass(PAUSE.multipliedBy(2));

    assertThat(node.submitted).hasSizeGreaterThan(submitted);
  }

  // The base ledger

  @Test
  void whatTheLedgerDoesNotTakeIsTriedAgainAndNotGivenAgain() {
    node.ledgerAnswers(SubmitOutcome.InsufficientFunds::new);
    long call = made(SECOND);
    node.acknowledge(SECOND);
    assertThat(node.refused(call).code()).isEqualTo("SQ020012");
    assertThat(node.refused(call).sentence()).contains("waits for gas money on " + SIGNER);
    assertThat(node.used)
        .extracting(FoundingEffect.UseGas::waits)
        .as("before it is submitted, and as it waits")
        .containsExactly(false, true);
    int asked = given(SECOND);

    node.pass(PAUSE);

    assertThat(node.submitted).hasSize(2);
    assertThat(new HashSet<>(node.submitted)).as("the same transaction").hasSize(1);
    assertThat(given(SECOND)).isEqualTo(asked);
  }

  @Test
  void whereMoneyComesByItselfACallerIsNotToldThatItIsMissing() {
    node.moneyComes = true;
    node.ledgerAnswers(SubmitOutcome.InsufficientFunds::new);

    assertThat(node.hasBegun(made())).isTrue();

    node.ledgerTakes();
    node.pass(PAUSE);
    assertThat(node.submitted).hasSize(2);
  }

  @Test
  void aPoolThatIsFullIsAskedAgain() {
    node.ledgerAnswers(SubmitOutcome.PoolFull::new);

    assertThat(node.refused(made()).sentence()).contains("waits for room in the pool");

    node.ledgerTakes();
    node.pass(PAUSE);
    assertThat(node.submitted).hasSize(2);
  }

  @Test
  void aLedgerThatIsNotReachedIsTriedAgain() {
    node.ledgerIsAway();

    long call = made();

    assertThat(node.refused(call).code()).isEqualTo("SQ020012");
    node.pass(PAUSE);
    assertThat(node.submitted).hasSize(2);
  }

  @Test
  void whatTheLedgerNeverTakesIsNotTriedAgain() {
    node.ledgerAnswers(hash -> new SubmitOutcome.Invalid(hash, "It is too long."));

    long call = made(SECOND);
    node.acknowledge(SECOND);

    assertThat(node.refused(call).code()).isEqualTo(GroupRules.UNUSABLE);
    node.pass(PAUSE);
    assertThat(node.submitted).hasSize(1);
    assertThat(node.only().notMade().orElseThrow()).contains("It is too long.");
    assertThat(node.withdrawn).hasSize(1);
    assertThat(node.state().isEmpty()).isTrue();
  }

  /** A pool may lose what is in it. */
  @Test
  void whatIsInThePoolIsTriedAgainUntilTheContractIsIndexed() {
    made();
    node.pass(PAUSE);
    assertThat(node.submitted).hasSize(2);

    node.stand(node.only().id());
    node.pass(PAUSE.multipliedBy(3));

    assertThat(node.submitted).hasSize(2);
    assertThat(node.state().isEmpty()).isTrue();
  }

  /** A pool may take and keep what pays less than blocks ask for. */
  @Test
  void whatIsInThePoolForLongIsOfferedWithMore() {
    made();
    node.pass(GAS.overdueAfter().minusMillis(1));
    assertThat(node.fees()).hasSizeGreaterThan(1).containsOnly(GAS.initial());

    node.pass(PAUSE.multipliedBy(2));

    assertThat(node.fees().getLast()).isEqualTo(GAS.increased(GAS.initial()));
  }

  @Test
  void whatABlockHasThatIsNotFinalIsOfferedWithNoMore() {
    made();
    node.nonce = 1;

    node.pass(GAS.overdueAfter().plus(PAUSE.multipliedBy(3)));

    assertThat(node.fees()).containsOnly(GAS.initial());
  }

  /** It may come into a block though it was offered with more meanwhile. */
  @Test
  void ofWhatWasOfferedBeforeABlockTellsToo() {
    made();
    var first = hash(node.submitted.getFirst());
    node.pass(GAS.overdueAfter().plus(PAUSE));
    assertThat(node.fees().getLast()).isEqualTo(GAS.increased(GAS.initial()));

    node.carriedOutInVain(first);
    node.pass(PAUSE);

    assertThat(node.only().notMade().orElseThrow()).contains(first.toString());
    assertThat(node.state().isEmpty()).isTrue();
  }

  @Test
  void whatThePoolHasTakenIsNotGivenUpSinceItRefusesTheSameForMore() {
    made();
    node.pass(GAS.overdueAfter().minus(PAUSE));
    node.ledgerAnswers(hash -> new SubmitOutcome.Invalid(hash, "Too much."));

    node.pass(PAUSE.multipliedBy(3));

    assertThat(node.fees().getLast()).isEqualTo(GAS.increased(GAS.initial()));
    assertThat(node.only().notMade()).isEmpty();
    assertThat(node.state().isEmpty()).as("tried again").isFalse();
  }

  /** The block may still be replaced. */
  @Test
  void aNonceThatIsUsedIsLookedAtUntilTheContractIsIndexed() {
    node.ledgerAnswers(hash -> new SubmitOutcome.NonceTooLow(hash, 1));

    assertThat(node.hasBegun(made())).isTrue();
    node.pass(PAUSE);
    assertThat(node.state().isEmpty()).as("in no block yet").isFalse();

    var deployment = node.only().deployment().orElseThrow();
    node.blocks.put(
        hash(node.submitted.getFirst()),
        new LedgerReceipt.Deployed(
            new ContractAddress("0x" + "02".repeat(20)),
            deployment.domain(),
            deployment.genesis()));
    node.pass(PAUSE);
    assertThat(node.state().isEmpty()).as("in no final one").isFalse();

    node.stand(node.only().id());
    assertThat(node.state().isEmpty()).isTrue();
    assertThat(node.only().notMade()).isEmpty();
  }

  /** Of the life before, which this one has not seen the pool take. */
  @Test
  void whatHasUsedItsNonceWithoutMakingAContractIsNeverMade() {
    node.ledger =
        submit -> {
          node.carriedOutInVain(hash(submit));
          return Optional.of(new SubmitOutcome.NonceTooLow(hash(submit), 1));
        };

    long call = made();

    assertThat(node.refused(call).code()).isEqualTo(GroupRules.UNUSABLE);
    assertThat(node.only().notMade().orElseThrow())
        .contains("made no contract of the group's transaction " + hash(node.submitted.getFirst()));
  }

  @Test
  void whoOffersMoreDoesNotGiveItAgain() {
    node.ledgerAnswers(hash -> new SubmitOutcome.Underpriced(hash, Fees.flat(1)));
    long call = made(SECOND);
    node.acknowledge(SECOND);
    assertThat(node.refused(call).sentence()).contains("offers too little for its gas");
    int asked = given(SECOND);

    node.pass(PAUSE);

    assertThat(given(SECOND)).isEqualTo(asked);
    assertThat(node.fees()).containsExactly(GAS.initial(), GAS.increased(GAS.initial()));
  }

  @Test
  void neverMoreIsOfferedThanTheMost() {
    var needed = GAS.ceiling().toReplace();
    node.ledgerAnswers(hash -> new SubmitOutcome.Underpriced(hash, needed));
    long call = made();

    node.pass(PAUSE);

    assertThat(node.refused(call).sentence()).contains("ledger.gas.max-fee");
    assertThat(node.fees()).containsExactly(GAS.initial(), GAS.initial());
  }

  @Test
  void whatIsOfferedFirstFollowsTheLedger() {
    node.baseFee = 5_000;

    made();

    assertThat(node.fees()).containsExactly(GAS.first(5_000));
  }

  @Test
  void theLedgerIsAskedAboutOneAfterTheOtherOnceTheFirstTryIsOver() {
    node.ledgerIsAway();
    made();
    made();
    node.ledgerTakes();
    node.holds = true;

    node.pass(PAUSE.multipliedBy(2));
    assertThat(node.held).hasSize(1);
    node.release();

    assertThat(node.submitted).hasSize(4);
  }

  @Test
  void whatALaterTryFailsOverIsSaidInTheLogOnce() {
    made();
    node.ledgerIsAway();

    node.pass(PAUSE.multipliedBy(4));

    assertThat(node.warnings).singleElement().asString().contains("Gone.");
  }

  // Starts

  @Test
  void whatAJvmThatIsGoneHasStoredIsDeployedByTheOneThatTakesOver() {
    node.ledgerIsAway();
    made(SECOND);
    node.acknowledge(SECOND);
    var before = node.only();
    node.ledgerTakes();

    node.restart();
    node.takeUp();
    assertThat(node.submitted).as("all members are asked again").hasSize(1);
    node.acknowledge(SECOND);

    assertThat(node.deployed()).containsExactly(before.id(), before.id());
    assertThat(node.only()).isEqualTo(before);
  }

  /** Keys change between two lives of a process. */
  @Test
  void whatNamesAKeyThatIsRevokedOrGoneAfterARestartIsNeverMade() {
    node.ledgerIsAway();
    made(SECOND);
    node.acknowledge(SECOND);
    made();
    node.ledgerTakes();
    node.standings.put("alice", Standing.REVOKED);
    int before = node.submitted.size();

    node.restart();
    node.takeUp();

    assertThat(node.store.values())
        .hasSize(2)
        .allSatisfy(
            stored ->
                assertThat(stored.notMade())
                    .contains(
                        "The group names a key of member alice@node1 that its node has revoked"
                            + " since: make it anew with the key of now."));
    assertThat(node.submitted).hasSize(before);
    assertThat(node.withdrawn).hasSize(2);
  }

  @Test
  void whatNamesAKeyThatIsNotThereAfterARestartIsNeverMade() {
    node.ledgerIsAway();
    made();
    node.ledgerTakes();
    node.standings.put("alice", Standing.UNKNOWN);
    int before = node.submitted.size();

    node.restart();
    node.takeUp();

    assertThat(node.only().notMade().orElseThrow())
        .contains("that its node does not hold any more");
    assertThat(node.submitted).hasSize(before);
  }

  @Test
  void whatAnotherNodeMakesThisOneOnlyWaitsFor() {
    made();
    var own = node.only();
    node.store.put(
        own.id(), own.withGenesisTransaction(Optional.empty()).withGiver(Optional.of(SECOND)));
    node.restart();

    node.tell(new FoundingInput.TakenUp(node.only(), Optional.empty()));

    assertThat(node.state().isEmpty()).isTrue();
    assertThat(node.submitted).hasSize(1);
  }

  /** It would ask the members anew, and offer the first fees. */
  @Test
  void whoTakesUpTheGroupsOfAnotherJvmGoesOnWithItsOwnAsTheyAre() {
    made(SECOND);
    node.acknowledge(SECOND);
    int asked = node.sent.size();

    node.takeUp();
    node.pass(PAUSE);

    assertThat(node.submitted).hasSize(2);
    assertThat(node.sent).hasSize(asked);
  }

  @Test
  void whoseMembersAreNotToldYetAreToldAfterARestart() {
    made(SECOND);
    node.reject(SECOND, GenesisFlaw.DOMAIN_UNKNOWN);
    node.withdrawn.clear();

    node.restart();
    node.takeUp();

    assertThat(node.withdrawn).extracting(StoredGroup::id).containsExactly(node.only().id());
    assertThat(node.state().isEmpty()).isTrue();
  }

  /** As a node of before has left it. */
  @Test
  void whatHasEndedAndNobodyWasToldIsWithdrawnAtAStart() {
    made(SECOND);
    var stored = node.only();
    node.store.put(stored.id(), stored.withNotMade(Optional.of("It was never made.")));

    node.restart();
    node.takeUp();

    assertThat(node.withdrawn)
        .singleElement()
        .satisfies(
            ended -> {
              assertThat(ended.notMade()).contains("It was never made.");
              assertThat(ended.withdrawal().orElseThrow().untold()).containsExactly(SECOND);
            });
    assertThat(node.submitted).isEmpty();
    assertThat(node.state().isEmpty()).isTrue();
  }

  /** The process may end between the receipt and the end of the group itself. */
  @Test
  void whatHasItsReceiptIsWithdrawnAfterARestart() {
    var asked = node.acceptAndTell("alice@node1", "bob@node2");
    node.tellKey(SECOND);
    node.failures.put(asked.id(), "Nobody takes part.");

    node.restart();
    node.takeUp();

    assertThat(node.only().notMade()).contains("Nobody takes part.");
    assertThat(node.withdrawn).hasSize(1);
    assertThat(node.state().isEmpty()).isTrue();
  }

  /** It was read before it ended, and is told after that. */
  @Test
  void whatHasEndedMeanwhileIsNotTakenUp() {
    made(SECOND);
    var before = node.only();
    node.reject(SECOND, GenesisFlaw.DOMAIN_UNKNOWN);
    int sent = node.sent.size();

    node.tell(new FoundingInput.TakenUp(before, Optional.empty()));

    assertThat(node.sent).hasSize(sent);
    assertThat(node.state().isEmpty()).isTrue();
  }

  // Accepted transactions

  @Test
  void theGroupOfATransactionIsMade() {
    var asked = node.acceptAndTell("alice@node1");

    assertThat(node.only().id()).isEqualTo(idOf(asked));
    assertThat(node.only().genesisTransaction()).contains(asked.id());
    assertThat(node.deployed()).containsExactly(idOf(asked));
    assertThat(node.waitsFor(asked)).contains("Its contract is in no final block yet.");

    node.stand(idOf(asked));
    assertThat(node.waitsFor(asked)).isEmpty();
  }

  @Test
  void whoTakesUpATransactionAfterARestartMakesNoOtherGroup() {
    node.acceptAndTell("alice@node1");
    var before = node.only();

    node.restart();
    node.takeUp();

    assertThat(node.only()).isEqualTo(before);
    assertThat(node.submitted).hasSize(2);
  }

  /** It had answered its caller, and no more. */
  @Test
  void whatAJvmThatIsGoneHasOnlyAcceptedIsMadeByTheOneThatTakesOver() {
    var asked = node.accept("alice@node1");
    assertThat(node.store).isEmpty();

    node.takeUp();

    assertThat(node.only().genesisTransaction()).contains(asked.id());
    assertThat(node.submitted).hasSize(1);
  }

  @Test
  void whatAnotherJvmHasStoredIsLeftToIt() {
    var asked = node.acceptAndTell("alice@node1", "bob@node2");
    node.tellKey(SECOND);
    node.restart();
    int sent = node.sent.size();

    node.tell(new FoundingInput.Accepted());
    node.pass(PAUSE.multipliedBy(2));

    assertThat(node.sent).hasSize(sent);
    assertThat(node.waitsFor(asked)).contains("Its contract is in no final block yet.");
    node.store.computeIfPresent(idOf(asked), (id, it) -> it.withNotMade(Optional.of("No.")));
    node.failures.put(asked.id(), "No.");
    node.pass(PAUSE);
    assertThat(node.state().isEmpty()).as("the other has ended it").isTrue();
  }

  /** Else it would stand still until some JVM of the node starts. */
  @Test
  void whatAnotherJvmDoesNotGetOnWithIsTakenUp() {
    node.acceptAndTell("alice@node1", "bob@node2");
    node.tellKey(SECOND);
    node.restart();
    int asked = given(SECOND);

    node.tell(new FoundingInput.Accepted());
    node.pass(PAUSE.multipliedBy(Founding.PATIENCE + 1));

    assertThat(given(SECOND)).isGreaterThan(asked);
  }

  /** The pool may have it from the other one, and its block only has to become final. */
  @Test
  void whatIsTakenUpFromAnotherJvmIsNotOfferedWithMoreAtOnce() {
    node.acceptAndTell("alice@node1");
    node.restart();
    node.submitted.clear();
    node.ledgerAnswers(hash -> new SubmitOutcome.Underpriced(hash, Fees.flat(1)));

    node.tell(new FoundingInput.Accepted());
    node.pass(PAUSE.multipliedBy(Founding.PATIENCE).plus(GAS.overdueAfter()).minusMillis(1));

    assertThat(node.fees()).hasSizeGreaterThan(1).containsOnly(GAS.initial());
    node.pass(PAUSE);
    assertThat(node.fees().getLast())
        .as("no block takes it")
        .isEqualTo(GAS.increased(GAS.initial()));
    node.submitted.clear();
    node.pass(PAUSE.multipliedBy(2));
    assertThat(node.fees()).containsOnly(GAS.increased(GAS.initial()));
    node.nonce = 1;
    node.submitted.clear();
    node.pass(GAS.overdueAfter().multipliedBy(2));
    assertThat(node.fees()).as("a block has it").isEmpty();
  }

  /** The write that failed has stored it all the same. */
  @Test
  void whatIsStoredThoughTheWriteHasFailedGoesOn() {
    var asked = node.accept("alice@node1", "bob@node2");
    node.failingWrites = 1;
    node.tell(new FoundingInput.Accepted());
    node.tellKey(SECOND);
    assertThat(node.waitsFor(asked).orElseThrow()).contains("Gone.");
    node.store.put(idOf(asked), node.state().get(idOf(asked)).stored().orElseThrow());

    node.pass(PAUSE);

    assertThat(given(SECOND)).isEqualTo(1);
  }

  @Test
  void aNodeThatTellsWhatIsNoKeyIsAskedAgainAndTheTransactionSaysSo() {
    var asked = node.acceptAndTell("alice@node1", "bob@node2");
    assertThat(node.waitsFor(asked).orElseThrow()).contains("are asked for their keys");

    node.tellKey(SECOND, new Verifier(NO_KEY));

    assertThat(node.waitsFor(asked).orElseThrow())
        .contains("Node node2 tells a verifier of bob@node2 that is no public key");
    assertThat(node.store).isEmpty();
    node.pass(PAUSE);
    node.tellKey(SECOND);
    assertThat(node.only().genesisTransaction()).contains(asked.id());
  }

  @Test
  void aNodeThatDoesNotAnswerIsAskedAgainAndTheTransactionSaysSo() {
    var asked = node.acceptAndTell("alice@node1", "bob@node2");

    node.pass(GIVEN_UP);

    assertThat(node.waitsFor(asked).orElseThrow()).contains("node2 does not answer");
    assertThat(node.store).isEmpty();
    int questions = node.sentTo(SECOND, ResolveVerifierRequest.class).size();
    node.pass(PAUSE);
    assertThat(node.sentTo(SECOND, ResolveVerifierRequest.class)).hasSizeGreaterThan(questions);
    node.tellKey(SECOND);

    assertThat(node.only().genesisTransaction()).contains(asked.id());
  }

  /** Its key is known and its group stored: what is missing is the word of a member. */
  @Test
  void whoDoesNotAnswerWhetherItTakesPartIsNamedUntilItDoes() {
    var asked = node.acceptAndTell("alice@node1", "bob@node2");
    node.tellKey(SECOND);
    assertThat(node.waitsFor(asked).orElseThrow()).contains("are asked whether they take part");

    node.pass(GIVEN_UP);
    assertThat(node.waitsFor(asked).orElseThrow()).contains("node2 does not answer");
    node.pass(PAUSE);
    assertThat(node.waitsFor(asked).orElseThrow()).contains("node2 does not answer");
    node.acknowledge(SECOND);

    assertThat(node.waitsFor(asked)).contains("Its contract is in no final block yet.");
  }

  @Test
  void aMembersNodeThatTakesNoPartEndsItAlsoInALaterTry() {
    var asked = node.acceptAndTell("alice@node1", "bob@node2");
    node.tellKey(SECOND);
    node.pass(GIVEN_UP.plus(PAUSE));
    assertThat(node.failures).isEmpty();

    node.reject(SECOND, GenesisFlaw.DOMAIN_UNKNOWN);

    assertThat(node.failures.get(asked.id())).contains("Node node2 has no such domain");
  }

  /** Its receipt says so, and another program of that node's might take it by then. */
  @Test
  void oneThatIsNotMadeIsNotMadeAfterARestartEither() {
    node.acceptAndTell("alice@node1", "bob@node2");
    node.tellKey(SECOND);
    node.reject(SECOND, GenesisFlaw.DOMAIN_UNKNOWN);
    int sent = node.sent.size();

    node.restart();
    node.takeUp();

    assertThat(node.sent).hasSize(sent);
  }

  /** Nothing is there whose end could be stored. */
  @Test
  void whatWasNeverStoredHasItsReceiptThoughItWasToBeStored() {
    var asked = node.accept("alice@node1", "bob@node2");
    node.failingWrites = 1;
    node.tell(new FoundingInput.Accepted());
    node.tellKey(SECOND);
    assertThat(node.store).isEmpty();

    node.pass(PAUSE);
    node.tellKey(SECOND, key(Identity.parse("alice@node1")));

    assertThat(node.failures.get(asked.id())).contains("have the same key");
    assertThat(node.store).isEmpty();
    assertThat(node.state().isEmpty()).isTrue();
  }

  @Test
  void whatCannotBeUsedEndsWithItsSentence() {
    var asked = node.acceptAndTell("alice@node1", "x@nowhere");

    assertThat(node.failures.get(asked.id()))
        .contains("x@nowhere is on a node that this one does not know");
    assertThat(node.store).isEmpty();
    assertThat(node.state().isEmpty()).isTrue();
  }

  /** Else nobody's group would be made any more. */
  @Test
  void whatTheDomainFailsOverEndsAlone() {
    var failing = node.accept(node.request(FoundingNode.FAILING, "alice@node1"));
    var uncounted = node.accept(node.request(FoundingNode.UNCOUNTED, "alice@node1"));
    var other = node.acceptAndTell("alice@node1");

    assertThat(node.failures.get(failing.id()))
        .contains("The domain 'record' cannot check the group's configuration: Gone.");
    assertThat(node.failures.get(uncounted.id()))
        .contains("The domain 'record' cannot tell how many members must endorse: Gone.");
    assertThat(node.deployed()).containsExactly(idOf(other));
    assertThat(node.refused(node.make(failing.request())).sentence()).contains("Gone.");
    assertThat(node.refused(node.make(uncounted.request())).sentence()).contains("Gone.");
  }

  @Test
  void whoseMembersHaveOneKeyEndsWithItsSentence() {
    var asked = node.acceptAndTell("alice@node1", "bob@node2");

    node.tellKey(SECOND, key(Identity.parse("alice@node1")));

    assertThat(node.failures.get(asked.id())).contains("have the same key");
    assertThat(node.store).isEmpty();
    assertThat(node.state().isEmpty()).isTrue();
  }

  @Test
  void anEndThatCannotBeStoredIsStoredLater() {
    node.ledger =
        submit -> {
          node.failingWrites = 1;
          return Optional.of(new SubmitOutcome.Invalid(hash(submit), "It is too long."));
        };
    var asked = node.acceptAndTell("alice@node1");
    assertThat(node.failures).isEmpty();
    assertThat(node.warnings).anyMatch(line -> line.contains("It is too long."));

    node.pass(PAUSE);

    assertThat(node.failures.get(asked.id())).contains("It is too long.");
    assertThat(node.only().notMade().orElseThrow()).contains("It is too long.");
    assertThat(node.submitted).hasSize(1);
    assertThat(node.state().isEmpty()).isTrue();
  }

  /** It was taken all the same, and a contract says more than a failure to make it. */
  @Test
  void aContractThatStandsEndsThePauseOfAnEndThatCannotBeStored() {
    node.ledger =
        submit -> {
          node.failingWrites = 1;
          return Optional.of(new SubmitOutcome.Invalid(hash(submit), "It is too long."));
        };
    var asked = node.acceptAndTell("alice@node1");

    node.stand(idOf(asked));
    node.pass(PAUSE.multipliedBy(2));

    assertThat(node.only().notMade()).isEmpty();
    assertThat(node.state().isEmpty()).isTrue();
  }

  @Test
  void aStoreThatCannotBeReadIsReadLater() {
    var asked = node.accept("alice@node1");
    node.failingReads = 1;

    node.tell(new FoundingInput.Accepted());
    assertThat(node.store).isEmpty();
    assertThat(node.warnings).singleElement().asString().contains("Gone.");
    node.pass(PAUSE);

    assertThat(node.only().genesisTransaction()).contains(asked.id());
  }

  @Test
  void aStoreThatCannotBeLookedIntoIsLookedIntoLater() {
    node.failingFinds = 1;
    var asked = node.acceptAndTell("alice@node1");
    assertThat(node.waitsFor(asked).orElseThrow()).contains("node store").contains("Gone.");

    node.pass(PAUSE);

    assertThat(node.only().genesisTransaction()).contains(asked.id());
  }

  /** What is accepted while the store is read may stand behind what was read. */
  @Test
  void whatIsAcceptedWhileTheStoreIsReadIsReadToo() {
    node.accept("alice@node1");
    node.holds = true;
    node.tell(new FoundingInput.Accepted());
    node.tell(new FoundingInput.Accepted());
    assertThat(node.held).as("one read at a time").hasSize(1);
    node.tell(new FoundingInput.PendingRead(List.of(), Optional.empty()));
    assertThat(node.held).hasSize(2);
    node.held.removeFirst();

    node.release();

    assertThat(node.store).hasSize(1);
  }

  @Test
  void allAreTakenUpHoweverManyThereAre() {
    for (int i = 0; i < 230; i++) {
      node.accept("alice@node1");
    }

    node.tell(new FoundingInput.Accepted());

    assertThat(node.store).hasSize(230);
  }

  // A contract that stands

  /** Another JVM may have made it, or an earlier life. */
  @Test
  void aContractThatStandsEndsItWhereverItIs() {
    var ended = EnumSet.noneOf(FoundingPhase.class);
    for (int steps = 1; steps <= 11; steps++) {
      var each = new FoundingNode();
      each.holds = true;
      each.ledgerAnswers(hash -> new SubmitOutcome.NonceTooLow(hash, 1));
      var asked = each.acceptAndTell("alice@node1", "bob@node2");
      for (int i = 0; i < steps; i++) {
        each.goOn(SECOND);
      }
      ended.add(each.state().find(idOf(asked)).orElseThrow().phase());

      each.stand(idOf(asked));
      each.release();

      assertThat(each.state().isEmpty()).isTrue();
    }
    assertThat(ended)
        .containsExactlyInAnyOrder(
            FoundingPhase.FINDING,
            FoundingPhase.ASKING_KEYS,
            FoundingPhase.STORING,
            FoundingPhase.ASKING_MEMBERS,
            FoundingPhase.LOOKING,
            FoundingPhase.SUBMITTING,
            FoundingPhase.CHECKING,
            FoundingPhase.UNMADE);
  }

  @Test
  void aContractThatStandsEndsItsWaitForOthers() {
    var unbegun = node.acceptAndTell("alice@node1", "bob@node2");
    node.tellNoKey(SECOND);
    node.stand(idOf(unbegun));
    assertThat(node.state().makings()).isEmpty();
    node.accepted.clear();

    var elsewhere = node.acceptAndTell("alice@node1", "bob@node2");
    node.tellKey(SECOND);
    node.pass(GIVEN_UP);
    node.restart();
    node.tell(new FoundingInput.Accepted());
    node.stand(idOf(elsewhere));
    assertThat(node.state().makings()).isEmpty();
    node.accepted.clear();

    var ungiven = node.acceptAndTell("alice@node1", "bob@node2");
    node.tellKey(SECOND);
    node.pass(GIVEN_UP);
    node.stand(idOf(ungiven));
    assertThat(node.state().isEmpty()).isTrue();
  }

  // How many

  @Test
  void onlySoManyAreMadeAtATime() {
    node.ledgerIsAway();
    for (int i = 0; i < FoundingState.MOST; i++) {
      assertThat(node.refused(made()).code()).isEqualTo("SQ020012");
    }

    var refused = node.refused(made());
    assertThat(refused.code()).isEqualTo("SQ020022");
    assertThat(refused.sentence()).contains("at most 1000 groups at a time");
    assertThat(node.store).as("nothing of the others is stored").hasSize(FoundingState.MOST);
    assertThat(node.refused(node.reserve(1)).code()).isEqualTo("SQ020022");
    assertThat(node.outcomes.get(node.reserve(0))).isEqualTo(new Outcome.Room());

    node.stand(first());
    assertThat(node.outcomes.get(node.reserve(1))).isEqualTo(new Outcome.Room());
    assertThat(node.refused(node.reserve(2)).code()).isEqualTo("SQ020022");
    assertThat(node.refused(made()).code()).as("there is room for one").isEqualTo("SQ020012");
    assertThat(node.refused(made()).code()).isEqualTo("SQ020022");
  }

  private GroupId first() {
    return node.store.keySet().iterator().next();
  }

  @Test
  void whatIsBeingMadeTakesRoomFromTheBegin() {
    for (int i = 0; i < FoundingState.MOST; i++) {
      node.make("alice@node1", "bob@node2");
    }
    assertThat(node.refused(made()).code()).isEqualTo("SQ020022");

    node.pass(GIVEN_UP);

    assertThat(node.store).as("node2 has told no key").isEmpty();
    assertThat(node.hasBegun(made())).isTrue();
  }

  // Keys that callers want

  @Test
  void aCallerIsToldAKey() {
    long own = node.resolve("alice@node1");
    assertThat(node.outcomes.get(own))
        .isEqualTo(new Outcome.Resolved(key(new Identity("alice", SELF))));
    long call = node.resolve("bob@node2");

    node.tellKey(SECOND);

    assertThat(node.outcomes.get(call))
        .isEqualTo(new Outcome.Resolved(key(Identity.parse("bob@node2"))));
    assertThat(node.state().isEmpty()).isTrue();
  }

  @Test
  void aCallerIsToldWhyThereIsNoKey() {
    long unknown = node.resolve("bob@node2");
    node.tellNoKey(SECOND);
    assertThat(node.refused(unknown).code()).isEqualTo("SQ020015");
    assertThat(node.refused(unknown).sentence()).doesNotContain("<script>");

    long none = node.resolve("bob@node2");
    node.tellKey(SECOND, new Verifier(NO_KEY));
    assertThat(node.refused(none).sentence()).contains("that is no public key");

    long silent = node.resolve("bob@node2");
    node.pass(GIVEN_UP);
    assertThat(node.refused(silent).sentence()).contains("node2 does not answer");
  }

  @Test
  void aLateAnswerSaysNothing() {
    node.resolve("bob@node2");
    node.pass(GIVEN_UP);

    node.tellKey(SECOND);

    assertThat(node.outcomes).hasSize(1);
  }
}
