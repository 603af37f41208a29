package dev.sequitur.ledger.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.ledger.Intent;
import dev.sequitur.ledger.Party;
import dev.sequitur.ledger.TestNetwork;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.LedgerReceipt.Deployed;
import dev.sequitur.protocol.ledger.LedgerReceipt.Fulfilled;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import dev.sequitur.protocol.ledger.LedgerReceipt.Reverted;
import dev.sequitur.protocol.ledger.LedgerTransaction;
import dev.sequitur.protocol.ledger.SignedLedgerTransaction;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CodecTest {
  private static final Party SALLY = TestNetwork.SALLY;
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "c".repeat(40));

  static Stream<SignedLedgerTransaction> transactions() {
    return Stream.of(
        SALLY.signed(3, 7, TestNetwork.deployment()),
        SALLY.signed(
            4, Intent.on(CONTRACT, "a").spends("x").reads("y").makes("z", "w").endorsedBy(SALLY)),
        SALLY.signed(Long.MAX_VALUE, Long.MAX_VALUE, Intent.on(CONTRACT, "b").endorsedBy()),
        SALLY.signed(5, 8, new LedgerTransaction.UseNonce()));
  }

  static List<SubmitOutcome> outcomes() {
    var hash = new TransactionHash(new Hash(1, 2, 3, 4));
    return List.of(
        new SubmitOutcome.Pooled(hash),
        new SubmitOutcome.NonceTooLow(hash, 5),
        new SubmitOutcome.Underpriced(hash, 6),
        new SubmitOutcome.PoolFull(hash),
        new SubmitOutcome.Invalid(hash, "Because."));
  }

  static Stream<LedgerReceipt> receipts() {
    var like = block().receipts().get(0);
    var usedNonce =
        new LedgerReceipt(
            like.hash(), like.signer(), 1, like.block(), 2, new LedgerReceipt.NonceUsed());
    return Stream.concat(block().receipts().stream(), Stream.of(usedNonce));
  }

  @ParameterizedTest
  @MethodSource("receipts")
  void aReceiptIsReadAsItWasWritten(LedgerReceipt receipt) {
    assertThat(
            again(
                receipt,
                (ByteWriter out, LedgerReceipt it) -> BlockCodec.write(out, it),
                BlockCodec::readReceipt))
        .isEqualTo(receipt);
  }

  @Test
  void everyKindIsAmongThoseThatAreRead() {
    assertThat(transactions().map(signed -> signed.transaction().call()))
        .satisfies(calls -> assertAllKinds(LedgerTransaction.Call.class, calls));
    assertThat(receipts().map(LedgerReceipt::result))
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
    var unknown = new LedgerTransaction(some.transaction().signer(), 3, 7, null);
    var signed =
        new SignedLedgerTransaction(unknown, some.hash(), some.verifier(), some.signature());
    var receipt = block().receipts().get(0);
    var strange = new LedgerReceipt(receipt.hash(), receipt.signer(), 0, receipt.block(), 0, null);

    assertThatThrownBy(() -> bytes(signed, TransactionCodec::write)).isNotNull();
    assertThatThrownBy(() -> BlockCodec.write(new ByteWriter(), strange)).isNotNull();
    assertThatThrownBy(() -> BlockCodec.write(new ByteWriter(), (SubmitOutcome) null)).isNotNull();
  }

  @ParameterizedTest
  @MethodSource("transactions")
  void aTransactionIsReadAsItWasWritten(SignedLedgerTransaction transaction) {
    assertThat(again(transaction, TransactionCodec::write, TransactionCodec::readSigned))
        .isEqualTo(transaction);
  }

  @Test
  void aBlockWithEveryKindOfReceiptIsReadAsItWasWritten() {
    assertThat(again(block(), BlockCodec::write, BlockCodec::readBlock)).isEqualTo(block());
  }

  @Test
  void everyOutcomeIsReadAsItWasWritten() {
    for (var outcome : outcomes()) {
      assertThat(
              again(
                  outcome,
                  (ByteWriter out, SubmitOutcome it) -> BlockCodec.write(out, it),
                  BlockCodec::readOutcome))
          .isEqualTo(outcome);
    }
  }

  @Test
  void theBytesOfABlockNeverChange() {
    assertThat(Hash.sha256(bytes(block(), BlockCodec::write)))
        .isEqualTo(Hash.hex("0x893a477b9db9386d12935ab3e8d02aad76c85ca893a2333c141d2fc0cd5b5d44"));
  }

  @Test
  void theBytesOfATransactionNeverChange() {
    assertThat(transactions().map(it -> Hash.sha256(bytes(it, TransactionCodec::write)).toString()))
        .containsExactly(
            "0xe61e1eb53e804597ed03116e99d411e43741f4d10d01dd2ac93573d9af36d174",
            "0x9a4c3dc451e1e3ad7519c0e5c1615054aba46214004bc04fb8519558875b6d52",
            "0x7d17012b777fcdf7676bd577dd6e1ee9f2350ce1fd2da83fe92993efd8cf5f99",
            "0x5a7477c3cd2124e485af0a3259311e515537b3efb86774f2939ba6e441b92a13");
  }

  @Test
  void bytesThatAreCutShortOrTooManyAreMalformed() {
    var whole = bytes(block(), BlockCodec::write);
    for (int length = 0; length < whole.length; length++) {
      var cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> ByteReader.readAll(cut, BlockCodec::readBlock))
          .isInstanceOf(MalformedBytesException.class);
    }
    var longer = Arrays.copyOf(whole, whole.length + 1);
    assertThatThrownBy(() -> ByteReader.readAll(longer, BlockCodec::readBlock))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessage("There are 1 bytes too many.");
  }

  @Property(tries = 500)
  void arbitraryBytesAreMalformedOrSomethingButNeverHarmful(@ForAll byte[] bytes) {
    for (Function<ByteReader, ?> reader :
        List.<Function<ByteReader, ?>>of(
            TransactionCodec::readSigned, BlockCodec::readBlock, BlockCodec::readOutcome)) {
      try {
        ByteReader.readAll(bytes, reader);
      } catch (MalformedBytesException expected) {
        assertThat(expected).hasMessageEndingWith(".");
      }
    }
  }

  @Property(tries = 300)
  void aTransactionWithOneByteChangedIsMalformedOrAnother(@ForAll int at, @ForAll byte change) {
    var original = transactions().skip(1).findFirst().orElseThrow();
    var bytes = bytes(original, TransactionCodec::write);
    bytes[Math.floorMod(at, bytes.length)] ^= change;
    try {
      var read = ByteReader.readAll(bytes, TransactionCodec::readSigned);
      assertThat(read.equals(original)).isEqualTo(change == 0);
    } catch (MalformedBytesException expected) {
      assertThat(change).isNotZero();
    }
  }

  @Test
  void aListThatClaimsToBeHugeIsNotBelieved() {
    var bytes = new ByteWriter().putInt(Integer.MAX_VALUE).putLong(0).toByteArray();

    assertThatThrownBy(() -> ByteReader.readAll(bytes, in -> in.getAll(ByteReader::getByte)))
        .isInstanceOf(MalformedBytesException.class)
        .hasMessageContaining("where 8 bytes are left");
    assertThatThrownBy(() -> ByteReader.readAll(bytes, ByteReader::getBytes))
        .isInstanceOf(MalformedBytesException.class);
  }

  @Test
  void anotherFormatIsNamed() {
    assertThatThrownBy(
            () ->
                ByteReader.readAll(
                    new byte[] {9},
                    in -> {
                      in.expectVersion(1);
                      return in;
                    }))
        .hasMessage("Written in format 9; this version of Sequitur reads 1.");
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
                        results.get(i)))
            .toList();
    return new Block(
        new BlockHeight(9),
        new Hash(1, 2, 3, 4),
        new Hash(-1, -2, -3, -4),
        Instant.ofEpochMilli(1_700_000_000_123L),
        receipts);
  }

  private static <T> T again(
      T value, BiConsumer<ByteWriter, T> writer, Function<ByteReader, T> reader) {
    return ByteReader.readAll(bytes(value, writer), reader);
  }

  private static <T> byte[] bytes(T value, BiConsumer<ByteWriter, T> writer) {
    var out = new ByteWriter();
    writer.accept(out, value);
    return out.toByteArray();
  }
}
