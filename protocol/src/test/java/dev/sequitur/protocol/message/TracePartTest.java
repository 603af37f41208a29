package dev.sequitur.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.message.TracedMessage.Sight;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What another node may make this one keep of a trace is bounded. */
class TracePartTest {
  private static final UUID PROCESS = new UUID(1, 2);
  private static final List<TransactionId> ONE = List.of(Contract.transaction(Contract.A, 1).id());
  private static final String LONGEST = "x".repeat(1_000);

  private static TracedMessage message(
      List<TransactionId> transactions, String role, String type, String detail) {
    return new TracedMessage(
        Sight.SENT,
        1,
        Instant.EPOCH,
        new MessageId(PROCESS),
        Optional.empty(),
        Contract.A,
        role,
        Contract.B,
        "coordinator",
        Optional.empty(),
        type,
        transactions,
        detail);
  }

  private static TracePart part(TracedMessage message) {
    return new TracePart(PROCESS, 1, List.of(message), 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64})
  void isOfOneTo64Processes(int processes) {
    assertThatCode(() -> new TracePart(PROCESS, processes, List.of(), 0))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 65})
  void isNotOfFewerOrMoreProcesses(int processes) {
    assertThatThrownBy(() -> new TracePart(PROCESS, processes, List.of(), 0))
        .hasMessageContaining("of 1 to 64 processes");
  }

  @Test
  void leavesOutNoFewerThanNoMessages() {
    assertThatCode(() -> new TracePart(PROCESS, 1, List.of(), 0)).doesNotThrowAnyException();
    assertThatThrownBy(() -> new TracePart(PROCESS, 1, List.of(), -1))
        .hasMessageContaining("not 1 and -1");
  }

  @Test
  void holdsAThousandMessagesAtMost() {
    var one = message(ONE, "sender", "Dispatch", "");
    assertThatCode(() -> new TracePart(PROCESS, 1, Collections.nCopies(1_000, one), 0))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> new TracePart(PROCESS, 1, Collections.nCopies(1_001, one), 0))
        .hasMessageContaining("at most 1000 messages");
  }

  @Test
  void eachMessageIsAboutOneTransactionAtMostAndShort() {
    assertThatCode(() -> part(message(ONE, LONGEST, LONGEST, LONGEST))).doesNotThrowAnyException();
    assertThatCode(() -> part(message(List.of(), "sender", "Dispatch", "").with(ONE, "a", LONGEST)))
        .doesNotThrowAnyException();
    var two = List.of(ONE.getFirst(), Contract.transaction(Contract.A, 2).id());
    assertRefused(message(two, "sender", "Dispatch", ""));
    assertRefused(message(ONE, LONGEST + "x", "Dispatch", ""));
    assertRefused(message(ONE, "sender", LONGEST + "x", ""));
    assertRefused(message(ONE, "sender", "Dispatch", LONGEST + "x"));
    assertRefused(message(ONE, "sender", "Dispatch", "").with(ONE, "a", LONGEST + "x"));
  }

  private static void assertRefused(TracedMessage message) {
    assertThatThrownBy(() -> part(message)).hasMessageContaining("each about one transaction");
  }

  @Test
  void aNumberOrRolesAreReplacedAndNothingElse() {
    var before = message(ONE, "sender", "Dispatch", "detail");
    assertThat(before.withNumber(7).number()).isEqualTo(7);
    assertThat(before.withNumber(7).withNumber(1)).isEqualTo(before);
    var changed = before.with(List.of(), "store", "endorser");
    assertThat(changed.fromRole()).isEqualTo("store");
    assertThat(changed.with(ONE, "sender", "coordinator")).isEqualTo(before);
  }
}
