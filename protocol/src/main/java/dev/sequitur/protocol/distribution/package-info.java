/**
 * The rules of a contract's private states on one node: what is stored, what may be spent, and the
 * assured delivery to those on a state's distribution list (DST-2). Begin with {@link
 * dev.sequitur.protocol.distribution.StateStore}.
 */
package dev.sequitur.protocol.distribution;
