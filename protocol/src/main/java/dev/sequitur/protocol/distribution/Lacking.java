package dev.sequitur.protocol.distribution;

import dev.sequitur.protocol.distribution.Asking.Answer;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.NodeName;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Contents that are for this node for certain and have not come (DST-5). What is not found while
 * there are some is not known to be absent.
 *
 * @param states how many
 * @param since the first block that made one of them
 * @param others who may have them, in order of name
 */
public record Lacking(int states, BlockHeight since, List<Asked> others) {
  public Lacking {
    others = List.copyOf(others);
  }

  /**
   * A member that may have them.
   *
   * @param answer what came of asking it last; empty if it was not asked yet
   */
  public record Asked(NodeName node, Optional<Answer> answer) {
    private String sentence() {
      return node + " " + answer.map(Answer::words).orElse("was not asked yet");
    }
  }

  /** Whether anybody was asked: before, they may be on their way. */
  public boolean isAskedFor() {
    return others.stream().anyMatch(asked -> asked.answer().isPresent());
  }

  /** For whoever waits for them: what, since when, and of whom. */
  public String sentence() {
    return what()
        + (others.isEmpty()
            ? "No other node can have them."
            : "It asks the other members of the group: "
                + others.stream().map(Asked::sentence).collect(Collectors.joining(", "))
                + ".");
  }

  private String what() {
    return states == 1
        ? "The content of a state that block " + since + " made has not come to this node. "
        : "The contents of "
            + states
            + " states that block "
            + since
            + " and later ones made have not come to this node. ";
  }
}
