package dev.sequitur.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.protocol.group.GroupMessage;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A batch is no larger than any node makes it (MSG-3). */
class GroupMessagesTest {
  private static final ContractAddress GROUP = new ContractAddress("0x" + "ab".repeat(20));

  @Test
  void itEndsWithTheNumberOfItsLast() {
    assertThat(batch(1, 1).last()).isEqualTo(1);
    assertThat(batch(7, GroupMessages.MOST).last()).isEqualTo(70);
  }

  @Test
  void noneAndTooManyAreNoBatch() {
    assertThatIllegalArgumentException().isThrownBy(() -> batch(1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> batch(1, GroupMessages.MOST + 1));
    assertThatIllegalArgumentException().isThrownBy(() -> batch(0, 1));
  }

  @Test
  void itBeginsAfterWhatItsReceiverHas() {
    var contents = batch(7, 1).contents();
    assertThat(new GroupMessages(GROUP, 3, 7, contents).last()).isEqualTo(7);
    assertThatIllegalArgumentException().isThrownBy(() -> new GroupMessages(GROUP, 7, 7, contents));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GroupMessages(GROUP, -1, 7, contents));
  }

  @Test
  void aReceiverMayHaveNoneOfThem() {
    assertThat(new GroupMessagesAcknowledgement(GROUP, 0, true).again()).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GroupMessagesAcknowledgement(GROUP, -1, false));
  }

  private static GroupMessages batch(long first, int count) {
    var content = new GroupMessage.Content(Instant.EPOCH, Optional.empty(), "topic", Bytes.EMPTY);
    return new GroupMessages(
        GROUP, Math.max(0, first - 1), first, Collections.nCopies(count, content));
  }
}
