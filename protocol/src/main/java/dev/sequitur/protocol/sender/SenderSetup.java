package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Links;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.settings.SequencerSettings;

/**
 * What does not change while a sender of one contract lives.
 *
 * @param links a link that is refused is a sign for whom to try first (AVL-8)
 */
public record SenderSetup(
    NodeName self,
    PrivacyGroup group,
    CoordinatorSelection selection,
    SequencerSettings settings,
    Links links) {
  /** Of one that knows of no connections. */
  public SenderSetup(
      NodeName self,
      PrivacyGroup group,
      CoordinatorSelection selection,
      SequencerSettings settings) {
    this(self, group, selection, settings, Links.UNKNOWN);
  }
}
