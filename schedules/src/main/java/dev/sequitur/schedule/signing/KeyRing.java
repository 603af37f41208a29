package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.id.Identity;
import java.util.Optional;
import org.pcollections.TreePMap;

/**
 * Who can sign in a queue: accounts by number, and the node's identities for private transactions.
 * It is the engine's: whose key must agree holds for all families (ACC-5).
 *
 * @param next the number that the next account or schedule gets
 */
public record KeyRing(
    EntityId next,
    TreePMap<EntityId, Account> accounts,
    TreePMap<Identity, AccountKey> identities) {
  public static final KeyRing EMPTY =
      new KeyRing(EntityId.FIRST, TreePMap.empty(), TreePMap.empty());

  /** One that is there: a deleted one is not. */
  public Optional<Account> account(EntityId id) {
    return known(id).filter(account -> !account.deleted());
  }

  /** The same, or one that was deleted. */
  public Optional<Account> known(EntityId id) {
    return Optional.ofNullable(accounts.get(id));
  }

  public boolean isDeleted(EntityId id) {
    return known(id).filter(Account::deleted).isPresent();
  }

  /** The key bound to an identity (ACC-6). */
  public Optional<AccountKey> key(Identity identity) {
    return Optional.ofNullable(identities.get(identity));
  }

  /** The next number is used. */
  public KeyRing advance() {
    return new KeyRing(next.next(), accounts, identities);
  }

  /**
   * The next number is used, or one that is given to nobody.
   *
   * @throws IllegalStateException if the number is neither
   */
  public KeyRing open(EntityId id, Account account) {
    if (id.compareTo(EntityId.FIRST) < 0 && !accounts.containsKey(id)) {
      return new KeyRing(next, accounts.plus(id, account), identities);
    } else if (!id.equals(next)) {
      throw new IllegalStateException("The next account is " + next + ", not " + id);
    }
    return new KeyRing(next.next(), accounts.plus(id, account), identities);
  }

  public KeyRing with(EntityId id, Account changed) {
    return new KeyRing(next, accounts.plus(id, changed), identities);
  }

  public KeyRing bind(Identity identity, AccountKey key) {
    return new KeyRing(next, accounts, identities.plus(identity, key));
  }
}
