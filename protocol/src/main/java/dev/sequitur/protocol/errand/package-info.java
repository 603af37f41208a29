/**
 * What machines have done by others than machines: the node store, the base ledger, keys. Written
 * over ports, so that a node and the simulation run the same; each of them is an edge. Calls
 * nobody's thread its own: what takes time is a {@link java.util.concurrent.CompletionStage}, and
 * its answer goes to the machine as an input.
 */
package dev.sequitur.protocol.errand;
