package dev.sequitur.ethereum;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import java.util.Optional;

/** The groups that a node takes part in. Thread-safe. */
public interface KnownGroups {
  Optional<PrivacyGroup> group(ContractAddress contract);

  /** What a contract is made of, by the hash that stands on the chain. */
  Optional<Deploy> genesis(Hash hash);
}
