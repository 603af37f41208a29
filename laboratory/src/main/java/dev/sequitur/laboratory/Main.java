package dev.sequitur.laboratory;

import dev.sequitur.laboratory.command.LaboratoryCommands;
import dev.sequitur.node.NodeMain;

/** Where {@code ./sequitur} begins: everything is there. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    NodeMain.run(LaboratoryCommands::commandLine, args);
  }
}
