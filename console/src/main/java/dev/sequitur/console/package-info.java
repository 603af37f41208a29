/**
 * What all programs have in common for the person at the terminal: lines and progress, the top of
 * the command line, mistakes as sentences with an exit code, and how a process is asked to stop.
 * Knows no node.
 */
package dev.sequitur.console;
