package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.crypto.FileKeys;
import dev.sequitur.crypto.IntentSalt;
import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.OlderRecords.Done;
import dev.sequitur.protocol.indexing.OlderRecords.Sent;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node looks through before it starts is bounded (RCV-7). */
class FirstMissedBlocksTest {
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "1".repeat(40));
  private static final Identity ALICE = Identity.parse("alice@node1");
  private static final TransactionId SERIES = new TransactionId(new UUID(7, 0x4200));
  private static final BlockHeight HEAD = new BlockHeight(100_000);

  @TempDir private Path directory;
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final AtomicInteger signatures = new AtomicInteger();
  private Keys keys;
  private OwnOnLedger own;

  @BeforeEach
  void aNodeOfAlice() throws IOException {
    var kept = FileKeys.open(directory);
    keys =
        new Keys() {
          @Override
          public Verifier verifier(String name) {
            return kept.verifier(name);
          }

          @Override
          public Bytes sign(String name, Hash digest) {
            signatures.incrementAndGet();
            return kept.sign(name, digest);
          }
        };
    var group =
        new PrivacyGroup(
            new GroupId(new Hash(1, 0, 0, 0)),
            1,
            CONTRACT,
            "token",
            "group",
            new Committee(List.of(new Member(ALICE, kept.verifier("alice")))),
            1,
            Bytes.EMPTY);
    own =
        new OwnOnLedger(
            new NodeName("node1"),
            contract -> Optional.of(group).filter(it -> contract.equals(CONTRACT)),
            keys,
            new Secp256k1Signatures());
  }

  @Test
  void aLedgerThatAnswersSlowlyIsReadForHalfAMinuteAndWhatWasFoundCounts() {
    var missed = FirstMissedBlocks.from(new BlockHeight(11), nanos::get);
    var slow =
        (FirstMissedBlocks.Reading)
            (from, most) -> {
              nanos.addAndGet(Duration.ofSeconds(10).toNanos());
              return blocks(from, most, List.of());
            };

    var shown = missed.shown(HEAD, slow, own);

    assertThat(shown.upTo()).contains(new BlockHeight(10 + 3 * 32));
    assertThat(missed.left()).isZero();
  }

  @Test
  void whatWasFoundBeforeAPageThatFailsCountsAndItIsSaidUpToWhere() {
    var intent = new IntentKey(SERIES, commitment());
    var shown =
        FirstMissedBlocks.from(new BlockHeight(11), nanos::get)
            .shown(
                HEAD,
                (from, most) -> {
                  if (from.value() > 11) {
                    throw new StartFailure("The time is over.");
                  }
                  return blocks(from, most, List.of(intent));
                },
                own);

    assertThat(shown.done()).contains(new Sent(new BlockHeight(11), CONTRACT, SERIES));
    assertThat(shown.upTo()).contains(new BlockHeight(10 + 32));
  }

  @Test
  void aLedgerThatFailsAtOnceHasShownNothing() {
    assertThatThrownBy(
            () ->
                FirstMissedBlocks.from(new BlockHeight(11), nanos::get)
                    .shown(
                        HEAD,
                        (from, most) -> {
                          throw new StartFailure("It is away.");
                        },
                        own))
        .isInstanceOf(StartFailure.class);
  }

  private SenderCommitment commitment() {
    var salt = IntentSalt.of(keys, NodeKeyNames.salts(), CONTRACT, SERIES, ALICE);
    return SenderCommitment.of(CONTRACT, SERIES, ALICE, salt);
  }

  @Test
  void aQuickLedgerIsReadForSoManyBlocksAndNothingIsSaidOfAnEarlyEnd() {
    var missed = FirstMissedBlocks.from(new BlockHeight(11), nanos::get);
    var read = new AtomicInteger();

    var shown =
        missed.shown(
            HEAD,
            (from, most) -> {
              read.addAndGet(most);
              return blocks(from, most, List.of());
            },
            own);

    assertThat(shown.upTo()).isEmpty();
    assertThat(read).hasValue(4_096);
  }

  @Test
  void theSaltOfASeriesIsMadeOnceHoweverManyOfItsIntentsTheLedgerShows() {
    var commitment = commitment();
    var intents =
        IntStream.range(0, 50)
            .mapToObj(place -> new IntentKey(SERIES.at(place), commitment))
            .toList();
    signatures.set(0);

    var shown =
        FirstMissedBlocks.from(new BlockHeight(1), nanos::get)
            .shown(new BlockHeight(1), (from, most) -> blocks(from, 1, intents), own);

    assertThat(shown.done())
        .containsExactlyElementsOf(
            intents.stream()
                .<Done>map(it -> new Sent(new BlockHeight(1), CONTRACT, it.transaction()))
                .toList());
    assertThat(signatures).hasValue(1);
  }

  private static List<Block> blocks(BlockHeight from, int most, List<IntentKey> intents) {
    return LongStream.range(from.value(), from.value() + most)
        .mapToObj(BlockHeight::new)
        .map(
            height ->
                new Block(
                    height,
                    new Hash(height.value(), 0, 0, 0),
                    new Hash(height.value() - 1, 0, 0, 0),
                    Instant.EPOCH,
                    intents.isEmpty() ? List.of() : List.of(receipt(height, intents))))
        .toList();
  }

  private static LedgerReceipt receipt(BlockHeight height, List<IntentKey> intents) {
    return new LedgerReceipt(
        new TransactionHash(new Hash(9, 0, 0, 0)),
        new LedgerAddress("0x" + "b".repeat(40)),
        0,
        height,
        0,
        intents.stream()
            .<LedgerReceipt.Result>map(
                intent ->
                    new LedgerReceipt.Fulfilled(CONTRACT, intent, List.of(), List.of(), List.of()))
            .toList());
  }
}
