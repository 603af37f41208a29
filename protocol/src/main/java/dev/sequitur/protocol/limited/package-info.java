/** Collections that hold only so much: they know nothing of what they hold. */
package dev.sequitur.protocol.limited;
