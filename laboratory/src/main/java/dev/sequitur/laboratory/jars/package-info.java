/** What {@code ./sequitur} does to the jars that it starts from, once after each build. */
package dev.sequitur.laboratory.jars;
