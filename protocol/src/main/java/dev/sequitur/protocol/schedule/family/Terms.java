package dev.sequitur.protocol.schedule.family;

import dev.sequitur.protocol.schedule.FamilyKind;

/** The part of a schedule that only its family understands. */
public interface Terms {
  FamilyKind family();
}
