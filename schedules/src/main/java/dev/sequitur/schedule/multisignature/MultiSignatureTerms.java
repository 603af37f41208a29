package dev.sequitur.schedule.multisignature;

import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.Terms;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The text's MerkleSchedule, without what changes.
 *
 * @param scheduledId the id that its execution is recorded under; names the creator too
 * @param expirySecond when it goes, or runs if it waits for that
 * @param created when it was; it is shown
 */
public record MultiSignatureTerms(
    EntityId id,
    AccountTransactionId scheduledId,
    Creation creation,
    long expirySecond,
    ConsensusTime created)
    implements Terms {
  @Override
  public FamilyKind family() {
    return FamilyKind.MULTI_SIGNATURE;
  }

  @Override
  public Map<AccountId, Long> moves(Proposal proposal) {
    return creation.transaction().action() instanceof Action.CryptoTransfer transfer
        ? transfer.transfers().stream()
            .collect(
                Collectors.toMap(
                    each -> each.account().account(),
                    AccountAmount::units,
                    Long::sum,
                    TreeMap::new))
        : Map.of();
  }

  /** The record of its execution has fee and transfers, of which the outcome knows less. */
  @Override
  public boolean isTold() {
    return true;
  }

  public EntityId creator() {
    return scheduledId.account();
  }

  /** Whose private transaction it runs. */
  public Optional<ContractAddress> group() {
    return creation.group();
  }

  /** Who pays for the execution. */
  public EntityId payer() {
    return creation.payer().orElse(creator());
  }
}
