/**
 * How a node makes privacy groups with others, and takes part in those of others (SEL-7 to SEL-9).
 */
package dev.sequitur.protocol.founding;
