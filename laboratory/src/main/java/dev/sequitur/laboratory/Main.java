package dev.sequitur.laboratory;

import dev.sequitur.laboratory.command.LaboratoryCommands;

/** Where {@code ./sequitur} begins: everything is there. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    dev.sequitur.node.Main.run(LaboratoryCommands::commandLine, args);
  }
}
