/**
 * Who coordinates a contract now: a hash ring over block ranges, the same on every node without a
 * vote (SEL-1 to SEL-4). Begin with {@link dev.sequitur.protocol.selection.CoordinatorSelection}.
 */
package dev.sequitur.protocol.selection;
