/**
 * How a node reads the base ledger: block by block, each to the end before it is forgotten. Begin
 * with {@link dev.sequitur.protocol.indexing.Indexer}.
 *
 * <p>A block reaches those who want it in two ways. Whoever must not miss it, such as a sender with
 * a transaction in it, is given a {@link dev.sequitur.protocol.indexing.BlockDelivery} until it
 * acknowledges. Whoever may miss it, such as a coordinator in memory, is told once, by way of the
 * JVM that it is in ({@code HandOn}; {@code BlockFeed} among the actors). Both hold the same {@link
 * dev.sequitur.protocol.indexing.BlockNotice}: what the block has of one contract.
 */
package dev.sequitur.protocol.indexing;
