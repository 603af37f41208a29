package dev.sequitur.domain;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * How the coins of a domain name their schema and their owner; all else is the same in all of them.
 *
 * @param owner reads an owner's name; throws IllegalArgumentException if it is none
 * @param name writes an owner's name, which is the state's lookup too
 */
record CoinKind(String schema, Function<String, Identity> owner, Function<Identity, String> name) {
  /** Those of the token domain: owners are written as identities. */
  static final CoinKind TOKEN = new CoinKind("coin", Identity::parse, Identity::toString);

  /** As those see it who look for coins. */
  static Domain.StateSchema described(String schema) {
    return new Domain.StateSchema(
        schema, List.of(new Domain.Label(Coin.OWNER, false), new Domain.Label(Coin.AMOUNT, true)));
  }

  /** What an owner may have, oldest first. */
  Iterable<PrivateState> of(Identity owner, Domain.States states) {
    return states.available(schema, name.apply(owner));
  }

  /** Empty if an endorser would refuse it as input of {@code owner}. */
  Optional<Coin.Held> spendable(PrivacyGroup group, Identity owner, PrivateState state) {
    if (!StateContent.isUsable(group, state)) {
      return Optional.empty();
    }
    try {
      var coin = Coin.of(this, state);
      return coin.owner().equals(owner)
          ? Optional.of(new Coin.Held(state, coin))
          : Optional.empty();
    } catch (RuleViolation e) {
      return Optional.empty();
    }
  }
}
