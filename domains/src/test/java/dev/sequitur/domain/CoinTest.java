package dev.sequitur.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.transaction.PrivateState;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class CoinTest {
  private static final String HASH = "0x" + "5a".repeat(32);
  private static final String DATA =
      "{\"amount\":\"120\",\"intent\":\"%s\",\"owner\":\"alice@node1\",\"salt\":\"%s\"}"
          .formatted(HASH, HASH);

  private final GroupFixture group = new GroupFixture(new TokenDomain());

  /** The short way to read a coin takes what the long way takes, and nothing else. */
  @Test
  void aCoinIsReadTheSameWithAndWithoutATreeOfJson() {
    assertThat(read(Coin::of, state(DATA)))
        .hasValueSatisfying(
            coin -> assertThat(coin.amount().value()).isEqualTo(BigInteger.valueOf(120)));
    for (int i = 0; i < DATA.length(); i++) {
      assertAlike(DATA.substring(0, i) + DATA.substring(i + 1));
      for (char c : "0 9\"\\,{}axA@-é".toCharArray()) {
        assertAlike(DATA.substring(0, i) + c + DATA.substring(i + 1));
        assertAlike(DATA.substring(0, i) + c + DATA.substring(i));
      }
    }
    for (var amount : List.of("0", "-1", "-0", "007", "1e2", "9".repeat(78), "9".repeat(79))) {
      assertAlike(DATA.replace("120", amount));
      assertAlike(DATA.replace("\"120\"", amount));
    }
  }

  private void assertAlike(String data) {
    var state = state(data);
    assertThat(read(Coin::of, state)).as(data).isEqualTo(read(Coin::byFields, state));
  }

  private static Optional<Coin> read(
      BiFunction<CoinKind, PrivateState, Coin> way, PrivateState state) {
    try {
      return Optional.of(way.apply(CoinKind.TOKEN, state));
    } catch (RuleViolation e) {
      return Optional.empty();
    }
  }

  private PrivateState state(String data) {
    var like =
        StateContent.seal(
            group.group(), CoinKind.TOKEN.schema(), "alice@node1", CanonicalJson.object());
    return new PrivateState(
        like.id(),
        like.contract(),
        like.schema(),
        like.lookup(),
        Bytes.of(data.getBytes(StandardCharsets.UTF_8)),
        like.distribution());
  }
}
