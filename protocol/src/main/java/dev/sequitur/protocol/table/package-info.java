/** State machines as data: one row for each event in each state. */
package dev.sequitur.protocol.table;
