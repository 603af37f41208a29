package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Links;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.settings.SequencerSettings;

/**
 * What does not change while a coordinator of one contract lives.
 *
 * @param links told to those who wait for an endorser (HBT-6), and to nothing else
 */
public record CoordinatorSetup(
    NodeName self,
    PrivacyGroup group,
    CoordinatorSelection selection,
    SequencerSettings settings,
    Signatures signatures,
    Links links) {
  /** Of one that knows of no connections. */
  public CoordinatorSetup(
      NodeName self,
      PrivacyGroup group,
      CoordinatorSelection selection,
      SequencerSettings settings,
      Signatures signatures) {
    this(self, group, selection, settings, signatures, Links.UNKNOWN);
  }
}
