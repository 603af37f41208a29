package dev.sequitur.protocol.sender;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.settings.SequencerSettings;

/** What does not change while a sender of one contract lives. */
public record SenderSetup(
    NodeName self,
    PrivacyGroup group,
    CoordinatorSelection selection,
    SequencerSettings settings) {}
