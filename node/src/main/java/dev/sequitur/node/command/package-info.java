/**
 * A node's own commands: one class for each, which turns options into a configuration and hands it
 * on. A person's mistake ends as a sentence and exit code 2, what a person can mend in the
 * surroundings as a sentence and exit code 1; neither shows a stack trace.
 */
package dev.sequitur.node.command;
