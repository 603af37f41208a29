package dev.sequitur.protocol.coordinator;

import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.settings.SequencerSettings;

/** What does not change while a coordinator of one contract lives. */
public record CoordinatorSetup(
    NodeName self,
    PrivacyGroup group,
    CoordinatorSelection selection,
    SequencerSettings settings,
    Signatures signatures) {}
