package dev.sequitur.schedule;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AccountIdTest {
  @ParameterizedTest
  @ValueSource(strings = {"\ud800", "a\udfffb", "\udc00\ud800", "\ud83d\ude00\ud83d"})
  void noAccountOrTokenHasHalfACharacterInItsName(String torn) {
    assertThatIllegalArgumentException().isThrownBy(() -> new AccountId(torn));
    assertThatIllegalArgumentException().isThrownBy(() -> new TokenId(torn));
  }
}
