/** How the commands call nodes that run in other processes. Knows nothing of what they ask. */
package dev.sequitur.node.client;
