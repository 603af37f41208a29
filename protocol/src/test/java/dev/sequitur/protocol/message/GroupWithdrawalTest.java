package dev.sequitur.protocol.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.fixture.Contract;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.RequestId;
import org.junit.jupiter.api.Test;

/** What says that a group is never made. */
class GroupWithdrawalTest {
  private static final RequestId REQUEST = new RequestId("request");
  private static final GroupId GROUP = Contract.GROUP.id();

  @Test
  void aReasonIsCutByWhoSendsItAndRefusedByWhoReadsIt() {
    var longest = "x".repeat(GroupWithdrawal.MOST_REASON);

    assertThat(GroupWithdrawal.of(REQUEST, GROUP, "short").reason()).isEqualTo("short");
    assertThat(GroupWithdrawal.of(REQUEST, GROUP, longest + "y").reason()).isEqualTo(longest);
    assertThat(new GroupWithdrawal(REQUEST, GROUP, longest).reason()).isEqualTo(longest);
    assertThatThrownBy(() -> new GroupWithdrawal(REQUEST, GROUP, longest + "y"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 1000");
  }
}
