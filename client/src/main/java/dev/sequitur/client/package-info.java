/** Calls of a node that runs in another process. Knows nothing of what is asked. */
package dev.sequitur.client;
