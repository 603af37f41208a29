package dev.sequitur.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.client.NodeAccess;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that asks a node, and prints what it answers. */
abstract class AskingCommand {
  @Spec private CommandSpec spec;

  @Mixin private NodeAccess node;

  final NodeAccess node() {
    return node;
  }

  /** As JSON if that was asked for; otherwise as its text. */
  final void print(JsonNode answer, Function<JsonNode, String> text) {
    node.print(out(), answer, text);
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** What the command does meanwhile, for whoever waits; it is no part of what it prints. */
  final void tell(String line) {
    spec.commandLine().getErr().println(line);
    spec.commandLine().getErr().flush();
  }

  static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  /** One that is about a group. */
  abstract static class OfGroup extends AskingCommand {
    @Parameters(index = "0", paramLabel = "ADDRESS", description = "Of the group's contract.")
    private String address;

    final String address() {
      return address;
    }
  }
}
