/**
 * Who may hold a connection to a server of this JVM, and how often the log tells of those who may
 * not. The peer port, JSON-RPC and the ledger process use the same.
 */
package dev.sequitur.links.admission;
