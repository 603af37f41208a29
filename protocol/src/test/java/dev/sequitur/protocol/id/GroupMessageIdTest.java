package dev.sequitur.protocol.id;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An id stands for one message of one sender in one group. */
class GroupMessageIdTest {
  private static final ContractAddress GROUP = new ContractAddress("0x" + "ab".repeat(20));
  private static final ContractAddress OTHER = new ContractAddress("0x" + "cd".repeat(20));
  private static final NodeName A = new NodeName("a");
  private static final NodeName B = new NodeName("b");

  @Test
  void itFollowsFromGroupSenderAndNumber() {
    var ids =
        Stream.of(
                GroupMessageId.of(GROUP, A, 1),
                GroupMessageId.of(GROUP, A, 2),
                GroupMessageId.of(GROUP, B, 1),
                GroupMessageId.of(OTHER, A, 1))
            .toList();

    assertThat(ids).doesNotHaveDuplicates();
    assertThat(GroupMessageId.of(GROUP, A, 1)).isEqualTo(ids.get(0));
  }

  /** It stays for ever: receivers of other releases have worked it out, too. */
  @Test
  void itIsAUuidOfTheFormThatIsForOnesOwnUse() {
    for (long number = 1; number <= 64; number++) {
      var id = GroupMessageId.of(GROUP, A, number);

      assertThat(id.value().version()).isEqualTo(8);
      assertThat(id.value().variant()).isEqualTo(2);
      assertThat(id).hasToString(id.value().toString());
    }
  }
}
