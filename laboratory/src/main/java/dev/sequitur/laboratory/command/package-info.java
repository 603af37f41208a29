/** The commands of the laboratory, in the manner of {@link dev.sequitur.node.command}. */
package dev.sequitur.laboratory.command;
