package dev.sequitur.protocol.schedule.signing;

import dev.sequitur.protocol.id.Identity;
import java.util.Optional;
import org.pcollections.TreePMap;

/**
 * Who can sign: accounts by number, and the node's identities for private transactions.
 *
 * @param next the number that the next account or schedule gets
 */
public record Entities(
    EntityId next, TreePMap<EntityId, Account> accounts, TreePMap<Identity, Key> identities) {
  public static final Entities EMPTY =
      new Entities(EntityId.FIRST, TreePMap.empty(), TreePMap.empty());

  public Optional<Account> account(EntityId id) {
    return Optional.ofNullable(accounts.get(id));
  }

  /** The key bound to an identity (ACC-6). */
  public Optional<Key> key(Identity identity) {
    return Optional.ofNullable(identities.get(identity));
  }

  /** The next number is used. */
  public Entities advance() {
    return new Entities(next.next(), accounts, identities);
  }

  /**
   * @throws IllegalStateException if the number is not the next one
   */
  public Entities open(EntityId id, Account account) {
    if (!id.equals(next)) {
      throw new IllegalStateException("The next account is " + next + ", not " + id);
    }
    return new Entities(next.next(), accounts.plus(id, account), identities);
  }

  public Entities withKey(EntityId id, Key key) {
    return new Entities(next, accounts.plus(id, accounts.get(id).withKey(key)), identities);
  }

  public Entities bind(Identity identity, Key key) {
    return new Entities(next, accounts, identities.plus(identity, key));
  }
}
