package dev.sequitur.protocol.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.LedgerTransaction.Call;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import dev.sequitur.protocol.ledger.LedgerTransaction.Invoke;
import dev.sequitur.protocol.ledger.LedgerTransaction.PublicCall;
import dev.sequitur.protocol.ledger.LedgerTransaction.UseNonce;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Signature;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is signed is all that a transaction does. */
class LedgerTransactionTest {
  private static final LedgerAddress SIGNER = new LedgerAddress("0x" + "01".repeat(20));

  /** Of each kind some, no two of which do the same. */
  private static final List<Call> CALLS =
      List.of(
          new UseNonce(),
          new Deploy("token", genesis("one")),
          new Deploy("record", genesis("one")),
          new Deploy("token", genesis("another")),
          Invoke.of(prepared(1, "made")),
          Invoke.of(prepared(2, "made")),
          Invoke.of(prepared(1, "made otherwise")),
          new Invoke(List.of(prepared(1, "made"), prepared(2, "made"))),
          new Invoke(List.of(prepared(2, "made"), prepared(1, "made"))),
          change(1, 9),
          change(2, 9),
          change(1, 10),
          new ChangeCommittee(Contract.ADDRESS, change(1, 9).change(), List.of()),
          publicly(Optional.of(Contract.ADDRESS), "called", 0),
          publicly(Optional.of(Contract.ADDRESS), "called", 1),
          publicly(Optional.of(Contract.ADDRESS), "called otherwise", 0),
          publicly(Optional.empty(), "called", 0));

  private static ChangeCommittee change(int number, long until) {
    var party = Contract.party(Contract.A);
    var change =
        new CommitteeChange(number, Contract.GROUP.committees().newest(), new BlockHeight(until));
    return new ChangeCommittee(
        Contract.ADDRESS,
        change,
        List.of(new Signature(party, Contract.OTHER_KEY, Bytes.utf8("signed"))));
  }

  private static PublicCall publicly(Optional<ContractAddress> to, String data, long value) {
    return new PublicCall(to, Bytes.utf8(data), BigInteger.valueOf(value));
  }

  @Test
  void moneyGoesAlongWithPublicCallsOnly() {
    assertThat(CALLS)
        .filteredOn(call -> !(call instanceof PublicCall))
        .extracting(Call::value)
        .containsOnly(BigInteger.ZERO);
    assertThat(publicly(Optional.empty(), "called", 7).value()).isEqualTo(BigInteger.valueOf(7));
  }

  @Test
  void everyKindOfCallIsAmongTheExamples() {
    assertThat(CALLS)
        .<Class<?>>extracting(Call::getClass)
        .contains(Call.class.getPermittedSubclasses());
  }

  @Test
  void noTwoCallsHaveTheSameHash() {
    assertThat(CALLS)
        .extracting(
            call ->
                CanonicalSigning.digest(new LedgerTransaction(SIGNER, 0, Fees.flat(1), 1, call)))
        .doesNotHaveDuplicates();
  }

  @Test
  void aCallOfNoKnownKindHasNoHash() {
    assertThatThrownBy(
            () -> CanonicalSigning.digest(new LedgerTransaction(SIGNER, 0, Fees.flat(1), 1, null)))
        .isNotNull();
  }

  @Test
  void whatIsSignedIsTheDigestWhichIsTheHashToo() {
    var transaction = new LedgerTransaction(SIGNER, 0, Fees.flat(1), 1, new UseNonce());
    var verifier = Contract.GROUP.committee().members().getFirst().verifier();
    var signer = new Signer(verifier, digest -> Bytes.of(digest.toByteArray()));

    var signed = CanonicalSigning.sign(transaction, signer);

    var digest = CanonicalSigning.digest(transaction);
    assertThat(signed)
        .isEqualTo(
            new SignedLedgerTransaction(
                transaction,
                new TransactionHash(digest),
                verifier,
                Bytes.of(digest.toByteArray())));
  }

  @Test
  void whatItTakesOfABlockIsItsTransitionsAndAtLeastOne() {
    assertThat(weight(new UseNonce())).isEqualTo(1);
    assertThat(weight(new Deploy("token", genesis("one")))).isEqualTo(1);
    assertThat(weight(new Invoke(List.of()))).isEqualTo(1);
    assertThat(weight(Invoke.of(prepared(1, "made")))).isEqualTo(1);
    assertThat(weight(new Invoke(List.of(prepared(1, "made"), prepared(2, "made"))))).isEqualTo(2);
  }

  private static int weight(Call call) {
    return new LedgerTransaction(SIGNER, 0, Fees.flat(1), 1, call).weight();
  }

  @Test
  void aDeploymentsHashCoversDomainAndGenesis() {
    assertThat(
            List.of(
                new Deploy("token", genesis("one")).hash(),
                new Deploy("record", genesis("one")).hash(),
                new Deploy("token", genesis("another")).hash()))
        .doesNotHaveDuplicates();
  }

  @Test
  void aGroupIsWhatItsGenesisSaysAtTheAddressOfItsContract() {
    var genesis = genesis("one");
    var group = new LedgerReceipt.Deployed(Contract.ADDRESS, "token", genesis).group(7);

    assertThat(group.id()).isEqualTo(genesis.group());
    assertThat(group.chainId()).isEqualTo(7);
    assertThat(group.contract()).isEqualTo(Contract.ADDRESS);
    assertThat(group.domain()).isEqualTo("token");
    assertThat(group.name()).isEqualTo("one");
    assertThat(group.committee()).isEqualTo(genesis.committee());
    assertThat(group.endorsementThreshold()).isEqualTo(1);
  }

  @Test
  void aTransitionThatWasRefusedIsOfItsIntent() {
    var key = Contract.transaction(Contract.A, 1).key();
    var reverted =
        new LedgerReceipt.Reverted(
            Contract.ADDRESS, key, LedgerReceipt.RevertReason.STATE_SPENT, "Spent.");
    assertThat(reverted.transaction()).isEqualTo(key.transaction());
  }

  @Test
  void feesCoverOthersIfNeitherIsBelow() {
    var fees = new Fees(10, 5);

    assertThat(fees.cover(fees)).isTrue();
    assertThat(fees.cover(new Fees(9, 4))).isTrue();
    assertThat(fees.cover(new Fees(11, 5))).isFalse();
    assertThat(fees.cover(new Fees(10, 6))).isFalse();
    assertThat(fees.orMore(new Fees(3, 7))).isEqualTo(new Fees(10, 7));
    assertThat(Fees.flat(4)).isEqualTo(new Fees(4, 4));
  }

  @Test
  void whatReplacesAnotherPaysATenthMoreRoundedUpAndAtLeastOneMore() {
    assertThat(new Fees(100, 10).toReplace()).isEqualTo(new Fees(110, 11));
    assertThat(new Fees(101, 0).toReplace()).isEqualTo(new Fees(112, 1));
    assertThat(new Fees(Long.MAX_VALUE, Long.MAX_VALUE - 1).toReplace())
        .isEqualTo(Fees.flat(Long.MAX_VALUE));
    // The dearest that a tenth can still be added to: more / 10 rounded up is then 10 / 11 of it.
    long dear = Long.MAX_VALUE / 11 * 10;
    assertThat(Fees.flat(dear).toReplace()).isEqualTo(Fees.flat(dear / 10 * 11));
  }

  @Test
  void aPriceIsAddedToUpToTheLastThatATenthFitsUnder() {
    long most = Long.MAX_VALUE - Long.MAX_VALUE / 11;

    assertThat(Fees.flat(most).toReplace().max()).isGreaterThan(most);
    assertThat(Fees.flat(Long.MAX_VALUE).toReplace()).isEqualTo(Fees.flat(Long.MAX_VALUE));
  }

  @Test
  void gasCostsItsPriceEachAlsoBeyondWhatALongHolds() {
    assertThat(new Fees(7, 2).cost(21_000)).isEqualTo(147_000);
    assertThat(Fees.flat(0).cost(21_000)).isZero();
    assertThat(Fees.flat(1).cost(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(Fees.flat(1L << 31).cost(1L << 31)).isEqualTo(BigInteger.TWO.pow(62));
    assertThat(Fees.flat(1L << 32).cost(1L << 31)).isEqualTo(BigInteger.TWO.pow(63));
    assertThat(Fees.flat(1L << 32).cost(1L << 32)).isEqualTo(BigInteger.TWO.pow(64));
  }

  @Test
  void aTransferAtAnotherPriceIsTheSameOtherwise() {
    var transfer = new GasTransfer(3, SIGNER, BigInteger.valueOf(500), Fees.flat(2));

    assertThat(transfer.with(new Fees(9, 1)))
        .isEqualTo(new GasTransfer(3, SIGNER, BigInteger.valueOf(500), new Fees(9, 1)));
  }

  @Test
  void aCallOfAPublicTransactionSaysWhomItCallsWithWhatAndHowMuchGoesAlong() {
    for (var to : List.of(Optional.of(Contract.ADDRESS), Optional.<ContractAddress>empty())) {
      var transaction =
          new PublicTransaction(
              Contract.transaction(Contract.A, 1).id(),
              Contract.party(Contract.A),
              to,
              Bytes.utf8("called"),
              BigInteger.TEN,
              21_000,
              PublicTransaction.Source.NONE);
      assertThat(PublicCall.of(transaction)).isEqualTo(publicly(to, "called", 10));
    }
  }

  @Test
  void aCallHasSucceededUnlessItsReceiptSaysWhyNot() {
    var hash = Contract.hash("call");
    assertThat(
            new LedgerReceipt.Called(hash, Optional.empty(), Bytes.EMPTY, Optional.empty())
                .success())
        .isTrue();
    assertThat(
            new LedgerReceipt.Called(hash, Optional.empty(), Bytes.EMPTY, Optional.of("No gas."))
                .success())
        .isFalse();
  }

  private static ContractGenesis genesis(String name) {
    return new ContractGenesis(
        new GroupId(Contract.hash("group")), name, Contract.GROUP.committee(), 1, Bytes.EMPTY);
  }

  private static PreparedTransaction prepared(long number, String output) {
    return new PreparedTransaction(
        Contract.transaction(Contract.A, number).key(),
        Contract.ADDRESS,
        List.of(),
        List.of(),
        List.of(Contract.state(output, Contract.A).id()),
        Proof.NONE);
  }
}
