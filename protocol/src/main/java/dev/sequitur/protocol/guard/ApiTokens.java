package dev.sequitur.protocol.guard;

import dev.sequitur.protocol.id.Hash;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The tokens of a node. Of those with one name at most one holds. Immutable. */
public final class ApiTokens {
  public static final ApiTokens NONE = new ApiTokens(List.of());

  /** Nobody looks through more. */
  static final int MOST = 10_000;

  /** How long it can still be told that a token has ended, and when. */
  static final Duration REMEMBERED = Duration.ofDays(90);

  /** In place of a token that is not there, so that the answer takes the same time. */
  private static final ApiToken NOBODY =
      new ApiToken(
          "0".repeat(16),
          "nobody",
          List.of("none"),
          new Hash(0, 0, 0, 0),
          Instant.EPOCH,
          Optional.empty(),
          Optional.of(Instant.EPOCH));

  private final Map<String, ApiToken> byId;

  /**
   * @throws IllegalArgumentException if two have the same id
   */
  public ApiTokens(Collection<ApiToken> tokens) {
    try {
      this.byId =
          tokens.stream().collect(Collectors.toUnmodifiableMap(ApiToken::id, Function.identity()));
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException("Two tokens have the same id.", e);
    }
  }

  /** What is to be said of a token that a caller sent. */
  public sealed interface Verdict {
    /** It holds. */
    record Accepted(ApiToken token) implements Verdict {}

    /**
     * It does not. Why is told to whoever has the right secret alone.
     *
     * @param sentence for the caller
     */
    record Refused(String sentence) implements Verdict {}
  }

  /** What is to be said of a text that a caller sent as its token. */
  public Verdict check(String text, Instant now) {
    var sent = ApiToken.Sent.parse(text);
    var token = sent.map(some -> byId.getOrDefault(some.id(), NOBODY)).orElse(NOBODY);
    boolean isSecret = sent.isPresent() && token.isSecret(sent.get().secret());
    if (!isSecret) {
      return new Verdict.Refused("This is no token of the node: send one that it has made.");
    } else if (token.revoked().isPresent()) {
      return new Verdict.Refused(
          "The token %s was revoked: ask for a new one.".formatted(token.name()));
    } else if (!token.holds(now)) {
      return new Verdict.Refused(
          "The token %s expired at %s: ask for a new one."
              .formatted(token.name(), token.expires().orElseThrow()));
    }
    return new Verdict.Accepted(token);
  }

  /**
   * With one more; those that have ended long ago are forgotten.
   *
   * @throws IllegalArgumentException with a sentence for the person, if one of this name holds, or
   *     there are too many
   */
  public ApiTokens with(ApiToken token, Instant now) {
    if (live(token.name(), now).isPresent()) {
      throw new IllegalArgumentException(
          "There is a token %s already: revoke it first, or choose another name."
              .formatted(token.name()));
    }
    var tokens = new ArrayList<ApiToken>();
    byId.values().stream().filter(each -> !isForgotten(each, now)).forEach(tokens::add);
    if (tokens.size() >= MOST) {
      throw new IllegalArgumentException(
          "There are %d tokens, the most there may be: let programs share one, or let an OpenID"
                  .formatted(MOST)
              + " issuer say who calls.");
    }
    tokens.add(token);
    return new ApiTokens(tokens);
  }

  private static boolean isForgotten(ApiToken token, Instant now) {
    return token.ended(now).filter(end -> end.plus(REMEMBERED).isBefore(now)).isPresent();
  }

  /**
   * Without the one of this name that holds.
   *
   * @throws IllegalArgumentException with a sentence for the person, if there is none
   */
  public ApiTokens revoke(String name, Instant now) {
    var revoked =
        live(name, now)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "There is no token %s that holds: sequitur token list shows all."
                            .formatted(name)));
    return new ApiTokens(
        byId.values().stream()
            .map(each -> each.id().equals(revoked.id()) ? each.revokedAt(now) : each)
            .toList());
  }

  private Optional<ApiToken> live(String name, Instant now) {
    return byId.values().stream()
        .filter(each -> each.name().equals(name) && each.holds(now))
        .findFirst();
  }

  /** The oldest first. */
  public List<ApiToken> list() {
    return byId.values().stream()
        .sorted(Comparator.comparing(ApiToken::created).thenComparing(ApiToken::id))
        .toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ApiTokens tokens && byId.equals(tokens.byId);
  }

  @Override
  public int hashCode() {
    return byId.hashCode();
  }
}
