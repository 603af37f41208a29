package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Links;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.settings.SequencerSettings;
import java.util.function.IntSupplier;

/**
 * What does not change while a sender of one contract lives.
 *
 * @param links a link that is refused is a sign for whom to try first (AVL-8)
 * @param endedRoom how many ended transactions it may remember now ({@link EndedRoom})
 */
public record SenderSetup(
    NodeName self,
    PrivacyGroup group,
    CoordinatorSelection selection,
    SequencerSettings settings,
    Links links,
    IntSupplier endedRoom) {
  /** Of one that shares its memory with no other. */
  public SenderSetup(
      NodeName self,
      PrivacyGroup group,
      CoordinatorSelection selection,
      SequencerSettings settings,
      Links links) {
    this(self, group, selection, settings, links, settings.limits()::confirmedRemembered);
  }

  /** Of one that knows of no connections. */
  public SenderSetup(
      NodeName self,
      PrivacyGroup group,
      CoordinatorSelection selection,
      SequencerSettings settings) {
    this(self, group, selection, settings, Links.UNKNOWN);
  }
}
