/**
 * Networks of real processes: killed, frozen, cut off from each other, and their database taken
 * away. What came of it is told from the ledger's blocks and from what callers were told.
 */
package dev.sequitur.multijvm;
