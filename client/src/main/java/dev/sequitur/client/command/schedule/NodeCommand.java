package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.console.Console;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/** A command that asks a node, and prints what it answers. */
abstract class NodeCommand implements Runnable {
  private final Console console;

  @Mixin private NodeOptions node;

  NodeCommand(Console console) {
    this.console = console;
  }

  final NodeOptions node() {
    return node;
  }

  /** As JSON if that was asked for; otherwise as its text. */
  final void print(JsonNode result, Function<JsonNode, String> text) {
    node.print(console.out(), result, text);
  }
}
