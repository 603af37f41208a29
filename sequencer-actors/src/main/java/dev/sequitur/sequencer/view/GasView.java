package dev.sequitur.sequencer.view;

import dev.sequitur.protocol.funding.Funding;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.submitter.GasPaid;

/**
 * The money for gas of one contract's key.
 *
 * @param key pays for what this node submits for the contract
 * @param ofKey what it has and needs, and how the node stands with it
 * @param paid since its first transaction
 */
public record GasView(
    ContractAddress contract, LedgerAddress key, Funding.OfKey ofKey, GasPaid paid) {}
