/**
 * What an operator may set: one HOCON file for each process, checked as a whole before anything
 * starts. {@link dev.sequitur.node.configuration.NodeConfiguration} is a node's, {@link
 * dev.sequitur.node.configuration.LedgerConfiguration} that of a ledger process; their defaults and
 * what each key means stand in the reference files beside them. Starts nothing.
 */
package dev.sequitur.node.configuration;
