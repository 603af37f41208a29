package dev.sequitur.ledger;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.ledger.LedgerReceipt.RevertReason;
import java.util.List;
import java.util.Map;

/**
 * What an audit found.
 *
 * @param height of the newest block that was read
 * @param transactions in blocks, reverted ones included; of a base-ledger transaction each
 *     transition
 * @param reverts only reasons that occurred
 * @param violations only kinds that occurred
 * @param examples the first violations, at most {@link LedgerAudit#MAX_EXAMPLES}
 */
public record AuditReport(
    BlockHeight height,
    long transactions,
    Map<RevertReason, Long> reverts,
    Map<Kind, Long> violations,
    List<Violation> examples,
    Map<ContractAddress, Tally> contracts) {
  public AuditReport {
    reverts = Map.copyOf(reverts);
    violations = Map.copyOf(violations);
    examples = List.copyOf(examples);
    contracts = Map.copyOf(contracts);
  }

  /** Whether the ledger kept all its promises. */
  public boolean holds() {
    return violations.isEmpty();
  }

  public long count(Kind kind) {
    return violations.getOrDefault(kind, 0L);
  }

  public long fulfilled() {
    return contracts.values().stream().mapToLong(Tally::fulfilled).sum();
  }

  public long reverted() {
    return reverts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** What can be wrong with a ledger. */
  public enum Kind {
    /** An intent was fulfilled twice on one contract. */
    INTENT_TWICE,
    /** A state was spent twice. */
    SPENT_TWICE,
    /** A state was spent that no transaction made. */
    SPENT_UNMADE,
    /** A state was read that was spent or never made. */
    READ_GONE,
    /** A state was made twice. */
    CREATED_TWICE,
    /**
     * An intent was fulfilled, or a committee changed, on a contract that was not deployed; one was
     * deployed twice; or the changes of one have a gap.
     */
    CONTRACT_WRONG,
    /** A signer's nonces have a gap or a repetition. */
    NONCE_WRONG,
    /** A height is missing, or a block does not follow from the one below or from its content. */
    CHAIN_BROKEN,
    /** A checkpoint has another digest than what the blocks below it have left. */
    CHECKPOINT_WRONG,
    /** The sums of what was spent and what was made differ. */
    NOT_CONSERVED
  }

  /** One thing that is wrong, and where. */
  public record Violation(Kind kind, BlockHeight block, int index, String description) {}

  /**
   * What one contract did.
   *
   * @param unspent states that stand
   */
  public record Tally(long fulfilled, long reverted, long created, long spent, long unspent) {}
}
