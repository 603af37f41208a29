package dev.sequitur.schedule.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sequitur.schedule.AccountId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the number of an account or a schedule is written. */
class EntityIdTest {
  @Test
  void anEntityIsWrittenWithShardAndRealmZero() {
    assertThat(EntityId.parse("0.0.1001")).isEqualTo(new EntityId(1001)).hasToString("0.0.1001");
    assertThat(EntityId.of(new AccountId("0.0.7"))).contains(new EntityId(7));
    assertThat(EntityId.of(new AccountId("seven"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0.0.", "0.0.-1", "0.1.5", "1.0.5", "0.0.1234567890123456789", "x"})
  void whatIsWrittenOtherwiseIsRefusedByName(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EntityId.parse(text))
        .withMessageContaining("'" + text + "'");
  }

  @Test
  void numbersAreNotNegative() {
    assertThat(new EntityId(0)).hasToString("0.0.0");
    assertThatIllegalArgumentException().isThrownBy(() -> new EntityId(-1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.5", "9.9.9", "1.22.333"})
  void aNameOfThreeNumbersIsWrittenLikeAnEntity(String name) {
    assertThat(EntityId.isWrittenLike(new AccountId(name))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"alice", "0.0", "0.0.x", "9", "/.0.1", ":.0.1", "0.0.5.1"})
  void noOtherNameIs(String name) {
    assertThat(EntityId.isWrittenLike(new AccountId(name))).isFalse();
  }
}
