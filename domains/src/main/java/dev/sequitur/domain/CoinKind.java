package dev.sequitur.domain;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.transaction.PrivateState;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * How the coins of a domain name their schema and their owner; all else is the same in all of them.
 *
 * @param owner reads an owner's name; throws IllegalArgumentException if it is none
 * @param name writes an owner's name, which is the state's lookup too
 * @param names all that an owner has had, that of now last
 */
record CoinKind(
    String schema,
    Function<String, Identity> owner,
    Function<Identity, String> name,
    Function<Identity, List<String>> names) {
  /** Those of the token domain: owners are written as identities. */
  static final CoinKind TOKEN =
      new CoinKind("coin", Identity::parse, Identity::toString, owner -> List.of(owner.toString()));

  /** As those see it who look for coins. */
  static Domain.StateSchema described(String schema) {
    return new Domain.StateSchema(
        schema, List.of(new Domain.Label(Coin.OWNER, false), new Domain.Label(Coin.AMOUNT, true)));
  }

  /** What an owner may have, oldest first. */
  Iterable<PrivateState> of(Identity owner, Domain.States states) {
    var all = names.apply(owner);
    return all.size() == 1
        ? states.available(schema, all.getFirst())
        : () -> all.stream().flatMap(each -> of(each, states)).iterator();
  }

  private Stream<PrivateState> of(String name, Domain.States states) {
    return StreamSupport.stream(states.available(schema, name).spliterator(), false);
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
