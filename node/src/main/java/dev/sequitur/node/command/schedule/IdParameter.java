package dev.sequitur.node.command.schedule;

import picocli.CommandLine.Parameters;

/** Which schedule. */
final class IdParameter {
  @Parameters(
      index = "0",
      paramLabel = "ID",
      description = "The schedule's id, as its creation and 'schedule list' print it.")
  private String id;

  String id() {
    return id;
  }
}
