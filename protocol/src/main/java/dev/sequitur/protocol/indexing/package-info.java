/** How a node reads the base ledger: block by block, each to the end before it is forgotten. */
package dev.sequitur.protocol.indexing;
