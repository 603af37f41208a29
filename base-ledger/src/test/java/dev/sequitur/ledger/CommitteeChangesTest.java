package dev.sequitur.ledger;

import static dev.sequitur.ledger.Party.named;
import static dev.sequitur.ledger.TestNetwork.ALICE;
import static dev.sequitur.ledger.TestNetwork.BOB;
import static dev.sequitur.ledger.TestNetwork.CAROL;
import static dev.sequitur.ledger.TestNetwork.MALLORY;
import static dev.sequitur.ledger.TestNetwork.SALLY;
import static dev.sequitur.ledger.TestNetwork.SIMON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.group.ChangeFlaw;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.ledger.LedgerReceipt.ChangeRefused;
import dev.sequitur.protocol.ledger.LedgerReceipt.CommitteeChanged;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.transaction.Signature;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A committee changes by a public act of its group's contract (CMT-3, CMT-4). */
class CommitteeChangesTest extends OnOneContract {
  private static final Party OTHER_CAROL =
      new Party(CAROL.identity(), named("carol-later").verifier());

  @TempDir private Path directory;

  @Test
  void aMemberIsAddedAndEndorsesFromTheNextBlockOn() {
    var change = change(1, 100, ALICE, BOB, CAROL, SIMON);

    assertThat(run(signed(change, ALICE, BOB, CAROL, SIMON)))
        .isEqualTo(new CommitteeChanged(contract, change));
    assertThat(run(mint("a"), ALICE, BOB, CAROL, SIMON)).isInstanceOf(Fulfilled.class);
  }

  @Test
  void aLostKeyIsReplacedByAnother() {
    network.close();
    network = new TestNetwork();
    contract = network.deployed(new Deploy("token", TestNetwork.genesis(2, ALICE, BOB, CAROL)));
    var change = change(1, network.head() + 1, ALICE, BOB, OTHER_CAROL);

    run(signed(change, ALICE, BOB, OTHER_CAROL));

    assertThat(reason(run(mint("a"), ALICE, CAROL))).isEqualTo(RevertReason.COMMITTEE_CHANGED);
    assertThat(reason(run(mint("b"), ALICE, OTHER_CAROL)))
        .isEqualTo(RevertReason.ENDORSEMENT_INVALID);
    assertThat(run(mint("c"), ALICE, BOB, OTHER_CAROL)).isInstanceOf(Fulfilled.class);
  }

  @Test
  void whatTheCommitteeBeforeHasEndorsedIsTakenUpToTheBlockThatTheChangeNames() {
    run(signed(change(1, network.head() + 3, ALICE, BOB), ALICE, BOB, CAROL));

    assertThat(run(mint("a"), ALICE, BOB, CAROL)).isInstanceOf(Fulfilled.class);
    assertThat(run(mint("b"), ALICE, BOB)).isInstanceOf(Fulfilled.class);
    run(signed(change(2, 100, ALICE, BOB, OTHER_CAROL), ALICE, BOB, OTHER_CAROL));
    // Of one that is older than the last but one nothing is kept.
    assertThat(reason(run(mint("c"), ALICE, CAROL))).isEqualTo(RevertReason.COMMITTEE_CHANGED);
    assertThat(run(mint("d"), ALICE, BOB)).isInstanceOf(Fulfilled.class);
  }

  /** The block of the change is the last that is judged as if there were none. */
  @Test
  void inItsOwnBlockAChangeCountsForNothing() {
    var change = signed(change(1, 100, ALICE, BOB), ALICE, BOB, CAROL);
    network.submit(SALLY.signed(nonce++, change));
    var byTwo = SALLY.signed(nonce++, mint("a").endorsedBy(ALICE, BOB));
    var byAll = SALLY.signed(nonce++, mint("b").endorsedBy(ALICE, BOB, CAROL));
    network.submit(byTwo);
    network.submit(byAll);
    network.submit(SALLY.signed(nonce++, signed(change(2, 100, ALICE), ALICE, BOB)));
    var second = network.cut().receipts().getLast();

    assertThat(reason(network.result(byTwo))).isEqualTo(RevertReason.ENDORSEMENT_INVALID);
    assertThat(network.result(byAll)).isInstanceOf(Fulfilled.class);
    assertThat(second.results())
        .containsExactly(new ChangeRefused(contract, 2, ChangeFlaw.SECOND_IN_BLOCK));
  }

  @Test
  void aChangeThatIsRefusedLeavesNothing() {
    var change = change(1, 100, ALICE, BOB);

    assertThat(run(signed(change, ALICE, BOB))).isEqualTo(refused(ChangeFlaw.TOO_FEW_SIGNED));
    assertThat(run(signed(change, ALICE, BOB, forged(CAROL, change))))
        .isEqualTo(refused(ChangeFlaw.TOO_FEW_SIGNED));
    assertThat(run(new ChangeCommittee(elsewhere(), change, List.of())))
        .isEqualTo(new ChangeRefused(elsewhere(), 1, ChangeFlaw.CONTRACT_UNKNOWN));
    assertThat(reason(run(mint("a"), ALICE, BOB))).isEqualTo(RevertReason.ENDORSEMENT_INVALID);
    assertThat(run(mint("b"), ALICE, BOB, CAROL)).isInstanceOf(Fulfilled.class);
    assertThat(run(signed(change, ALICE, BOB, CAROL)))
        .isEqualTo(new CommitteeChanged(contract, change));
    assertThat(run(signed(change, ALICE, BOB, CAROL)))
        .isEqualTo(refused(ChangeFlaw.NUMBER_NOT_NEXT));
  }

  /** What was signed for one contract says nothing for another one. */
  @Test
  void aChangeOfAnotherGroupIsNoneOfThis() {
    var other = network.deployed();
    var change = change(1, 100, ALICE, BOB);
    var signatures = signed(change, ALICE, BOB, CAROL).signatures();

    assertThat(run(new ChangeCommittee(other, change, signatures)))
        .isEqualTo(new ChangeRefused(other, 1, ChangeFlaw.TOO_FEW_SIGNED));
  }

  @Test
  void whoeverBringsItToTheLedgerNeedsNoPlaceInIt() {
    var change = signed(change(1, 100, ALICE, BOB), ALICE, BOB, CAROL);

    assertThat(network.mined(MALLORY.signed(0, change))).isInstanceOf(CommitteeChanged.class);
  }

  @Test
  void aReplacedBlockTakesItsChangeWithIt() {
    network.close();
    network =
        new TestNetwork(LedgerStorage.inMemory(), LedgerSettings.DEFAULT.withFinalityDepth(5));
    contract = network.deployed();
    run(signed(change(1, 100, ALICE, BOB), ALICE, BOB, CAROL));
    assertThat(run(mint("a"), ALICE, BOB)).isInstanceOf(Fulfilled.class);

    network.ledger.reorganise(new Reorganisation(2, 7, 0, 1));

    nonce = 0;
    assertThat(reason(run(mint("b"), ALICE, BOB))).isEqualTo(RevertReason.ENDORSEMENT_INVALID);
    assertThat(run(mint("c"), ALICE, BOB, CAROL)).isInstanceOf(Fulfilled.class);
  }

  @Test
  void itIsOnTheDiskWithItsBlock() {
    network.close();
    network = new TestNetwork(LedgerStorage.levelDb(directory), LedgerSettings.DEFAULT);
    contract = network.deployed();
    run(signed(change(1, 1, ALICE, BOB), ALICE, BOB, CAROL));
    run(signed(change(1, 3, ALICE, BOB), ALICE, BOB, CAROL));
    network.close();

    network = new TestNetwork(LedgerStorage.levelDb(directory), LedgerSettings.DEFAULT);

    assertThat(run(mint("a"), ALICE, BOB)).isInstanceOf(Fulfilled.class);
    assertThat(reason(run(mint("b"), BOB, CAROL))).isEqualTo(RevertReason.ENDORSEMENT_INVALID);
  }

  @Test
  void theAuditFindsAChangeThatDoesNotFollow() {
    run(signed(change(1, 100, ALICE, BOB), ALICE, BOB, CAROL));
    run(signed(change(2, 100, ALICE), ALICE, BOB));
    var audit = new LedgerAudit(Conservation.UNKNOWN);

    assertThat(audit.read(network.ledger, new BlockHeight(100)).report().holds()).isTrue();

    var gap = new LedgerAudit(Conservation.UNKNOWN);
    var blocks = network.blocks();
    gap.accept(blocks.get(0));
    gap.accept(blocks.get(2));
    assertThat(gap.report().count(AuditReport.Kind.CONTRACT_WRONG)).isOne();
  }

  @Test
  void thePoolTakesNoneThatIsTooLarge() {
    var change = change(1, 100, ALICE, BOB);
    var signature = ALICE.sign(change.digest(BaseLedger.LOCAL_CHAIN, contract));
    var tooMany = Collections.nCopies(2 * TransactionCheck.MAX_MEMBERS + 1, signature);

    assertThat(network.submit(SALLY.signed(0, new ChangeCommittee(contract, change, tooMany))))
        .isInstanceOf(SubmitOutcome.Invalid.class);
  }

  private ChangeRefused refused(ChangeFlaw flaw) {
    return new ChangeRefused(contract, 1, flaw);
  }

  private Intent mint(String id) {
    return Intent.on(contract, id).makes("coin of " + id);
  }

  private static ContractAddress elsewhere() {
    return ContractRules.contractAddress(MALLORY.address(), 9);
  }

  /** All of them must endorse, and sign for the next change. */
  private static CommitteeChange change(int number, long until, Party... members) {
    var committee = new Committee(Stream.of(members).map(Party::member).toList());
    return new CommitteeChange(
        number, new Quorum(committee, members.length), new BlockHeight(until));
  }

  private ChangeCommittee signed(CommitteeChange change, Party... signers) {
    var digest = change.digest(BaseLedger.LOCAL_CHAIN, contract);
    return new ChangeCommittee(
        contract, change, Stream.of(signers).map(signer -> signer.sign(digest)).toList());
  }

  private ChangeCommittee signed(CommitteeChange change, Party one, Party other, Signature more) {
    var both = signed(change, one, other).signatures();
    return new ChangeCommittee(
        contract, change, Stream.concat(both.stream(), Stream.of(more)).toList());
  }

  private Signature forged(Party party, CommitteeChange change) {
    return party.sign(change.digest(BaseLedger.LOCAL_CHAIN + 1, contract));
  }
}
