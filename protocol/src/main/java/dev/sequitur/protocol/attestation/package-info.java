/**
 * What many transitions are signed by at once: a Merkle tree over their digests, and EIP-712 typed
 * data over its root, which a contract of an EVM verifies cheaply. Pure; rules ATT-1 to ATT-4.
 */
package dev.sequitur.protocol.attestation;
