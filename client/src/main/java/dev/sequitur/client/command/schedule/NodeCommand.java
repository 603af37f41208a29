package dev.sequitur.client.command.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that asks a node, and prints what it answers. */
abstract class NodeCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Mixin private NodeOptions node;

  final NodeOptions node() {
    return node;
  }

  /** As JSON if that was asked for; otherwise as its text. */
  final void print(JsonNode result, Function<JsonNode, String> text) {
    node.print(spec.commandLine().getOut(), result, text);
  }
}
