/**
 * Hedera's own bytes (MSIG-9): reads and writes the protobuf messages of multi-signature
 * transactions, and verifies their signatures. Field numbers are those of its public definitions;
 * nothing here decides. Begin with {@link dev.sequitur.scheduler.body.TransactionReader}.
 */
package dev.sequitur.scheduler.body;
