package dev.sequitur.protocol.errand;

import dev.sequitur.protocol.coordinator.CoordinatorEffect;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.message.Dispatch;
import java.util.ArrayList;
import java.util.List;

/** What a coordinator has done by others, which is the submitter beside it. */
public final class CoordinatorErrands {
  private final Surroundings node;
  private final Edge edge;

  /** Tells the submitter of the contract on this node; what it is told may get lost. */
  public interface Edge {
    /**
     * @param dispatches in order
     */
    void handToSubmitter(List<Dispatch> dispatches);

    /** The submitter answers the coordinator with UnconfirmedDispatches. */
    void askForUnconfirmed();

    /** For the log. */
    void invalid(Identity endorser);
  }

  public CoordinatorErrands(Surroundings node, Edge edge) {
    this.node = node;
    this.edge = edge;
  }

  /** What is to be handed over goes together. */
  public void run(List<CoordinatorEffect> effects) {
    var dispatches = new ArrayList<Dispatch>();
    for (var effect : effects) {
      switch (effect) {
        case CoordinatorEffect.HandToSubmitter(var handed) -> dispatches.addAll(handed);
        case CoordinatorEffect.LoadUnconfirmedDispatches ignored -> edge.askForUnconfirmed();
        case CoordinatorEffect.TellInvalid(var endorser) -> edge.invalid(endorser);
        case CoordinatorEffect.Count(var what) -> node.count(what);
      }
    }
    if (!dispatches.isEmpty()) {
      edge.handToSubmitter(dispatches);
    }
  }
}
