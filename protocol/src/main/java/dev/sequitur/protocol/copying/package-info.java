/** How records are copied with some of their parts changed. */
package dev.sequitur.protocol.copying;
