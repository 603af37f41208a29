package dev.sequitur.schedule.queue;

import static dev.sequitur.schedule.queue.SignaturesUnderTest.ALICE_KEY;
import static dev.sequitur.schedule.queue.SignaturesUnderTest.BOB_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.multisignature.MultiSignatureOperation;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings.Limits;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.Submission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** MSIG-25: of two faults the first is told, in the order that docs/hedera.md has. */
class MultiSignatureOrderTest {
  private static final Path PAGE = Path.of("../docs/hedera.md");
  private static final EntityId NOBODY = new EntityId(999_999);
  private static final Pattern ROW = Pattern.compile("\\| \\d+ \\| [^|]+\\| `([A-Z_]+)`.*");

  private final SignaturesUnderTest queue = new SignaturesUnderTest(MultiSignatureSettings.CURRENT);

  /** What can be wrong with any transaction once it is read, in their order. */
  private enum Fault {
    ID(
        ResponseCode.TRANSACTION_ID_FIELD_NOT_ALLOWED,
        (by, queue) ->
            by.withId(
                new AccountTransactionId(
                    by.id().validStart(), by.id().account(), by.id().scheduled(), 1))),
    LONG_MEMO(ResponseCode.MEMO_TOO_LONG, (by, queue) -> by.withMemo("x".repeat(101))),
    ZERO_IN_MEMO(
        ResponseCode.INVALID_ZERO_BYTE_IN_STRING, (by, queue) -> by.withMemo(by.memo() + "\0")),
    DURATION(
        ResponseCode.INVALID_TRANSACTION_DURATION, (by, queue) -> by.withValidSeconds(100_000)),
    START(ResponseCode.INVALID_TRANSACTION_START, (by, queue) -> at(by, queue.queue.nowMs + 1)),
    EXPIRED(ResponseCode.TRANSACTION_EXPIRED, (by, queue) -> at(by, queue.queue.nowMs - 120_000)),
    AGAIN(
        ResponseCode.DUPLICATE_TRANSACTION,
        (by, queue) -> {
          queue.status(transfer(queue, queue.by(by.id(), ALICE_KEY)));
          return by;
        }),
    NO_PAYER(ResponseCode.PAYER_ACCOUNT_NOT_FOUND, (by, queue) -> by.withId(of(by.id(), NOBODY))),
    UNSIGNED(
        ResponseCode.INVALID_PAYER_SIGNATURE,
        (by, queue) -> by.withSignatures(SignaturesUnderTest.signatures(by.content(), BOB_KEY))),
    SMALL_FEE(ResponseCode.INSUFFICIENT_TX_FEE, (by, queue) -> by.withMaxFee(0)),
    POOR(
        ResponseCode.INSUFFICIENT_PAYER_BALANCE,
        (by, queue) -> by.withId(of(by.id(), queue.open(ALICE_KEY))));

    private final ResponseCode code;
    private final BiFunction<Submission, SignaturesUnderTest, Submission> made;

    Fault(ResponseCode code, BiFunction<Submission, SignaturesUnderTest, Submission> made) {
      this.code = code;
      this.made = made;
    }

    /** One makes something else of the id than the other needs. */
    boolean excludes(Fault other) {
      return (this == START && other == EXPIRED)
          || (this == AGAIN && (other == NO_PAYER || other == POOR))
          || (this == NO_PAYER && other == POOR);
    }
  }

  private static Submission at(Submission by, long millis) {
    var start = new ConsensusTime(ConsensusTime.ofMillis(millis).nanos());
    var id = by.id();
    return by.withId(new AccountTransactionId(start, id.account(), id.scheduled(), id.nonce()));
  }

  private static AccountTransactionId of(AccountTransactionId id, EntityId payer) {
    return new AccountTransactionId(id.validStart(), payer, id.scheduled(), id.nonce());
  }

  private static MultiSignatureOperation.CryptoTransfer transfer(
      SignaturesUnderTest queue, Submission by) {
    return new MultiSignatureOperation.CryptoTransfer(
        by,
        new Action.CryptoTransfer(
            List.of(
                SignaturesUnderTest.row(queue.alice, -1), SignaturesUnderTest.row(queue.bob, 1))));
  }

  static Stream<Arguments> pairs() {
    return Arrays.stream(Fault.values())
        .flatMap(
            first ->
                Arrays.stream(Fault.values())
                    .filter(second -> second.compareTo(first) >= 0 && !first.excludes(second))
                    .map(second -> Arguments.of(first, second)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void ofTwoFaultsTheFirstIsTold(Fault first, Fault second) {
    var by = second.made.apply(queue.byAlice(), queue);

    assertThat(queue.status(transfer(queue, first.made.apply(by, queue)))).isEqualTo(first.code);
  }

  @Test
  void whetherThereIsRoomIsAskedBetweenTheIdAndThePayer() {
    var full =
        new SignaturesUnderTest(
            MultiSignatureSettings.CURRENT.withLimits(Limits.DEFAULT.withMaxRecords(2)));
    var used = full.byAlice();
    full.status(transfer(full, used));

    assertThat(full.status(transfer(full, used))).isEqualTo(ResponseCode.DUPLICATE_TRANSACTION);
    assertThat(full.status(transfer(full, full.by(NOBODY, ALICE_KEY))))
        .isEqualTo(ResponseCode.BUSY);
  }

  @Test
  void thePageHasThemInThisOrder() throws IOException {
    var told =
        Files.readAllLines(PAGE).stream()
            .map(ROW::matcher)
            .filter(row -> row.matches())
            .map(row -> row.group(1))
            .toList();

    assertThat(told)
        .containsSubsequence(
            Arrays.stream(Fault.values())
                .map(
                    fault ->
                        fault == Fault.UNSIGNED
                            ? ResponseCode.INVALID_SIGNATURE.name()
                            : fault.code.name())
                .toList());
  }
}
