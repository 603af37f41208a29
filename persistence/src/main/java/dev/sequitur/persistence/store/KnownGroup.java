package dev.sequitur.persistence.store;

import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.util.Optional;

/**
 * Stores of one group meet in any order: the request when it was asked for, the contract when the
 * indexer sees it. What is known stays known, but a contract that stands says more than that none
 * would be made.
 */
final class KnownGroup {
  private KnownGroup() {}

  static StoredGroup merge(StoredGroup before, StoredGroup now) {
    var group = now.group().or(before::group);
    return new StoredGroup(
        before.id(),
        before.created(),
        now.genesisTransaction().or(before::genesisTransaction),
        now.request().isEmpty() ? before.request() : now.request(),
        group,
        now.deployment().or(before::deployment),
        group.isPresent() ? Optional.empty() : now.notMade().or(before::notMade),
        now.giver().or(before::giver));
  }
}
