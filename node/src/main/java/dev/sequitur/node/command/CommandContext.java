package dev.sequitur.node.command;

import dev.sequitur.node.console.Console;
import dev.sequitur.node.process.Starter;
import dev.sequitur.node.process.StopSignal;

/** What the surroundings give to every command. */
public record CommandContext(Console console, StopSignal stop, Starter starter) {}
