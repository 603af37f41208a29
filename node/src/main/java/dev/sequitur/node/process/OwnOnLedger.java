package dev.sequitur.node.process;

import dev.sequitur.crypto.IntentSalt;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.indexing.OlderRecords;
import dev.sequitur.protocol.limited.LimitedMap;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Knows on the ledger what a node did, by its keys (RCV-7). Each commitment costs a signature, and
 * all intents of a series have the same one: it is made once. Confined to one thread.
 */
final class OwnOnLedger implements OlderRecords.Own {
  /** Of the series that were looked at last; intents of one stand close to each other. */
  private static final int MOST_COMMITMENTS = 10_000;

  private static final int MOST_GROUPS = 10_000;

  private final NodeName self;
  private final Function<ContractAddress, Optional<PrivacyGroup>> stored;
  private final Map<ContractAddress, Optional<PrivacyGroup>> groups =
      LimitedMap.ofLastUsed(MOST_GROUPS);
  private final Keys keys;
  private final Signatures signatures;
  private final Map<ContractAddress, LedgerAddress> submitters = LimitedMap.ofLastUsed(MOST_GROUPS);
  private final Map<Series, SenderCommitment> commitments = LimitedMap.ofLastUsed(MOST_COMMITMENTS);

  private record Series(ContractAddress contract, TransactionId first, Identity member) {}

  /**
   * @param stored a group of this node, as its records have it
   */
  OwnOnLedger(
      NodeName self,
      Function<ContractAddress, Optional<PrivacyGroup>> stored,
      Keys keys,
      Signatures signatures) {
    this.self = self;
    this.stored = stored;
    this.keys = keys;
    this.signatures = signatures;
  }

  @Override
  public boolean isSubmitter(LedgerAddress signer, ContractAddress contract) {
    return group(contract).isPresent()
        && submitters.computeIfAbsent(contract, this::submitter).equals(signer);
  }

  /** Those of others, too, are looked for once. */
  private Optional<PrivacyGroup> group(ContractAddress contract) {
    return groups.computeIfAbsent(contract, stored);
  }

  private LedgerAddress submitter(ContractAddress contract) {
    return signatures.address(keys.verifier(NodeKeyNames.submitter(contract)));
  }

  @Override
  public boolean isSender(ContractAddress contract, IntentKey intent) {
    var group = group(contract);
    return group.isPresent()
        && group.get().committee().identities().stream()
            .filter(member -> member.node().equals(self))
            .map(member -> new Series(contract, intent.transaction().series(), member))
            .anyMatch(
                series ->
                    commitments
                        .computeIfAbsent(series, this::commitment)
                        .equals(intent.commitment()));
  }

  private SenderCommitment commitment(Series series) {
    var salt =
        IntentSalt.of(
            keys, NodeKeyNames.salts(), series.contract(), series.first(), series.member());
    return SenderCommitment.of(series.contract(), series.first(), series.member(), salt);
  }
}
