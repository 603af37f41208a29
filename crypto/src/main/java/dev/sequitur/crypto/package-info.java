/**
 * Keys and signatures of a node, over the native secp256k1 library. Private keys do not leave this
 * package; nothing here knows what is signed.
 */
package dev.sequitur.crypto;
