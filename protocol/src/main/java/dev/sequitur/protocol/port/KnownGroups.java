package dev.sequitur.protocol.port;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The groups that a node takes part in, as a ledger that has only addresses asks. Thread-safe. */
public interface KnownGroups {
  /** Of a node that takes part in none. */
  KnownGroups NONE =
      new KnownGroups() {
        @Override
        public Optional<PrivacyGroup> group(ContractAddress contract) {
          return Optional.empty();
        }

        @Override
        public CompletionStage<Optional<Deploy>> genesis(Hash hash) {
          return CompletableFuture.completedFuture(Optional.empty());
        }

        @Override
        public CompletionStage<Set<LedgerAddress>> publicSigners() {
          return CompletableFuture.completedFuture(Set.of());
        }
      };

  /** The group of a contract that was indexed. */
  Optional<PrivacyGroup> group(ContractAddress contract);

  /** What a contract is made of, by the hash that stands on the ledger: as the node was told. */
  CompletionStage<Optional<Deploy>> genesis(Hash hash);

  /**
   * Signers of public transactions whose end is not known. One that has sent something is among
   * them since before it was sent (PUB-4).
   */
  CompletionStage<Set<LedgerAddress>> publicSigners();
}
