/** An immutable hashed map for the machines' states: it knows nothing of what it holds. */
package dev.sequitur.protocol.trie;
