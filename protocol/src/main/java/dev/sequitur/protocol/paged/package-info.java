/** An immutable sorted map for what grows large: it knows nothing of what it holds. */
package dev.sequitur.protocol.paged;
