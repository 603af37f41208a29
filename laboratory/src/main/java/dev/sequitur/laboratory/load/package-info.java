/**
 * Load on running nodes, for whoever shows or measures them: {@link
 * dev.sequitur.laboratory.load.NodeLoad} submits to one node and follows its receipts.
 */
package dev.sequitur.laboratory.load;
