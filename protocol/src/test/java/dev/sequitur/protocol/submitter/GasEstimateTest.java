package dev.sequitur.protocol.submitter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.fixture.Messages;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a call is given gas for, by an EVM's prices: 21,000 for each transaction, 16 for a byte. */
class GasEstimateTest {
  private static final long TRANSACTION = 21_000;

  /** Of nothing: no states, no path, no signatures. */
  private static final PreparedTransaction BARE = Messages.DISTRIBUTION.prepared();

  /** The id is in the same series, and the commitment is another one. */
  private static final IntentKey OTHER_SERIES =
      new IntentKey(BARE.transaction(), new SenderCommitment(Contract.hash("other")));

  @Test
  void aTransactionThatOnlyUsesItsNonceCostsWhatEachDoes() {
    assertThat(GasEstimate.of(new UseNonce())).isEqualTo(TRANSACTION);
  }

  @Test
  void aPublicCallCostsItsBytesToo() {
    var data = Bytes.of(new byte[100]);

    assertThat(GasEstimate.of(new PublicCall(Optional.empty(), data, BigInteger.ZERO)))
        .isEqualTo(TRANSACTION + 100 * 16);
  }

  @Test
  void aContractCostsANewSlotAndAWordForEachOfItsMembers() {
    long ofOne = GasEstimate.of(deployment(1));

    assertThat(ofOne).isGreaterThan(TRANSACTION + 250_000);
    assertThat(GasEstimate.of(deployment(3)) - ofOne).isEqualTo(2 * (22_100 + 32 * 16));
  }

  private static Deploy deployment(int members) {
    var committee = new Committee(Contract.GROUP.committee().members().subList(0, members));
    return new Deploy(
        "test", new ContractGenesis(Contract.GROUP.id(), "group", committee, 1, Bytes.EMPTY));
  }

  /** Id, commitment, three lengths and the head of its group of signatures; hashing; a new slot. */
  @Test
  void eachTransitionCostsItsBytesItsHashAndTheSlotOfItsIntent() {
    long one = GasEstimate.of(new Invoke(List.of(BARE)));
    long two = GasEstimate.of(new Invoke(List.of(BARE, bare(OTHER_SERIES))));

    assertThat(two - one).isEqualTo((16 + 32 + 6 + 7) * 16 + 2_400 + 22_100);
    assertThat(one).isEqualTo(TRANSACTION + 21_000 + (4 + 3 * 32) * 16 + two - one);
  }

  /** An input is given up, a read is looked at, an output takes a slot; each is hashed. */
  @Test
  void eachStateEachSiblingOfThePathAndEachSignatureCosts() {
    var leaves = Stream.of("a", "b", "c", "d").map(Contract::hash).toList();
    var path = MerkleTree.of(leaves).path(0);
    assertThat(path.siblings()).hasSize(2);
    var signed =
        new Signature(
            Contract.party(Contract.A),
            new Verifier(Bytes.of(new byte[33])),
            Bytes.of(new byte[65]));
    var whole =
        new PreparedTransaction(
            BARE.intent(),
            BARE.contract(),
            states("input", 1),
            states("read", 2),
            states("output", 3),
            new Proof(path, List.of(signed)));

    long bytes = 6 * 32 + (5 + 2 * 32) + 66;
    long gas = 6 * 450 + 2 * 400 + 3 * 22_100 + 5_000 + 2 * 2_100 + 4_500;
    assertThat(GasEstimate.of(Invoke.of(whole)) - GasEstimate.of(Invoke.of(BARE)))
        .isEqualTo(16 * bytes + gas);
  }

  private static List<StateId> states(String name, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Contract.state(name + i, Contract.A).id())
        .toList();
  }

  /** A slot that the call has written costs little to write again. */
  @Test
  void intentsOfOneSeriesPayForTheirSlotOnce() {
    var id = BARE.transaction();
    var neighbour = bare(new IntentKey(id.at((id.place() + 1) % 256), BARE.intent().commitment()));
    var other = bare(OTHER_SERIES);

    long alone = GasEstimate.of(new Invoke(List.of(BARE, other)));
    long together = GasEstimate.of(new Invoke(List.of(BARE, neighbour)));
    assertThat(alone - together).isEqualTo(22_100 - 200);
    assertThat(GasEstimate.of(new Invoke(List.of(BARE, other, neighbour))))
        .as("whatever stands between them")
        .isEqualTo(GasEstimate.of(new Invoke(List.of(BARE, neighbour, other))));
  }

  private static PreparedTransaction bare(IntentKey intent) {
    return new PreparedTransaction(
        intent, BARE.contract(), BARE.inputs(), BARE.reads(), BARE.outputs(), BARE.proof());
  }

  @Test
  void whatOneMoreWouldCostIsWhatItCosts() {
    var estimate = new GasEstimate();
    estimate.add(BARE);
    long bytes = estimate.bytes();
    assertThat(estimate.gas()).isEqualTo(GasEstimate.of(Invoke.of(BARE)));

    var other = new GasEstimate(estimate);
    other.add(bare(OTHER_SERIES));

    assertThat(estimate.bytes()).as("is not changed by the copy").isEqualTo(bytes);
    assertThat(other.bytes()).isEqualTo(2 * bytes - (4 + 3 * 32));
    assertThat(other.gas())
        .isEqualTo(GasEstimate.of(new Invoke(List.of(BARE, bare(OTHER_SERIES)))));
  }
}
