/**
 * A whole network on one machine for a person to try: a ledger, and nodes of several JVMs, each a
 * process of its own with its configuration in a file.
 */
package dev.sequitur.laboratory.local;
