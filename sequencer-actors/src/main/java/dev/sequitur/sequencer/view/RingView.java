package dev.sequitur.sequencer.view;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.selection.Ring;

/**
 * The ring by which a contract's coordinator is chosen, from the present range of blocks on.
 *
 * @param rangeSize blocks in a range
 */
public record RingView(
    ContractAddress contract, BlockHeight blockHeight, long rangeSize, Ring ring) {}
