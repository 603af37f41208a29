/**
 * Who coordinates a contract now: a hash ring over block ranges, the same on every node without a
 * vote (specification, "Coordinator selection"; DECISIONS A1 to A3). Begin with {@link
 * dev.sequitur.protocol.selection.CoordinatorSelection}.
 */
package dev.sequitur.protocol.selection;
