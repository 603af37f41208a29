/**
 * What a node forgets of what has ended, and when. Pure rules: what is stored is told as values,
 * and what goes is answered. Who reads and writes is elsewhere.
 */
package dev.sequitur.protocol.room;
