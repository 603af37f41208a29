/**
 * How a node makes privacy groups with others, and takes part in those of others (SEL-7 to SEL-9);
 * and how it has their committees changed (AGR-1 to AGR-7).
 */
package dev.sequitur.protocol.founding;
