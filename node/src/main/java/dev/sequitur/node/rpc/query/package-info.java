/**
 * Queries over what the node's store holds: read, checked against the fields there are, and
 * answered by a scan that looks at a bounded number of rows.
 */
package dev.sequitur.node.rpc.query;
