package dev.sequitur.protocol.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.StateId;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class PrivateStateTest {
  @Test
  void noMorePartiesMayHoldItThanAGroupCanHave() {
    assertThat(heldBy(PrivateState.MOST_PARTIES).distribution()).hasSize(PrivateState.MOST_PARTIES);
    assertThatThrownBy(() -> heldBy(PrivateState.MOST_PARTIES + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("At most 10000 parties may hold a state, and not 10001.");
  }

  private static PrivateState heldBy(int parties) {
    return new PrivateState(
        new StateId(Hash.sha256(new byte[0])),
        new ContractAddress("0x" + "11".repeat(20)),
        "coin",
        "alice@node1",
        Bytes.EMPTY,
        Collections.nCopies(parties, Identity.parse("alice@node1")));
  }
}
