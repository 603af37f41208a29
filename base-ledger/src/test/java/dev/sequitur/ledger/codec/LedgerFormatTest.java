package dev.sequitur.ledger.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.encoding.Codec;
import dev.sequitur.encoding.MalformedBytesException;
import dev.sequitur.ledger.Intent;
import dev.sequitur.ledger.Party;
import dev.sequitur.ledger.TestNetwork;
import dev.sequitur.protocol.group.ChangeFlaw;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LedgerFormatTest {
  private static final Codec<SignedLedgerTransaction> SIGNED =
      LedgerFormat.of(SignedLedgerTransaction.class);
  private static final Codec<Block> BLOCK = LedgerFormat.of(Block.class);
  private static final Codec<LedgerReceipt> RECEIPT = LedgerFormat.of(LedgerReceipt.class);
  private static final Codec<SubmitOutcome> OUTCOME = LedgerFormat.of(SubmitOutcome.class);

  private static final Party SALLY = TestNetwork.SALLY;
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "c".repeat(40));

  static Stream<SignedLedgerTransaction> transactions() {
    return Stream.of(
        SALLY.signed(3, 7, TestNetwork.deployment()),
        SALLY.signed(
            4, Intent.on(CONTRACT, "a").spends("x").reads("y").makes("z", "w").endorsedBy(SALLY)),
        SALLY.signed(Long.MAX_VALUE, Long.MAX_VALUE, Intent.on(CONTRACT, "b").endorsedBy()),
        SALLY.signed(5, 8, new LedgerTransaction.UseNonce()),
        SALLY.signed(
            6,
            8,
            new LedgerTransaction.PublicCall(
                Optional.of(CONTRACT), Bytes.utf8("called"), BigInteger.TEN.pow(20))),
        SALLY.signed(
            7,
            8,
            new LedgerTransaction.PublicCall(
                Optional.empty(), Bytes.utf8("made"), BigInteger.ZERO)),
        SALLY.signed(
            8,
            8,
            new LedgerTransaction.ChangeCommittee(
                CONTRACT, change(), List.of(SALLY.sign(change().digest(1, CONTRACT))))));
  }

  private static CommitteeChange change() {
    var alone = new Committee(List.of(SALLY.member()));
    return new CommitteeChange(1, new Quorum(alone, 1), new BlockHeight(9));
  }

  static List<SubmitOutcome> outcomes() {
    var hash = new TransactionHash(new Hash(1, 2, 3, 4));
    return List.of(
        new SubmitOutcome.Pooled(hash),
        new SubmitOutcome.NonceTooLow(hash, 5),
        new SubmitOutcome.Underpriced(hash, new Fees(7, 6)),
        new SubmitOutcome.InsufficientFunds(hash),
        new SubmitOutcome.PoolFull(hash),
        new SubmitOutcome.Invalid(hash, "Because."));
  }

  static Stream<LedgerReceipt> receipts() {
    var like = block().receipts().get(0);
    var usedNonce =
        new LedgerReceipt(
            like.hash(), like.signer(), 1, like.block(), 2, List.of(new LedgerReceipt.NonceUsed()));
    var called =
        new LedgerReceipt(
            like.hash(),
            like.signer(),
            2,
            like.block(),
            3,
            List.of(
                new LedgerReceipt.Called(
                    new Hash(1, 2, 3, 4),
                    Optional.of(CONTRACT),
                    Bytes.utf8("why"),
                    Optional.of("Because."))));
    var changed =
        new LedgerReceipt(
            like.hash(),
            like.signer(),
            3,
            like.block(),
            4,
            List.of(
                new LedgerReceipt.CommitteeChanged(CONTRACT, change()),
                new LedgerReceipt.ChangeRefused(CONTRACT, 2, ChangeFlaw.TOO_LATE)));
    return Stream.concat(block().receipts().stream(), Stream.of(usedNonce, called, changed));
  }

  @ParameterizedTest
  @MethodSource("receipts")
  void aReceiptIsReadAsItWasWritten(LedgerReceipt receipt) {
    assertThat(RECEIPT.decode(RECEIPT.encode(receipt))).isEqualTo(receipt);
  }

  @Test
  void everyKindIsAmongThoseThatAreRead() {
    assertThat(transactions().map(signed -> signed.transaction().call()))
        .satisfies(calls -> assertAllKinds(LedgerTransaction.Call.class, calls));
    assertThat(receipts().flatMap(receipt -> receipt.results().stream()))
        .satisfies(results -> assertAllKinds(LedgerReceipt.Result.class, results));
    assertThat(outcomes()).satisfies(all -> assertAllKinds(SubmitOutcome.class, all));
  }

  private static void assertAllKinds(Class<?> kinds, List<?> examples) {
    assertThat(examples)
        .<Class<?>>extracting(Object::getClass)
        .contains(kinds.getPermittedSubclasses());
  }

  /** Less would be written than is read, or something else be stored than is signed. */
  @Test
  void whatIsOfNoKnownKindIsNotWritten() {
    var some = SALLY.signed(3, 7, TestNetwork.deployment());
    var unknown = new LedgerTransaction(some.transaction().signer(), 3, Fees.flat(7), 1, null);
    var signed =
        new SignedLedgerTransaction(unknown, some.hash(), some.verifier(), some.signature());

    assertThatThrownBy(() -> SIGNED.encode(signed)).isNotNull();
    assertThatThrownBy(() -> OUTCOME.encode(null)).isNotNull();
  }

  @ParameterizedTest
  @MethodSource("transactions")
  void aTransactionIsReadAsItWasWritten(SignedLedgerTransaction transaction) {
    assertThat(SIGNED.decode(SIGNED.encode(transaction))).isEqualTo(transaction);
  }

  @Test
  void aBlockWithEveryKindOfReceiptIsReadAsItWasWritten() {
    assertThat(BLOCK.decode(BLOCK.encode(block()))).isEqualTo(block());
  }

  @Test
  void everyOutcomeIsReadAsItWasWritten() {
    for (var outcome : outcomes()) {
      assertThat(OUTCOME.decode(OUTCOME.encode(outcome))).isEqualTo(outcome);
    }
  }

  @Test
  void theBytesOfABlockNeverChange() {
    assertThat(Hash.sha256(BLOCK.encode(block())))
        .isEqualTo(Hash.hex("0x417b1b6001ee43b98dba40bfaee2acf322d68466cb883ec5925522522491a4ed"));
  }

  @Test
  void theBytesOfATransactionNeverChange() {
    assertThat(transactions().map(it -> Hash.sha256(SIGNED.encode(it)).toString()))
        .containsExactly(
            "0x949b91cb394d3eb7cfd10c06e570291489cddb3d740be0b1f352a234450d7a11",
            "0x809e03918983053c8c04cc82a07dd12cfc5ec9065a5d8d1f57eb19d9ce4880b2",
            "0xd0f314216c6e39ef43da528e2e51c1a3d927e6417129b8f4fbc56638fd762b31",
            "0xd600bda75e956d2f9e37e85253f227394c8fd0131ebcba563f96f05aa5c67f62",
            "0xe2c6c06b6c4eb42e20d2b555369a2db4e5ce1d876142ea6af95616d33bcc7768",
            "0x1182c68d7fe4b89b807b2e557aa6edcc562c13becb805703cac3a299de68e415",
            "0x36c0921409fb6c1b74c801451498ac88195dda50240eaf9d9e37bd7157c15611");
  }

  @Test
  void bytesThatAreCutShortOrTooManyAreMalformed() {
    var whole = BLOCK.encode(block());
    for (int length = 0; length < whole.length; length++) {
      var cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> BLOCK.decode(cut)).isInstanceOf(MalformedBytesException.class);
    }
    var longer = Arrays.copyOf(whole, whole.length + 1);
    assertThatThrownBy(() -> BLOCK.decode(longer))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessage("There are 1 bytes too many.");
  }

  @Property(tries = 500)
  void arbitraryBytesAreMalformedOrSomethingButNeverHarmful(@ForAll byte[] bytes) {
    for (var codec : List.of(SIGNED, BLOCK, OUTCOME)) {
      try {
        assertThat((Object) codec.decode(bytes)).isNotNull();
      } catch (MalformedBytesException expected) {
        assertThat(expected).hasMessageEndingWith(".");
      }
    }
  }

  @Property(tries = 300)
  void aTransactionWithOneByteChangedIsMalformedOrAnother(@ForAll int at, @ForAll byte change) {
    var original = transactions().skip(1).findFirst().orElseThrow();
    var bytes = SIGNED.encode(original);
    bytes[Math.floorMod(at, bytes.length)] ^= change;
    try {
      var read = SIGNED.decode(bytes);
      assertThat(read.equals(original)).isEqualTo(change == 0);
    } catch (MalformedBytesException expected) {
      assertThat(change).isNotZero();
    }
  }

  private static Block block() {
    var intent = Intent.on(CONTRACT, "a").spends("x").reads("y").makes("z");
    var results =
        Stream.concat(
                Stream.of(
                    new Deployed(CONTRACT, "token", TestNetwork.deployment().genesis()),
                    new Fulfilled(
                        CONTRACT, intent.key(), intent.inputs(), intent.reads(), intent.outputs())),
                Stream.of(RevertReason.values())
                    .map(reason -> new Reverted(CONTRACT, intent.key(), reason, "No: ü.")))
            .toList();
    var receipts =
        IntStream.range(0, results.size())
            .mapToObj(
                i ->
                    new LedgerReceipt(
                        new TransactionHash(new Hash(i, 0, 0, 1)),
                        SALLY.address(),
                        i,
                        new BlockHeight(9),
                        i,
                        List.<LedgerReceipt.Result>copyOf(
                            i == 0 ? results : results.subList(i, i + 1))))
            .toList();
    return new Block(
        new BlockHeight(9),
        new Hash(1, 2, 3, 4),
        new Hash(-1, -2, -3, -4),
        Instant.ofEpochMilli(1_700_000_000_123L),
        receipts,
        Optional.of(new Hash(5, 6, 7, 8)));
  }
}
