package dev.sequitur.protocol.message;

import static dev.sequitur.protocol.fixture.Contract.A;
import static dev.sequitur.protocol.fixture.Contract.ADDRESS;
import static dev.sequitur.protocol.fixture.Messages.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification.Asked;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification.CannotSubmit;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A member's words for people stand in receipts and heartbeats: they are cut, whoever made them.
 */
class MemberWordsTest {
  /** One character that takes two places. */
  private static final String WIDE = "\uD83D\uDD11";

  @Test
  void whyASubmitterCannotSubmitIsCut() {
    assertThat(new CannotSubmit(Instant.EPOCH, WIDE.repeat(200)).why()).isEqualTo(WIDE.repeat(200));
    assertThat(new CannotSubmit(Instant.EPOCH, WIDE.repeat(201)).why()).isEqualTo(WIDE.repeat(200));
  }

  @Test
  void whatAnEndorserIsSaidToHaveSaidIsCut() {
    assertThat(asked("y".repeat(200)).said()).contains("y".repeat(200));
    assertThat(asked("y".repeat(1_000_000)).said()).contains("y".repeat(200));
  }

  private static Asked asked(String said) {
    return new Asked(Contract.party(A), Instant.EPOCH, 1, Optional.of(said));
  }

  @Test
  void whyATransactionIsGivenUpIsCut() {
    assertThat(reverted("z".repeat(1_000)).reason()).isEqualTo("z".repeat(1_000));
    assertThat(reverted("z".repeat(1_000_000)).reason()).isEqualTo("z".repeat(1_000));
  }

  private static TransactionReverted reverted(String reason) {
    return new TransactionReverted(
        new RequestId("told"), FIRST.id(), ADDRESS, Optional.empty(), reason, true);
  }
}
