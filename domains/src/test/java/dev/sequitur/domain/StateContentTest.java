package dev.sequitur.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.transaction.PrivateState;
import org.junit.jupiter.api.Test;

class StateContentTest {
  private final GroupFixture group = new GroupFixture(new TokenDomain());

  @Test
  void anIdIsTheSameForever() {
    var state = StateContent.seal(group.group(), "coin", "alice@node1", coin());

    assertThat(state.data().toUtf8())
        .isEqualTo(
            "{\"amount\":\"12\",\"intent\":\"0x%s\",\"owner\":\"alice@node1\",\"salt\":\"0x%s\"}"
                .formatted("11".repeat(32), "22".repeat(32)));
    // SHA-256 over the length-prefixed fields, computed apart from this code.
    assertThat(state.id())
        .hasToString("0xcb3777b61a991a2804d3da466b5ed5ccbc0416cbb72ec105d4881b80a89b53de");
  }

  @Test
  void aStateInAnyOtherWordsIsRefusedEvenIfItsIdIsRight() {
    var canonical = StateContent.seal(group.group(), "coin", "alice@node1", coin());
    var spaced = Bytes.utf8(canonical.data().toUtf8().replace(",", ", "));
    var state =
        new PrivateState(
            canonical.id(),
            canonical.contract(),
            canonical.schema(),
            canonical.lookup(),
            spaced,
            canonical.distribution());

    assertThat(StateContent.isGenuine(group.group(), state)).isFalse();
    assertThatThrownBy(() -> Coin.of(CoinKind.TOKEN, state))
        .isInstanceOf(RuleViolation.class)
        .hasMessageContaining("canonical");
  }

  private static ObjectNode coin() {
    return CanonicalJson.object()
        .put("salt", "0x" + "22".repeat(32))
        .put("owner", "alice@node1")
        .put("amount", "12")
        .put("intent", "0x" + "11".repeat(32));
  }
}
