package dev.sequitur.protocol.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.protocol.group.GroupMessage.Content;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupMessageId;
import dev.sequitur.protocol.id.NodeName;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Nothing too long is a message (MSG-6). */
class GroupMessageTest {
  private static final ContractAddress GROUP = new ContractAddress("0x" + "ab".repeat(20));
  private static final NodeName A = new NodeName("a");
  private static final Bytes MOST = Bytes.of(new byte[Content.MOST_BYTES]);

  @Test
  void whatIsJustShortEnoughIsOne() {
    assertThat(content("t".repeat(Content.MOST_TOPIC), MOST).size())
        .isEqualTo(Content.MOST_BYTES + Content.MOST_TOPIC);
    assertThat(content("t", Bytes.EMPTY).size()).isEqualTo(1);
    var message = new GroupMessage(GROUP, A, 1, content("t", MOST));
    assertThat(message.id()).isEqualTo(GroupMessageId.of(GROUP, A, 1));
  }

  @Test
  void whatIsTooLongIsRefusedInASentence() {
    var tooLong = Bytes.of(new byte[Content.MOST_BYTES + 1]);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> content("t", tooLong))
        .withMessage("A message has at most 65536 bytes, and not 65537.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> content("", MOST))
        .withMessage("A topic has 1 to 256 characters, and not 0.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> content("t".repeat(257), MOST))
        .withMessage("A topic has 1 to 256 characters, and not 257.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GroupMessage(GROUP, A, 0, content("t", MOST)))
        .withMessage("A message's number is above 0, and not 0.");
  }

  private static Content content(String topic, Bytes data) {
    return new Content(Instant.EPOCH, Optional.empty(), topic, data);
  }
}
