package dev.sequitur.node.command;

import dev.sequitur.console.Console;
import dev.sequitur.console.StopSignal;
import dev.sequitur.node.process.Starter;

/** What the surroundings give to every command. */
public record CommandContext(Console console, StopSignal stop, Starter starter) {}
