/**
 * Keys of identities that a signer of its own process holds, which speaks Web3signer's interface:
 * {@link dev.sequitur.node.signer.RemoteKeys}. Nothing here knows what is signed.
 */
package dev.sequitur.node.signer;
