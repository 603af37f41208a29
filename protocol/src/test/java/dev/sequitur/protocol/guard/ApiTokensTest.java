package dev.sequitur.protocol.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.guard.ApiTokens.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiTokensTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private static final ApiToken.Made CI = made("ci", 1, Optional.of(Duration.ofDays(1)));
  private static final ApiTokens TOKENS = ApiTokens.NONE.with(CI.token(), NOW);

  @Test
  void aTokenIsItsOwnersUntilItExpires() {
    assertThat(TOKENS.check(CI.secret(), NOW)).isEqualTo(new Verdict.Accepted(CI.token()));
    assertThat(CI.token().principal())
        .isEqualTo(new Principal(Principal.Kind.TOKEN, "ci", List.of("reader")))
        .hasToString("token:ci");
    var end = NOW.plus(Duration.ofDays(1));
    assertThat(TOKENS.check(CI.secret(), end.minusMillis(1))).isInstanceOf(Verdict.Accepted.class);
    assertThat(refused(TOKENS, CI.secret(), end)).contains("ci expired at " + end);
  }

  @Test
  void aRevokedTokenIsRefusedAndItsNameIsFreeAgain() {
    var revoked = TOKENS.revoke("ci", NOW);
    var next = made("ci", 2, Optional.empty());

    assertThat(refused(revoked, CI.secret(), NOW)).contains("ci was revoked");
    assertThat(revoked.with(next.token(), NOW).check(next.secret(), NOW))
        .isEqualTo(new Verdict.Accepted(next.token()));
    assertThatThrownBy(() -> revoked.revoke("ci", NOW)).hasMessageContaining("no token ci");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sqt_", "Bearer", "sqt_0101010101010101_short", "\u00e9"})
  void whatIsNoTokenIsRefusedInTheSameWords(String text) {
    assertThat(refused(TOKENS, text, NOW)).startsWith("This is no token of the node");
  }

  @Test
  void aWrongSecretLearnsNothingOfTheTokenWhoseIdItHas() {
    var other = made("other", 1, Optional.empty());
    var mixed =
        CI.secret().substring(0, 21) + made("x", 3, Optional.empty()).secret().substring(21);

    assertThat(refused(TOKENS, mixed, NOW)).startsWith("This is no token of the node");
    assertThat(refused(ApiTokens.NONE, other.secret(), NOW)).startsWith("This is no token");
    assertThat(refused(TOKENS.revoke("ci", NOW), mixed, NOW)).startsWith("This is no token");
  }

  @Test
  void twoTokensOfOneNameDoNotHoldAtOnce() {
    assertThatThrownBy(() -> TOKENS.with(made("ci", 2, Optional.empty()).token(), NOW))
        .hasMessageContaining("There is a token ci already");
  }

  @Test
  void whatEndedLongAgoIsForgottenWhenAnotherIsMade() {
    var remembered = NOW.plus(Duration.ofDays(1)).plus(ApiTokens.REMEMBERED);
    var next = made("next", 2, Optional.empty()).token();

    assertThat(TOKENS.with(next, remembered).list()).hasSize(2);
    assertThat(TOKENS.with(next, remembered.plusMillis(1)).list()).containsExactly(next);
  }

  @Test
  void noMoreThanCanBeLookedThroughAreKept() {
    var many =
        IntStream.range(0, ApiTokens.MOST)
            .mapToObj(i -> made("t" + i, i, Optional.empty()).token())
            .toList();

    assertThatThrownBy(
            () ->
                new ApiTokens(many)
                    .with(made("more", ApiTokens.MOST, Optional.empty()).token(), NOW))
        .hasMessageContaining("the most there may be");
  }

  @Test
  void theSecretStandsNowhereButInWhatItsOwnerGets() {
    assertThat(CI.secret()).matches("sqt_[0-9a-f]{16}_[A-Za-z0-9_-]{43}");
    assertThat(CI.toString()).doesNotContain(CI.secret().substring(21));
    assertThat(CI.token().secret()).isNotEqualTo(made("ci", 2, Optional.empty()).token().secret());
  }

  @Test
  void aTokenWithoutANameARoleOrALifeIsNone() {
    assertThatThrownBy(() -> made("two words", 1, Optional.empty())).hasMessageContaining("64");
    assertThatThrownBy(() -> made("ci", 1, Optional.of(Duration.ZERO)))
        .hasMessageContaining("expires after");
    assertThatThrownBy(
            () ->
                ApiToken.make(
                    new ApiToken.Grant("ci", List.of(), NOW, Optional.empty()), new byte[40]))
        .hasMessageContaining("name one");
  }

  private static String refused(ApiTokens tokens, String text, Instant now) {
    return ((Verdict.Refused) tokens.check(text, now)).sentence();
  }

  private static ApiToken.Made made(String name, int number, Optional<Duration> lifetime) {
    return ApiToken.make(
        new ApiToken.Grant(name, List.of("reader"), NOW, lifetime.map(NOW::plus)), chance(number));
  }

  @Test
  void tokensAreListedByAgeAndOfTheSameAgeById() {
    var older =
        ApiToken.make(
                new ApiToken.Grant(
                    "older", List.of("reader"), NOW.minusMillis(1), Optional.empty()),
                chance(9))
            .token();
    var ids = List.of(made("b", 2, Optional.empty()), made("a", 1, Optional.empty()));

    assertThat(
            new ApiTokens(
                    List.of(
                        made("c", 3, Optional.empty()).token(),
                        ids.get(0).token(),
                        older,
                        ids.get(1).token()))
                .list())
        .extracting(ApiToken::name)
        .containsExactly("older", "a", "b", "c");
  }

  @Test
  void twoTokensOfOneIdAreNone() {
    var other = made("other", 1, Optional.empty()).token();

    assertThatThrownBy(() -> new ApiTokens(List.of(CI.token(), other)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("same id");
  }

  @Test
  void aTokenIsMadeOfJustSoMuchChance() {
    var grant = new ApiToken.Grant("ci", List.of("reader"), NOW, Optional.empty());
    for (int bytes : List.of(0, 39, 41)) {
      assertThatThrownBy(() -> ApiToken.make(grant, new byte[bytes]))
          .hasMessageContaining("not " + bytes);
    }
  }

  @Test
  void aTokenSaysWhichItIsBySixteenDigits() {
    var token = CI.token();
    for (var id : List.of("", "0", "0".repeat(17), "G" + "0".repeat(15))) {
      assertThatThrownBy(
              () ->
                  new ApiToken(
                      id,
                      token.name(),
                      token.roles(),
                      token.secret(),
                      token.created(),
                      token.expires(),
                      token.revoked()))
          .hasMessageContaining("16 hexadecimal digits");
    }
  }

  @Test
  void whatWasRevokedLongAgoIsForgottenAndSinceWhenIsNotChanged() {
    var forever = made("ever", 4, Optional.empty()).token();
    var revoked = ApiTokens.NONE.with(forever, NOW).revoke("ever", NOW.plusSeconds(7));
    var ended = revoked.list().getFirst();
    assertThat(ended.revoked()).contains(NOW.plusSeconds(7));
    assertThat(ended.revokedAt(NOW.plusSeconds(8))).isEqualTo(ended);

    var next = made("next", 2, Optional.empty()).token();
    var remembered = NOW.plusSeconds(7).plus(ApiTokens.REMEMBERED);
    assertThat(revoked.with(next, remembered).list()).hasSize(2);
    assertThat(revoked.with(next, remembered.plusMillis(1)).list()).containsExactly(next);
  }

  @Test
  void onlyTheTokenOfThatNameIsRevoked() {
    var other = made("other", 2, Optional.empty());
    var both = TOKENS.with(other.token(), NOW).revoke("ci", NOW);

    assertThat(both.check(other.secret(), NOW)).isEqualTo(new Verdict.Accepted(other.token()));
    assertThat(refused(both, CI.secret(), NOW)).contains("revoked");
  }

  @Test
  void twoListsOfTheSameTokensAreTheSame() {
    var again = ApiTokens.NONE.with(CI.token(), NOW);

    assertThat(again).isEqualTo(TOKENS).hasSameHashCodeAs(TOKENS);
    assertThat(ApiTokens.NONE).isNotEqualTo(TOKENS).isNotEqualTo(List.of());
    assertThat(ApiTokens.NONE.hashCode()).isNotEqualTo(TOKENS.hashCode());
  }

  private static byte[] chance(int number) {
    var chance = new byte[40];
    for (int i = 0; i < 4; i++) {
      chance[i] = (byte) (number >>> (8 * i));
      chance[39 - i] = chance[i];
    }
    return chance;
  }

  /** Or whoever sees one token could make up all others. */
  @Test
  void theSecretIsTheChanceThatIsNotInTheId() {
    var one = chance(1);
    var other = one.clone();
    other[20] ^= 1;
    var grant = new ApiToken.Grant("ci", List.of("reader"), NOW, Optional.empty());

    assertThat(ApiToken.make(grant, other).token().id()).isEqualTo(CI.token().id());
    assertThat(ApiToken.make(grant, other).secret())
        .isNotEqualTo(ApiToken.make(grant, one).secret());
  }
}
