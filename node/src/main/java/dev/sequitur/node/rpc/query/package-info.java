/**
 * Queries over what the node's store holds: read, checked against the fields there are, and
 * answered by a scan that looks at a bounded number of rows, and keeps a bounded number of bytes of
 * them, for itself and for all callers together.
 */
package dev.sequitur.node.rpc.query;
