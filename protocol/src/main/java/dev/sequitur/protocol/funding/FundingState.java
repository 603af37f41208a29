package dev.sequitur.protocol.funding;

import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.funding.FundingTable.TransferState;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.ledger.GasTransfer;
import dev.sequitur.protocol.port.GasMoney.Accounts;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.pcollections.PMap;

/** What is known of the money for gas, and what is being done about it. Outlives nothing. */
public record FundingState(Facts facts, Working working) {
  /** A key that is used. */
  record Watched(KeyUse use, Instant at) {}

  /**
   * What it was told. Another life is told it again: by those who use keys, and by the ledger.
   *
   * @param accounts as they were seen last
   */
  @Copyable
  public record Facts(PMap<LedgerAddress, Watched> watched, Optional<Accounts> accounts)
      implements FundingStateFactsBuilder.With {}

  /**
   * @param since when it was offered at these fees first
   */
  record Offer(GasTransfer transfer, Instant since) {}

  /**
   * What it is doing. Another life begins without it, and nothing is paid twice (FND-3).
   *
   * @param transfer how far {@code offer} is
   * @param offer the transfer whose nonce no final block has used yet
   * @param refusal why no pool took the last transfer that one was asked to take; empty if one did
   * @param looking while the ledger has not answered
   * @param lookedAt when it was asked last
   * @param report what was told last
   */
  @Copyable
  public record Working(
      TransferState transfer,
      Optional<Offer> offer,
      Optional<String> refusal,
      boolean looking,
      Instant lookedAt,
      GasReport report)
      implements FundingStateWorkingBuilder.With {
    /** A transfer is on its way, as far as is known. */
    boolean comes() {
      return offer.isPresent() && refusal.isEmpty();
    }
  }

  static FundingState initial() {
    return new FundingState(
        new Facts(HashTrie.empty(), Optional.empty()),
        new Working(
            TransferState.NONE,
            Optional.empty(),
            Optional.empty(),
            false,
            Instant.MIN,
            GasReport.NONE));
  }

  /** How the node stands, as it was told last. */
  public GasReport report() {
    return working.report();
  }

  /** The uses of the keys that are watched. */
  public Stream<KeyUse> uses() {
    return facts.watched().values().stream().map(Watched::use);
  }

  FundingState with(Facts known) {
    return new FundingState(known, working);
  }

  FundingState with(Working now) {
    return new FundingState(facts, now);
  }

  FundingState withWatched(PMap<LedgerAddress, Watched> watched) {
    return with(facts.withWatched(watched));
  }
}
