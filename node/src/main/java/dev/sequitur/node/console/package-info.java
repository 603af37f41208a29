/** What a person sees on a terminal or finds in a redirected output: lines and progress. */
package dev.sequitur.node.console;
